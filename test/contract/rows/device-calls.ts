import { addUser, logIn } from './fixture-devices.ts';
import { type Call, type Expect, fromResponse, type Row } from './row.ts';

/** What the rows about devices are made of. */

/** Somebody with a device, made for one row: the first call before makes them, the second logs them in. */
export interface Newcomer {
  readonly userId: number;
  readonly before: readonly Call[];
  readonly call: (path: string, body?: object) => Call;
}

export function newcomer(userId: number, guid = `phone-of-${userId}`): Newcomer {
  return {
    userId,
    before: [addUser(userId), logIn(userId, guid)],
    call: (path, body) => ({ path, token: fromResponse(1, 'token'), ...(body && { body }) }),
  };
}

/** The device that a newcomer was logged in on. */
export const theirToken = fromResponse(1, 'token');
export const theirPushToken = fromResponse(1, 'push_token');

/** A rule that is shown by calls of a newcomer, the last of which is answered as told. */
export function ruleOf(
  path: string,
  sentence: string,
  userId: number,
  calls: (by: Newcomer) => readonly [...Call[], Call],
  expect: Expect,
): Row {
  const by = newcomer(userId);
  const all = calls(by);
  const before = [...by.before, ...all.slice(0, -1)];
  return { rule: `${path}: ${sentence}`, path, kind: 'rule', cases: [{ before, call: all.at(-1) as Call, expect }] };
}

/** Somewhere in the answer. */
export const saying = (text: RegExp): Expect => ({ code: 200, text });

/** A device's vendors as they are told, by provider and environment. */
export function boundTo(...vendors: readonly (readonly [provider: number, environment: number])[]): Expect {
  const bindings = vendors.map(([p, e]) => `\\{"provider":${p},"environment":${e},"bound_at":\\d{13}\\}`);
  return saying(new RegExp(`"bindings":\\[${bindings.join(',')}\\]`));
}
