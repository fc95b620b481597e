import { carl, nora, userAppAdmins, userApps } from './fixture-users.ts';
import { apps } from './fixtures.ts';
import { type Call, type Expect, type Row, refused } from './row.ts';
import { createUser } from './user-calls.ts';

/** Rows about login names: a mobile number, email address or user name matches the stored value in any notation. */

const login = (login_name: string, password: string = nora.password, app: string = apps.bells): Call => ({
  path: '/token/login',
  app,
  token: null,
  body: { login_name, password },
});
const byName = (name: string): Call => ({ path: '/token/user', token: null, body: { name, password: nora.password } });
const is = (userId: bigint): Expect => ({ code: 200, data: { user_id: userId } });
const nobody = refused(10013, /^The login name or the password is wrong\.$/);

const rule = (sentence: string, expect: Expect, ...calls: readonly Call[]): Row => ({
  rule: `${calls[0]?.path} ${sentence}`,
  path: `${calls[0]?.path} body`,
  kind: 'rule',
  cases: calls.map((call) => ({ call, expect })),
});

export const loginNameGroup: readonly Row[] = [
  rule(
    'finds a mobile number in any notation',
    is(nora.userId),
    ...[
      '+8613700000021',
      '13700000021',
      '8613700000021',
      '137 0000 0021',
      '137-0000-0021',
      '(137) 0000.0021',
      '+86 137 0000 0021',
      '(+86) 137 0000 0021',
      '0086 137 0000 0021',
      '137\u00a00000\u20110021',
      '１３７００００００２１',
      '＋８６ 13700000021',
      '\u202d+86 137 0000 0021\u202c',
      ' 13700000021 ',
    ].map((text) => login(text)),
  ),
  rule(
    'does not find a mobile number with missing or additional characters: 10013',
    nobody,
    ...['13700000021#5', '13700000021,5', '*13700000021', '1370000002', '+1 13700000021', '137000000210'].map((text) =>
      login(text),
    ),
  ),
  rule(
    'finds a foreign mobile number only with its country code',
    is(carl.userId),
    login('+49 1512 3456789', carl.password),
    login('0049 151-23456789', carl.password),
  ),
  rule(
    'treats a number without a country code as a number of the app’s country: 10013',
    nobody,
    login('0151 23456789', carl.password),
  ),
  {
    rule: '/token/login finds a mobile number in the national format of the app’s country',
    path: '/token/login body',
    kind: 'rule',
    cases: ['0151 2345 6799', '+49 151 23456799', '0049 15123456799'].map((text, i) => ({
      before:
        i > 0
          ? []
          : [
              createUser(
                { user_id: 51, mobile: '0151/23456799', password: 'a password' },
                { app: userApps.german, token: userAppAdmins.german },
              ),
            ],
      call: login(text, 'a password', userApps.german),
      expect: is(51n),
    })),
  },
  rule(
    'finds an email address regardless of case and Unicode form',
    is(nora.userId),
    ...['n\u00f6ra@example.com', 'N\u00d6RA@EXAMPLE.COM', 'No\u0308ra@Example.com'].map((text) => login(text)),
  ),
  rule(
    'does not find a different email address: 10013',
    nobody,
    ...[
      'nora@example.com',
      'n\u00f6ra+news@example.com',
      'n\u00f6ra@example.com ',
      'n\u00f6ra\u200b@example.com',
      '<n\u00f6ra@example.com>',
    ].map((text) => login(text)),
  ),
  rule('finds a user name in any Unicode form', is(nora.userId), login('N\u00f6ra'), login('No\u0308ra')),
  rule('finds a user name in any Unicode form', is(nora.userId), byName('N\u00f6ra'), byName('No\u0308ra')),
  rule(
    'does not find a user name that only looks similar: 10013',
    nobody,
    ...['n\u00f6ra', 'N\u00d6RA', 'Nora', 'N\u00f6ra\u200b', 'N\u00f6ra '].map((text) => login(text)),
  ),
  rule(
    'does not find a user name that only looks similar: 10013',
    nobody,
    ...['n\u00f6ra', 'N\u00d6RA', 'Nora', 'N\u00f6ra\u200b', 'N\u00f6ra ', nora.email, nora.mobile].map(byName),
  ),
];
