import { addUser, logIn } from './fixture-devices.ts';
import { type Call, type Expect, fromResponse, type Row } from './row.ts';

/** Helpers for the rows about devices. */

/**
 * A user with a device, created for one row. The first call in `before` creates the user, and the second logs the user
 * in.
 */
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

/** The access token and the push token of a newcomer's device. */
export const theirToken = fromResponse(1, 'token');
export const theirPushToken = fromResponse(1, 'push_token');

/** Returns a row with calls by a newcomer. `expect` applies to the last call. */
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

/** Expects success and a response that matches `text`. */
export const saying = (text: RegExp): Expect => ({ code: 200, text });

/** Expects a response with these bindings, by provider and environment. */
export function boundTo(...vendors: readonly (readonly [provider: number, environment: number])[]): Expect {
  const bindings = vendors.map(([p, e]) => `\\{"provider":${p},"environment":${e},"bound_at":\\d{13}\\}`);
  return saying(new RegExp(`"bindings":\\[${bindings.join(',')}\\]`));
}
