import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reachBit } from '../reach.ts';
import type { RoutedDevice, RouteRules } from '../routing.ts';
import { placeStatus, type SliceChannel } from '../slice.ts';
import { type DeliveryTrace, describeEvent, explainDelivery, type TracedPlace } from './explain-delivery.ts';
import { explainNotTargeted, explainNoVendor, type TracedTask, type UntargetedDevice } from './explain-not-targeted.ts';
import { type TraceCode, traceCodes } from './trace-events.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 15, 0, 0, second));
const event = (code: TraceCode, detail: string | null = null) => ({ at: at(1), code, detail });

function place(
  channel: SliceChannel,
  status: keyof typeof placeStatus,
  events: readonly ReturnType<typeof event>[] = [],
  overrides: Partial<TracedPlace> = {},
): TracedPlace {
  return {
    channel,
    status: placeStatus[status],
    events,
    sent: false,
    received: false,
    nextAt: at(9),
    ownerChanged: false,
    ...overrides,
  };
}
const trace = (places: readonly TracedPlace[], overrides: Partial<DeliveryTrace> = {}): DeliveryTrace => ({
  places,
  cancelled: false,
  notAfter: at(59),
  inboxUntil: at(30),
  noVendorReason: 'it has no vendor token',
  breakers: [],
  ...overrides,
});
const sentBit = { sent: true };
const dead = place('apns', 'dead', [event('token-dead', 'BadDeviceToken')]);
const silentNative = place('nativepush', 'fellBack', [event('written'), event('silent', '5 s')], sentBit);

const lockedOut = { channel: 'apns', cause: 'locked-out', reason: 'InvalidProviderToken', trippedAt: at(2) } as const;
const unreachable = { channel: 'apns', cause: 'unreachable', reason: 'no answer', trippedAt: at(2) } as const;

const explanations: readonly (readonly [string, DeliveryTrace, string])[] = [
  [
    'open',
    trace([place('apns', 'planned')], { breakers: [lockedOut] }),
    "Apple refuses the app's credentials since 2026-11-15T00:00:02Z (InvalidProviderToken). It is held back until one notification gets through, at the longest until 2026-11-15T00:00:59Z. Look at the app's certificate for this vendor, and save one that it takes.",
  ],
  [
    'open',
    trace([place('apns', 'retrying', [event('unreachable', 'no answer')])], { breakers: [unreachable] }),
    'Apple gives no answer since 2026-11-15T00:00:02Z (no answer). It is held back until one notification gets through, at the longest until 2026-11-15T00:00:59Z.',
  ],
  [
    'acknowledged',
    trace([place('nativepush', 'attempting', [event('written')], { sent: true, received: true })]),
    'Delivered: the device acknowledged it on the own channel.',
  ],
  [
    'acknowledged',
    trace([silentNative, place('apns', 'sent', [event('accepted')], { sent: true, received: true })]),
    'Delivered: that it arrived over Apple was told by the app or by the vendor.',
  ],
  [
    'sent',
    trace([silentNative, place('apns', 'sent', [event('accepted')], sentBit)]),
    'Apple accepted it at 2026-11-15T00:00:01Z and never tells what arrived; the app can, by /device/receipt, and has not. If it was not seen, look whether the phone shows notifications of this app.',
  ],
  [
    'sent',
    trace([place('huawei', 'sent', [event('accepted')], sentBit)]),
    'Huawei accepted it at 2026-11-15T00:00:01Z and has not told since whether it arrived. If it was not seen, look whether the phone shows notifications of this app.',
  ],
  [
    'sent',
    trace([place('nativepush', 'expired', [event('written'), event('silent', '5 s'), event('expired')], sentBit)]),
    "It was written to the device, which never acknowledged it. It waited in the device's inbox, and the device did not connect in time.",
  ],
  ['open', trace([place('fcm', 'planned')]), 'It is about to be sent over FCM.'],
  ['open', trace([place('apns', 'attempting')]), 'It is being sent over Apple now.'],
  [
    'open',
    trace([place('nativepush', 'attempting', [event('written')], sentBit)]),
    'It was written to the device. Its acknowledgement is awaited until 2026-11-15T00:00:09Z.',
  ],
  [
    'open',
    trace([place('nativepush', 'attempting', [event('no-answer')])]),
    'The gateway did not say whether it wrote it to the device. Its acknowledgement is awaited until 2026-11-15T00:00:09Z.',
  ],
  [
    'open',
    trace([place('apns', 'retrying', [event('unreachable', 'no answer'), event('throttled', 'retry after 60 s')])]),
    'Apple asked for patience: retry after 60 s. It is tried again at 2026-11-15T00:00:09Z, until 2026-11-15T00:00:59Z.',
  ],
  [
    'open',
    trace([place('apns', 'retrying', [event('locked-out', 'InvalidProviderToken')])]),
    "Apple refused the app's credentials: InvalidProviderToken. It is tried again at 2026-11-15T00:00:09Z, until 2026-11-15T00:00:59Z. Look at the app's certificate for this vendor, and save one that it takes.",
  ],
  [
    'open',
    trace([place('nativepush', 'waiting', [event('in-inbox')])]),
    "It waits in the device's inbox until 2026-11-15T00:00:30Z, because the device was not connected and it has no vendor token. It arrives when the device connects.",
  ],
  [
    'open',
    trace([place('nativepush', 'waiting', [event('silent', '5 s'), event('in-inbox')], sentBit), dead]),
    "It waits in the device's inbox until 2026-11-15T00:00:30Z, because the device did not acknowledge it within 5 s and Apple called its token dead (BadDeviceToken). It was written to the device, which has not acknowledged it yet.",
  ],
  [
    'open',
    trace([place('nativepush', 'waiting', [event('in-inbox')])], { inboxUntil: null }),
    "It waited in the device's inbox, but newer messages have taken its room.",
  ],
  [
    'open',
    trace([place('nativepush', 'waiting')], { inboxUntil: null }),
    "It is about to be put in the device's inbox.",
  ],
  [
    'open',
    trace([place('apns', 'retrying')], { cancelled: true }),
    'The task was cancelled, and what is left of it is being stopped.',
  ],
  [
    'open',
    trace([place('nativepush', 'waiting', [event('in-inbox')], { ownerChanged: true })], { inboxUntil: null }),
    'The device changed hands or was logged out since: nothing that was meant for its former owner is brought to it.',
  ],
  [
    'ended',
    trace([dead]),
    'Apple called its token dead (BadDeviceToken), and no other channel is left. The app tells a new token by `/device/bind` when it is opened.',
  ],
  [
    'ended',
    trace([place('apns', 'failed', [event('refused', 'PayloadTooLarge')])]),
    'Apple refused it (PayloadTooLarge), and no other channel is left.',
  ],
  [
    'ended',
    trace([place('vivo', 'fellBack', [event('quota-spent', 'until tomorrow')])]),
    "Today's quota at vivo is spent, and no other channel is left.",
  ],
  ['ended', trace([place('vivo', 'failed', [event('refused')])]), 'vivo refused it, and no other channel is left.'],
  [
    'ended',
    trace([place('apns', 'expired', [event('unreachable', 'no answer'), event('expired')])]),
    'Its time was over at 2026-11-15T00:00:59Z, and Apple had not taken it. Apple gave no clear answer: no answer.',
  ],
  [
    'ended',
    trace([place('apns', 'expired', [event('expired')])]),
    'Its time was over at 2026-11-15T00:00:59Z, before it could be sent over Apple.',
  ],
  [
    'ended',
    trace([dead, place('nativepush', 'expired', [event('in-inbox'), event('expired')])]),
    "It waited in the device's inbox, and the device did not connect in time.",
  ],
  [
    'ended',
    trace([place('nativepush', 'failed', [event('in-inbox'), event('displaced')])]),
    "Newer messages took its room in the device's inbox before it connected.",
  ],
  [
    'ended',
    trace([place('nativepush', 'cancelled', [event('cancelled')])]),
    'The task was cancelled before it reached this device.',
  ],
  [
    'ended',
    trace([place('nativepush', 'skipped', [event('changed-hands')])]),
    'The device changed hands or was logged out: nothing that was meant for its former owner is brought to it.',
  ],
  [
    'ended',
    trace([place('none', 'failed')], { noVendorReason: 'the app has no certificate for its vendor tokens' }),
    'No channel can reach the device: the app has no certificate for its vendor tokens.',
  ],
  [
    'ended',
    trace([place('nativepush', 'failed', [event('no-session')])]),
    'The device was not connected, and no other channel is left: it has no vendor token.',
  ],
];

describe('what became of a notification, in a sentence', () => {
  for (const [state, deliveryTrace, text] of explanations)
    test(`${state}: ${text}`, () => assert.deepEqual(explainDelivery(deliveryTrace), { state, text }));
});

test('everything that can be said is a sentence', () => {
  for (const code of traceCodes) {
    assert.match(describeEvent('apns', event(code, 'x')), /^[A-Z].*\.$/);
    assert.match(describeEvent('apns', event(code)), /^[A-Z].*\.$/);
  }
});

test('so is a word of a newer version', () => {
  const futureCode = 'postponed' as TraceCode;
  assert.equal(
    describeEvent('apns', event(futureCode, 'by an hour')),
    'A newer version of this service says "postponed": by an hour.',
  );
  assert.equal(describeEvent('apns', event(futureCode)), 'A newer version of this service says "postponed".');
});

describe('why a device has no place', () => {
  const task: TracedTask = {
    audience: { kind: 'all' },
    groupId: null,
    dueAt: at(0),
    cancelled: false,
    expanded: true,
  };
  const device: UntargetedDevice = { userId: 1n, pushToken: 'p', alias: 'a', tags: ['t'], registeredAt: at(-9) };
  const cases: readonly (readonly [Partial<TracedTask>, Partial<UntargetedDevice>, string])[] = [
    [{ expanded: false, dueAt: at(20) }, {}, 'The task is held until 2026-11-15T00:00:20Z.'],
    [{ expanded: false, cancelled: true }, {}, 'The task was cancelled before it was turned into devices.'],
    [{ cancelled: true }, {}, 'The task was cancelled before it was turned into devices.'],
    [{ expanded: false }, {}, 'The task was accepted and is not turned into devices yet. Ask again in a moment.'],
    [{}, { userId: null }, 'Nobody is logged in on the device.'],
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
      "The task was sent to users, and the device's owner is none of them. The task was cut to the members of group 7.",
    ],
    [
      { audience: { kind: 'push_token', pushTokens: ['q'] } },
      {},
      'The task was sent to push tokens, and that of the device is none of them.',
    ],
  ];
  for (const [more, other, why] of cases)
    test(why, () => assert.equal(explainNotTargeted({ ...task, ...more }, { ...device, ...other }, at(10)), why));
});

describe('why no vendor brings it', () => {
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
    [{}, {}, 'it has no vendor token'],
    [{}, { nativeTarget: false }, 'it has no vendor token and it has not connected or logged in for 30 days'],
    [{ strategy: 'ospush_only' }, {}, 'it has no vendor token and the task uses vendors only'],
    [{ strategy: 'nativepush_only' }, { reach: apns }, 'the task uses the own channel only'],
    [{}, { reach: xiaomi }, 'the app has no certificate for its vendor tokens'],
    [
      { credentialReach: xiaomi, messageType: 'cmd' },
      { reach: xiaomi },
      'its vendors are not in ospush_sequence, or cannot carry this type of message',
    ],
    [
      { credentialReach: xiaomi, ospushSequence: ['fcm'] },
      { reach: xiaomi },
      'its vendors are not in ospush_sequence, or cannot carry this type of message',
    ],
  ];
  for (const [more, other, why] of cases)
    test(why, () => assert.equal(explainNoVendor({ ...rules, ...more }, { ...device, ...other }), why));
});
