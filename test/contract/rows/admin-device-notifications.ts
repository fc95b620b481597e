import { refusedTexts } from './admin-device.ts';
import { adminCallerRows } from './admin-scopes.ts';
import { owners } from './fixture-devices.ts';
import { devices, NOBODY, tokens, users } from './fixtures.ts';
import {
  type Call,
  type Expect,
  fieldRows,
  INT64_MAX,
  INT64_MIN,
  notInt64,
  notInteger,
  type Row,
  refused,
} from './row.ts';
import { bodyRows, rules } from './user-calls.ts';

/**
 * Rows about `/admin/device/notifications`. No worker runs at the same time, so no device has a notification.
 * `test/flows/operator/device-notifications.test.ts` tests the list.
 */

const path = '/admin/device/notifications';
const { onlooker, former } = owners;

const list = (body: unknown): Call => ({ path, token: tokens.manage, body });
const NEVER_LOGGED_IN = /^The user has never logged in on a device in this app\./;
const nothingOf = (userId: bigint, why: RegExp | null = null): Expect => ({
  code: 200,
  data: { user_id: userId, next: null, why, incomplete: false },
  rows: [],
});
const nothing = nothingOf(onlooker.userId);
const exactlyOne = refused(10002, /exactly one of push_token, user_id/);
const selector = { path, token: tokens.manage, body: {}, taken: () => nothing, blank: () => exactlyOne };
const pager = {
  path,
  token: tokens.manage,
  body: { user_id: onlooker.userId },
  taken: () => nothing,
  blank: () => nothing,
};

export const adminDeviceNotificationsGroup: readonly Row[] = [
  ...bodyRows([], list({ user_id: onlooker.userId }), nothing),
  ...fieldRows(selector, {
    name: 'push_token',
    takes: { 'the push token of a device with a logged-in user': [onlooker.pushToken] },
    refuses: {
      ...refusedTexts(128),
      'an unknown push token': [12008, 'nobodys', `p000${'x'.repeat(27)}`, former.pushToken],
      'a push token of another app': [12008, devices.pushNoneUser.pushToken],
    },
  }),
  ...fieldRows(selector, {
    name: 'user_id',
    takes: { 'the ID of a user': [onlooker.userId] },
    refuses: {
      'the ID of an unknown user': [10000, NOBODY, 0, -1],
      'a value that is not an int64': [10002, ...notInt64],
    },
  }),
  ...fieldRows(pager, {
    name: 'after',
    takes: { 'any int64': [0, -1, 5, INT64_MAX, INT64_MIN] },
    refuses: { 'a value that is not an int64': [10002, ...notInt64] },
  }),
  ...fieldRows(pager, {
    name: 'limit',
    takes: { '1 to 100': [1, 100] },
    refuses: { 'a value out of range': [10002, 0, -1, 101], 'a value that is not an int32': [10002, ...notInteger] },
  }),
  rules(path, 'requires either push_token or user_id: 10002', [
    { call: list({}), expect: exactlyOne },
    { call: list({ push_token: onlooker.pushToken, user_id: onlooker.userId }), expect: exactlyOne },
  ]),
  rules(path, 'accepts a disabled user', [
    { call: list({ user_id: users.disabled.userId }), expect: nothingOf(users.disabled.userId, NEVER_LOGGED_IN) },
  ]),
  ...adminCallerRows(list({ user_id: onlooker.userId }), 'manage', nothing),
];
