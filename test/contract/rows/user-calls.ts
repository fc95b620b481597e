import { NOBODY, tokens } from './fixtures.ts';
import {
  type Call,
  type Case,
  type CaseContext,
  type Expect,
  type Field,
  type FieldRules,
  type FromContext,
  fieldRows,
  fromResponse,
  INT64_MAX,
  INT64_MIN,
  notInt64,
  notText,
  type Row,
  refused,
} from './row.ts';

/** Helpers for the rows about users and groups. */

/** Returns a call by an admin token with only the `manage` scope. */
export const manage = (path: string, body: unknown, call: Partial<Call> = {}): Call => ({
  path,
  token: tokens.manage,
  body,
  ...call,
});
export const createUser = (body: object = {}, call: Partial<Call> = {}) => manage('/admin/user/create', body, call);
export const findUser = (body: object, call: Partial<Call> = {}) => manage('/admin/user/find', body, call);
export const createGroup = (body: object = {}, call: Partial<Call> = {}) =>
  manage('/admin/group/create', { name: 'a group', ...body }, call);
/** The ID of the user or group that the first call created. */
export const createdUserId = fromResponse(0, 'user_id');
export const createdGroupId = fromResponse(0, 'group_id');
export const logInCreatedUser = (body: object = {}): Call =>
  manage('/admin/user/token', { user_id: createdUserId, ...body });
/** Returns a call that every user token can make. */
export const use = (token: FromContext): Call => ({ path: '/device/list', token });

/**
 * Returns calls that create users or groups with the IDs that the service would generate next, after the ID in the
 * first response.
 */
export const chosenAfter = (field: 'user_id' | 'group_id', create: (body: object) => Call): readonly Call[] =>
  Array.from({ length: 20 }, (_, i) =>
    create({ [field]: (moment: CaseContext) => BigInt(fromResponse(0, field)(moment) as number) + BigInt(i + 1) }),
  );

let names = 0;
/** Returns a name that no user has yet. */
export const freshName: FromContext = () => `fresh name ${++names}`;
export const freshEmail: FromContext = () => `fresh-${++names}@example.com`;

export const rule = (path: string, sentence: string, before: readonly Call[], call: Call, expect: Expect): Row =>
  rules(path, sentence, [{ before, call, expect }]);

export const rules = (path: string, sentence: string, cases: readonly Case[]): Row => ({
  rule: `${path}: ${sentence}`,
  path,
  kind: 'rule',
  cases,
});

/** Returns rows about the whole body: a valid body is accepted, and values that are not objects are rejected. */
export const bodyRows = (before: readonly Call[], good: Call, expect: Expect = { code: 200 }): readonly Row[] => {
  const path = `${good.path} body`;
  const { body: _body, ...call } = good;
  return [
    { rule: `${path} accepts an object`, path, kind: 'legal', cases: [{ before, call: good, expect }] },
    {
      rule: `${path} rejects values that are not objects: 10002`,
      path,
      kind: 'illegal',
      cases: ['[]', '[{}]', '1', '"text"', 'null', 'true'].map((text) => ({
        call: { ...call, text },
        expect: refused(10002, /object/),
      })),
    },
  ];
};

/** Returns rows about a field with the ID of an existing user or group, which `before` creates. */
export const idRows = (rulesOf: FieldRules, name: 'user_id' | 'group_id'): readonly Row[] => {
  const nobody = name === 'user_id' ? 10000 : 20001;
  return fieldRows(rulesOf, {
    name,
    takes: { 'an existing ID': [fromResponse(0, name)] },
    refuses: {
      'an unknown ID': [nobody, NOBODY, 0, -1, INT64_MIN, INT64_MAX - 1n],
      'a value that is not an int64': [10002, ...notInt64],
    },
  });
};

export const notStorable = ['ann\0', 'ann\ud83d'] as const;

const refusedAlways = {
  'a value that is not a string': [10002, ...notText],
  'NUL and unpaired surrogates': [10002, ...notStorable],
  'more than 256 characters': [12009, 'x'.repeat(257)],
} as const;

/** Values that every operation rejects for the three login names. */
export const refusedNames = {
  name: {
    ...refusedAlways,
    'a name that could be a mobile number or an email address': [10002, '123', '+86 138', 'ann@home', '１２３'],
    'leading and trailing spaces': [10002, ' ann', 'ann ', 'ann\u00a0'],
    'invisible characters': [10002, 'a\u200bnn', '\u202eann', '\u3164', 'a\u00adnn', 'an\nn'],
  },
  mobile: {
    ...refusedAlways,
    'a value that is not a phone number': [10002, 'ann', '12', '+1', '1'.repeat(30), '++8613800138000', '110'],
    'a phone number with additional characters': [
      10002,
      'ring 13800138000',
      '13800138000 ext 5',
      '13800138000#5',
      '*13800138000',
    ],
  },
  email: {
    ...refusedAlways,
    'a value that is not an email address': [
      10002,
      'ann',
      '@',
      'ann@',
      '@example.com',
      'ann@example',
      'a b@example.com',
      ' a@example.com',
    ],
    'invisible characters': [10002, 'a\u200bnn@example.com', 'ann@exa\u00admple.com'],
  },
} as const satisfies Readonly<Record<string, Field['refuses']>>;

type Typed = readonly (readonly [typed: string, stored: string])[];

/** Returns login names as they can be typed and as they are stored. Different digits produce different names. */
export function typedNames(digit: number): Readonly<Record<'name' | 'mobile' | 'email', Typed>> {
  const number = (n: number) => `13${digit}00000${n.toString().padStart(3, '0')}`;
  const [a, b, c, d, e, f] = [1, 2, 3, 4, 5, 6].map(number) as [string, string, string, string, string, string];
  const wide = (text: string) => text.replace(/\d/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
  const same = (text: string) => [text, text] as const;
  return {
    name: [
      same(`ada-${digit}`),
      same(`Ada Lovelace ${digit}`),
      same(`安娜${digit}`),
      same(`${digit}x`),
      same(`${digit}${'x'.repeat(255)}`),
      [`E\u0301va ${digit}`, `\u00c9va ${digit}`],
    ],
    mobile: [
      [a, `+86${a}`],
      [`+86 ${b}`, `+86${b}`],
      [`${c.slice(0, 3)}-${c.slice(3, 7)} ${c.slice(7)}`, `+86${c}`],
      [`(0086) ${d}`, `+86${d}`],
      [wide(e), `+86${e}`],
      [`\u202d${f}\u202c`, `+86${f}`],
      same(`+1415555267${digit}`),
    ],
    email: [
      same(`ada-${digit}@example.com`),
      [`Ada.L+${digit}@Example.COM`, `ada.l+${digit}@example.com`],
      same(`安娜${digit}@example.com`),
      [`E\u0301va${digit}@example.com`, `\u00e9va${digit}@example.com`],
    ],
  };
}

/** Values that a field for a new password accepts and rejects. */
export const newPassword = {
  name: 'password',
  takes: { '8 to 256 characters, including spaces': ['kT9#vLq2', 'é'.repeat(256), ' a pass word '] },
  refuses: {
    'fewer than 8 characters': [10002, '1', '1234567', '       ', '  '],
    'a value that is not a string': [10002, 12_345_678, true, ['12345678'], [], {}],
    'a password that is easy to guess': [10002, '12345678', 'Password1', 'aaaaaaaa'],
    'more than 256 characters': [12009, 'x'.repeat(257)],
  },
} as const satisfies Field;

/** Values of `device_guid`, with the same limits as in the logins. */
export const deviceGuid = {
  name: 'device_guid',
  takes: { 'up to 128 bytes': ['x', 'é'.repeat(64)] },
  refuses: {
    'a value that is not a string': [10002, ...notText],
    'NUL and unpaired surrogates': [10002, 'phone\0', 'phone\ud83d'],
    '129 bytes of UTF-8': [12009, 'x'.repeat(129), `x${'é'.repeat(64)}`],
  },
} as const satisfies Field;
