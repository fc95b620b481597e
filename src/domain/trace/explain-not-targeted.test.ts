import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Language } from '../language/language.ts';
import { reachBit } from '../reach.ts';
import type { RoutedDevice, RouteRules } from '../routing.ts';
import {
  explainNoDevice,
  explainNotTargeted,
  explainNoVendor,
  type TracedTask,
  type UntargetedDevice,
} from './explain-not-targeted.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 15, 0, 0, second));

describe('explanation for a device without a place in the task', () => {
  const task: TracedTask = {
    audience: { kind: 'all' },
    groupId: null,
    dueAt: at(0),
    cancelled: false,
    expanded: true,
  };
  const device: UntargetedDevice = {
    userId: 1n,
    pushToken: 'p',
    alias: 'a',
    tags: ['t'],
    registeredAt: at(-9),
    seenOn: '2026-11-14',
  };
  const cases: readonly (readonly [Partial<TracedTask>, Partial<UntargetedDevice>, string])[] = [
    [{ expanded: false, dueAt: at(20) }, {}, 'The task is held until 2026-11-15T00:00:20Z.'],
    [{ expanded: false, cancelled: true }, {}, 'The task was cancelled before its audience was resolved to devices.'],
    [{ cancelled: true }, {}, 'The task was cancelled before its audience was resolved to devices.'],
    [
      { expanded: false },
      {},
      'The task was accepted, but its audience is not resolved to devices yet. Try again in a moment.',
    ],
    [
      {},
      { userId: null },
      'The device was logged out on 2026-11-14. A device without a user receives no notifications.',
    ],
    [
      {},
      { registeredAt: at(5) },
      "The device's owner logged in on it at 2026-11-15T00:00:05Z, after the task was due at 2026-11-15T00:00:00Z.",
    ],
    [{}, {}, 'The device belongs to the audience now, but did not when the task was sent.'],
    [{ audience: { kind: 'tag', names: ['x'] } }, {}, 'The task was sent to tags, and the device has none of them.'],
    [
      { audience: { kind: 'tag', names: ['x', 't'] } },
      {},
      'The device belongs to the audience now, but did not when the task was sent.',
    ],
    [
      { audience: { kind: 'alias', names: ['x'] } },
      {},
      'The task was sent to aliases, and the device has none of them.',
    ],
    [
      { audience: { kind: 'user_id', userIds: [2n] }, groupId: 7n },
      {},
      "The task was sent to users, and the device's owner is not one of them. The task was limited to the members of group 7.",
    ],
    [
      { audience: { kind: 'push_token', pushTokens: ['q'] } },
      {},
      'The task was sent to push tokens, and the push token of the device is not one of them.',
    ],
  ];
  for (const [more, other, why] of cases)
    test(why, () => {
      const explain = (language: Language) =>
        explainNotTargeted({ ...task, ...more }, { ...device, ...other }, at(10), language);
      assert.equal(explain('en'), why);
      assert.match(explain('zh'), /^\p{Script=Han}[^a-z]*(push token)?[^a-z]*(push token)?[^a-z]*。$/u);
    });
});

test('a user without a device may never have logged in, or may be logged out', () => {
  assert.match(explainNoDevice(false, 'en'), /^The user has never logged in on a device in this app\./);
  assert.match(explainNoDevice(true, 'en'), /^The user is not logged in on any device in this app\./);
  assert.match(explainNoDevice(false, 'zh'), /^用户从未在此应用的任何设备上登录。/);
  assert.match(explainNoDevice(true, 'zh'), /^用户目前没有在此应用的任何设备上登录。/);
});

describe('reasons why no vendor is used', () => {
  const apns = reachBit('apns', 1);
  const xiaomi = reachBit('xiaomi', 1);
  const rules: RouteRules = {
    strategy: 'combined',
    ospushSequence: ['ups', 'fcm'],
    messageType: 'text',
    credentialReach: apns,
  };
  const device: RoutedDevice = { reach: 0, latestDomestic: null, online: false, nativeTarget: true };
  const cases: readonly (readonly [Partial<RouteRules>, Partial<RoutedDevice>, string])[] = [
    [{}, {}, 'no vendor token is registered'],
    [
      {},
      { nativeTarget: false },
      'no vendor token is registered and the device has not connected or logged in for 30 days',
    ],
    [{ strategy: 'ospush_only' }, {}, 'no vendor token is registered and the task uses only vendor channels'],
    [{ strategy: 'nativepush_only' }, { reach: apns }, 'the task uses only the Carillon channel'],
    [{}, { reach: xiaomi }, 'the app has no credentials that match the vendor tokens of the device'],
    [
      { credentialReach: xiaomi, messageType: 'cmd' },
      { reach: xiaomi },
      'the vendors of the device are not in ospush_sequence or do not support this message type',
    ],
    [
      { credentialReach: xiaomi, ospushSequence: ['fcm'] },
      { reach: xiaomi },
      'the vendors of the device are not in ospush_sequence or do not support this message type',
    ],
  ];
  for (const [more, other, why] of cases)
    test(why, () => {
      const explain = (language: Language) => explainNoVendor({ ...rules, ...more }, { ...device, ...other }, language);
      assert.equal(explain('en'), why);
      assert.match(explain('zh'), /^\p{Script=Han}[^。]*$/u);
    });
});
