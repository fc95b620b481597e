import { addUser, deviceTokens, inherited, logIn, type Owner, owners } from './fixture-devices.ts';
import { devices, groups, NOBODY, tokens, users } from './fixtures.ts';
import { type Call, type Case, type Expect, fieldRows, fromResponse, notText, ok, type Row, refused } from './row.ts';

/**
 * Rows about the device that a call applies to and the callers that an operation accepts. Every operation under
 * `/device/` that changes a device has these rows.
 */

const { ward, former, onlooker } = owners;

/** Push tokens that belong to no device the caller can change. */
const nobodys = ['nobodys', 'p99', `p64${'x'.repeat(27)}`, `p00${'x'.repeat(27)}`, former.pushToken];

/** Rows about the `push_token` field of an operation. */
export const pushTokenRows = (path: string, body: object, owner: Owner): readonly Row[] =>
  fieldRows(
    { path, token: owners[owner].token, body, taken: () => ok, blank: () => ok },
    {
      name: 'push_token',
      takes: { 'the push token of the caller': [owners[owner].pushToken] },
      refuses: {
        'a push token that no device has': [12008, ...nobodys],
        'push tokens of other users and other apps': [12008, devices.ann.pushToken, devices.pushNoneUser.pushToken],
        'a value that is not a string': [10002, ...notText],
        'NUL characters and unpaired surrogates': [10002, 'p\0', 'p\ud83d'],
        'more than 128 characters': [12009, 'p'.repeat(129)],
      },
    },
  );

interface CallerRules {
  readonly path: string;
  /** A body that is valid for any device. */
  readonly body: object;
  /** A user ID that no other row uses. */
  readonly newUserId: number;
  /** The expected result for a token whose device now belongs to another user. */
  readonly formerOwner?: Expect;
}

export function deviceCallerRows({ path, body, newUserId, formerOwner = refused(12008) }: CallerRules): readonly Row[] {
  const call = (token: Call['token'], pushToken?: unknown, headers: Readonly<Record<string, string>> = {}): Call => ({
    path,
    token: token as string,
    headers,
    body: { ...body, ...(pushToken !== undefined && { push_token: pushToken }) },
  });
  const user = (userId: bigint) => ({ user_id: userId.toString() });
  const group = { group_id: groups.choir.toString() };
  const rule = (sentence: string, expect: Expect, ...calls: readonly (Call | Omit<Case, 'expect'>)[]): Row => ({
    rule: `${path}: ${sentence}`,
    path,
    kind: 'rule',
    cases: calls.map((one) => ('call' in one ? { ...one, expect } : { call: one, expect })),
  });
  const guid = `caller-of-${path}`;
  const madeLogin = [addUser(newUserId), logIn(newUserId, guid)];
  return [
    rule('a user token applies to its own device', ok, call(ward.token), call(ward.token, ward.pushToken)),
    rule('a user token can send its own user_id', ok, call(ward.token, undefined, user(ward.userId))),
    rule(
      'a user token without a device requires push_token: 12008',
      refused(12008, /device_guid/),
      call(tokens.annWithoutDevice),
    ),
    rule('a user token without a device can set push_token to a device of the user', ok, {
      before: [{ path: '/admin/user/token', body: { user_id: ward.userId } }],
      call: call(fromResponse(0, 'token'), ward.pushToken),
    }),
    rule(
      'a device of another user is rejected like an unknown device: 12008',
      refused(12008, /^Device not found\.$/),
      call(ward.token, onlooker.pushToken),
      call(ward.token, 'nobodys'),
      call(ward.token, devices.pushNoneUser.pushToken),
    ),
    rule('a push token is invalid after a logout: 12008', refused(12008), {
      before: [...madeLogin, { path: '/token/logout', token: fromResponse(1, 'token') }],
      call: call(tokens.admin, fromResponse(1, 'push_token')),
    }),
    rule('a token of an ended login cannot change the device', formerOwner, call(former.token)),
    rule('an admin must set push_token: 12008', refused(12008, /push_token/), call(tokens.admin), call(tokens.manage)),
    rule(
      'an admin can set push_token to any device of the app',
      ok,
      call(tokens.admin, ward.pushToken),
      call(tokens.manage, ward.pushToken),
      call(tokens.manage, inherited.pushToken),
    ),
    rule('an admin can act for the owner of the device', ok, call(tokens.admin, ward.pushToken, user(ward.userId))),
    rule(
      'an admin who acts for another user does not find the device: 12008',
      refused(12008),
      call(tokens.admin, ward.pushToken, user(onlooker.userId)),
    ),
    rule(
      'rejects an admin token with an unknown user in the user_id header: 10000',
      refused(10000),
      call(tokens.admin, ward.pushToken, user(NOBODY)),
    ),
    rule(
      'an admin does not find a device of another app: 12008',
      refused(12008),
      call(tokens.admin, devices.pushNoneUser.pushToken),
    ),
    rule(
      'an admin token requires the manage scope: 10010',
      refused(10010, /manage/),
      ...[tokens.push, tokens.secrets, tokens.scopeless, deviceTokens.platformOnly].map((token) =>
        call(token, ward.pushToken),
      ),
    ),
    rule(
      'rejects an admin token with the group_id header: 10010',
      refused(10010),
      call(tokens.admin, ward.pushToken, group),
      call(tokens.admin, undefined, group),
    ),
    rule('a user token cannot act for another user: 10010', refused(10010), {
      call: call(ward.token, undefined, user(users.ann.userId)),
    }),
    rule('requires a token: 10003', refused(10003), call(null), call('')),
    rule('ignores unknown fields', ok, {
      call: { ...call(ward.token), body: { ...body, colour: 'red', user_id: 'x', device_id: 1 } },
    }),
  ];
}
