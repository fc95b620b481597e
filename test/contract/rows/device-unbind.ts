import { providerByVendor } from '#src/domain/channel.ts';
import { deviceCallerRows, pushTokenRows } from './device-callers.ts';
import { boundTo, ruleOf, saying, theirPushToken } from './device-calls.ts';
import { inherited, owners } from './fixture-devices.ts';
import { fieldRows, notInteger, ok, type Row } from './row.ts';
import { bodyRows, rule } from './user-calls.ts';

const path = '/device/unbind';
const bind = '/device/bind';
const list = '/device/list';
const good = { provider: 3 };
const { unbinder, former, heir } = owners;
const unbind = (provider: number, more: object = {}) => ({
  path,
  token: unbinder.token,
  body: { provider, ...more },
});

const effectRows: readonly Row[] = [
  ruleOf(
    path,
    'removes the binding for the vendor',
    3_002,
    (by) => [by.call(bind, { provider: 3, token: 'unbind-a' }), by.call(path, good), by.call(list)],
    boundTo(),
  ),
  ruleOf(
    path,
    'keeps the bindings for other vendors',
    3_003,
    (by) => [
      by.call(bind, { provider: 3, token: 'unbind-b' }),
      by.call(bind, { provider: 7, token: 'unbind-b', environment: 0 }),
      by.call(path, good),
      by.call(list),
    ],
    boundTo([7, 0]),
  ),
  ruleOf(
    path,
    'an unbound token can be bound again',
    3_004,
    (by) => [
      by.call(bind, { provider: 3, token: 'unbind-c' }),
      by.call(path, good),
      by.call(bind, { provider: 3, token: 'unbind-c', environment: 0 }),
      by.call(list),
    ],
    boundTo([3, 0]),
  ),
  ruleOf(
    path,
    'a rejected request removes nothing',
    3_005,
    (by) => [
      by.call(bind, { provider: 3, token: 'unbind-d' }),
      unbind(3, { push_token: theirPushToken }),
      by.call(path, { provider: 100 }),
      by.call(list),
    ],
    boundTo([3, 1]),
  ),
  rule(path, 'succeeds and changes nothing if the device has no token for the vendor', [unbind(5)], unbind(5), ok),
  rule(
    path,
    'a former user cannot remove bindings of the next user of the phone',
    [
      { path: bind, token: heir.token, body: { provider: 5, token: 'heirs', push_token: inherited.pushToken } },
      { path, token: former.token, body: { provider: 5 } },
      { path, token: former.token, body: { provider: 5, push_token: former.pushToken } },
    ],
    { path: '/admin/device/find', body: { device_guid: inherited.guid } },
    saying(/\{"provider":5,"environment":1,"bound_at":\d+\}/),
  ),
];

export const deviceUnbindGroup: readonly Row[] = [
  ...bodyRows([], { path, token: unbinder.token, body: good }),
  ...fieldRows(
    { path, token: unbinder.token, body: good, taken: () => ok },
    {
      name: 'provider',
      takes: { 'the number of each vendor': Object.values(providerByVendor) },
      refuses: {
        'an unknown provider number': [10002, 0, 100, -1, 2_147_483_649],
        'a value that is not an int32': [10002, ...notInteger],
      },
    },
  ),
  ...pushTokenRows(path, good, 'unbinder'),
  ...deviceCallerRows({ path, body: good, newUserId: 3_001 }),
  ...effectRows,
];
