import { deviceCallerRows, pushTokenRows } from './device-callers.ts';
import { ruleOf } from './device-calls.ts';
import { owners } from './fixture-devices.ts';
import { type Expect, fieldRows, notInteger, type Row } from './row.ts';
import { bodyRows } from './user-calls.ts';

const path = '/device/badge';
const { badger } = owners;
const kept = (badge: unknown): Expect => ({ code: 200, data: { badge } });

export const deviceBadgeGroup: readonly Row[] = [
  ...bodyRows([], { path, token: badger.token, body: { badge: 3 } }, kept(3)),
  ...fieldRows(
    { path, token: badger.token, body: {}, taken: (_name, badge) => kept(badge), blank: () => kept(0) },
    {
      name: 'badge',
      takes: { '0 to 999,999,999': [0, 1, 999_999_999] },
      refuses: {
        'a value out of range': [10002, -1, 1_000_000_000, 2_147_483_648],
        'a value that is not an int32': [10002, ...notInteger, '+1'],
      },
    },
  ),
  ...pushTokenRows(path, { badge: 1 }, 'badger'),
  ...deviceCallerRows({ path, body: { badge: 2 }, newUserId: 3_100 }),
  ruleOf(
    path,
    'replaces the previous number',
    3_101,
    (by) => [by.call(path, { badge: 40 }), by.call(path, { badge: 7 })],
    kept(7),
  ),
  ruleOf(
    path,
    'sets the badge to 0 if the body is omitted',
    3_102,
    (by) => [by.call(path, { badge: 40 }), by.call(path)],
    kept(0),
  ),
];
