import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reachBit } from '../reach.ts';
import type { RoutedDevice, RouteRules } from '../routing.ts';
import { placeStatus, type SliceChannel } from '../slice.ts';
import { lineOf, type TracedPlace, type TracedWay, whyOf } from './explain-delivery.ts';
import { type Outsider, type OutsideTask, whyNoVendor, whyOutside } from './explain-not-targeted.ts';
import { type Word, words } from './trace-events.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 15, 0, 0, second));
const said = (word: Word, detail: string | null = null) => ({ at: at(1), word, detail });

function place(
  channel: SliceChannel,
  status: keyof typeof placeStatus,
  told: readonly ReturnType<typeof said>[] = [],
  bits: Partial<TracedPlace> = {},
): TracedPlace {
  return {
    channel,
    status: placeStatus[status],
    said: told,
    sent: false,
    received: false,
    nextAt: at(9),
    foreign: false,
    ...bits,
  };
}
const way = (places: readonly TracedPlace[], more: Partial<TracedWay> = {}): TracedWay => ({
  places,
  cancelled: false,
  notAfter: at(59),
  inboxUntil: at(30),
  noVendor: 'it has no vendor token',
  gates: [],
  ...more,
});
const written = { sent: true };
const dead = place('apns', 'dead', [said('token-dead', 'BadDeviceToken')]);
const silentNative = place('nativepush', 'fellBack', [said('written'), said('silent', '5 s')], written);

const lockedOut = { channel: 'apns', why: 'locked-out', reason: 'InvalidProviderToken', closedAt: at(2) } as const;
const away = { channel: 'apns', why: 'unreachable', reason: 'no answer', closedAt: at(2) } as const;

const ends: readonly (readonly [string, TracedWay, string])[] = [
  [
    'open',
    way([place('apns', 'planned')], { gates: [lockedOut] }),
    "Apple refuses the app's credentials since 2026-11-15T00:00:02Z (InvalidProviderToken). It is held back until one notification gets through, at the longest until 2026-11-15T00:00:59Z. Look at the app's certificate for this vendor, and save one that it takes.",
  ],
  [
    'open',
    way([place('apns', 'retrying', [said('unreachable', 'no answer')])], { gates: [away] }),
    'Apple gives no answer since 2026-11-15T00:00:02Z (no answer). It is held back until one notification gets through, at the longest until 2026-11-15T00:00:59Z.',
  ],
  [
    'acknowledged',
    way([place('nativepush', 'attempting', [said('written')], { sent: true, received: true })]),
    'Delivered: the device acknowledged it on the own channel.',
  ],
  [
    'acknowledged',
    way([silentNative, place('apns', 'sent', [said('accepted')], { sent: true, received: true })]),
    'Delivered: that it arrived over Apple was told by the app or by the vendor.',
  ],
  [
    'sent',
    way([silentNative, place('apns', 'sent', [said('accepted')], written)]),
    'Apple accepted it at 2026-11-15T00:00:01Z and never tells what arrived; the app can, by /device/receipt, and has not. If it was not seen, look whether the phone shows notifications of this app.',
  ],
  [
    'sent',
    way([place('huawei', 'sent', [said('accepted')], written)]),
    'Huawei accepted it at 2026-11-15T00:00:01Z and has not told since whether it arrived. If it was not seen, look whether the phone shows notifications of this app.',
  ],
  [
    'sent',
    way([place('nativepush', 'expired', [said('written'), said('silent', '5 s'), said('expired')], written)]),
    "It was written to the device, which never acknowledged it. It waited in the device's inbox, and the device did not connect in time.",
  ],
  ['open', way([place('fcm', 'planned')]), 'It is about to be sent over FCM.'],
  ['open', way([place('apns', 'attempting')]), 'It is being sent over Apple now.'],
  [
    'open',
    way([place('nativepush', 'attempting', [said('written')], written)]),
    'It was written to the device. Its acknowledgement is awaited until 2026-11-15T00:00:09Z.',
  ],
  [
    'open',
    way([place('nativepush', 'attempting', [said('no-answer')])]),
    'The gateway did not say whether it wrote it to the device. Its acknowledgement is awaited until 2026-11-15T00:00:09Z.',
  ],
  [
    'open',
    way([place('apns', 'retrying', [said('unreachable', 'no answer'), said('throttled', 'retry after 60 s')])]),
    'Apple asked for patience: retry after 60 s. It is tried again at 2026-11-15T00:00:09Z, until 2026-11-15T00:00:59Z.',
  ],
  [
    'open',
    way([place('apns', 'retrying', [said('locked-out', 'InvalidProviderToken')])]),
    "Apple refused the app's credentials: InvalidProviderToken. It is tried again at 2026-11-15T00:00:09Z, until 2026-11-15T00:00:59Z. Look at the app's certificate for this vendor, and save one that it takes.",
  ],
  [
    'open',
    way([place('nativepush', 'waiting', [said('in-inbox')])]),
    "It waits in the device's inbox until 2026-11-15T00:00:30Z, because the device was not connected and it has no vendor token. It arrives when the device connects.",
  ],
  [
    'open',
    way([place('nativepush', 'waiting', [said('silent', '5 s'), said('in-inbox')], written), dead]),
    "It waits in the device's inbox until 2026-11-15T00:00:30Z, because the device did not acknowledge it within 5 s and Apple called its token dead (BadDeviceToken). It was written to the device, which has not acknowledged it yet.",
  ],
  [
    'open',
    way([place('nativepush', 'waiting', [said('in-inbox')])], { inboxUntil: null }),
    "It waited in the device's inbox, but newer messages have taken its room.",
  ],
  ['open', way([place('nativepush', 'waiting')], { inboxUntil: null }), "It is about to be put in the device's inbox."],
  [
    'open',
    way([place('apns', 'retrying')], { cancelled: true }),
    'The task was cancelled, and what is left of it is being stopped.',
  ],
  [
    'open',
    way([place('nativepush', 'waiting', [said('in-inbox')], { foreign: true })], { inboxUntil: null }),
    'The device changed hands or was logged out since: nothing that was meant for its former owner is brought to it.',
  ],
  [
    'ended',
    way([dead]),
    'Apple called its token dead (BadDeviceToken), and no other channel is left. The app tells a new token by `/device/bind` when it is opened.',
  ],
  [
    'ended',
    way([place('apns', 'failed', [said('refused', 'PayloadTooLarge')])]),
    'Apple refused it (PayloadTooLarge), and no other channel is left.',
  ],
  [
    'ended',
    way([place('vivo', 'fellBack', [said('quota-spent', 'until tomorrow')])]),
    "Today's quota at vivo is spent, and no other channel is left.",
  ],
  ['ended', way([place('vivo', 'failed', [said('refused')])]), 'vivo refused it, and no other channel is left.'],
  [
    'ended',
    way([place('apns', 'expired', [said('unreachable', 'no answer'), said('expired')])]),
    'Its time was over at 2026-11-15T00:00:59Z, and Apple had not taken it. Apple gave no clear answer: no answer.',
  ],
  [
    'ended',
    way([place('apns', 'expired', [said('expired')])]),
    'Its time was over at 2026-11-15T00:00:59Z, before it could be sent over Apple.',
  ],
  [
    'ended',
    way([dead, place('nativepush', 'expired', [said('in-inbox'), said('expired')])]),
    "It waited in the device's inbox, and the device did not connect in time.",
  ],
  [
    'ended',
    way([place('nativepush', 'failed', [said('in-inbox'), said('displaced')])]),
    "Newer messages took its room in the device's inbox before it connected.",
  ],
  [
    'ended',
    way([place('nativepush', 'cancelled', [said('cancelled')])]),
    'The task was cancelled before it reached this device.',
  ],
  [
    'ended',
    way([place('nativepush', 'skipped', [said('changed-hands')])]),
    'The device changed hands or was logged out: nothing that was meant for its former owner is brought to it.',
  ],
  [
    'ended',
    way([place('none', 'failed')], { noVendor: 'the app has no certificate for its vendor tokens' }),
    'No channel can reach the device: the app has no certificate for its vendor tokens.',
  ],
  [
    'ended',
    way([place('nativepush', 'failed', [said('no-session')])]),
    'The device was not connected, and no other channel is left: it has no vendor token.',
  ],
];

describe('what became of a notification, in a sentence', () => {
  for (const [state, traced, why] of ends)
    test(`${state}: ${why}`, () => assert.deepEqual(whyOf(traced), { state, why }));
});

test('everything that can be said is a sentence', () => {
  for (const word of words) {
    assert.match(lineOf('apns', said(word, 'x')), /^[A-Z].*\.$/);
    assert.match(lineOf('apns', said(word)), /^[A-Z].*\.$/);
  }
});

test('so is a word of a newer version', () => {
  const later = 'postponed' as Word;
  assert.equal(
    lineOf('apns', said(later, 'by an hour')),
    'A newer version of this service says "postponed": by an hour.',
  );
  assert.equal(lineOf('apns', said(later)), 'A newer version of this service says "postponed".');
});

describe('why a device has no place', () => {
  const task: OutsideTask = {
    audience: { kind: 'all' },
    groupId: null,
    dueAt: at(0),
    cancelled: false,
    expanded: true,
  };
  const device: Outsider = { userId: 1n, pushToken: 'p', alias: 'a', tags: ['t'], registeredAt: at(-9) };
  const cases: readonly (readonly [Partial<OutsideTask>, Partial<Outsider>, string])[] = [
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
    test(why, () => assert.equal(whyOutside({ ...task, ...more }, { ...device, ...other }, at(10)), why));
});

describe('why no vendor brings it', () => {
  const apns = reachBit('apns', 1);
  const xiaomi = reachBit('xiaomi', 1);
  const rules: RouteRules = {
    strategy: 'combined',
    ospushSequence: ['ups', 'fcm'],
    messageType: 'text',
    certified: apns,
  };
  const device: RoutedDevice = { reach: 0, latestDomestic: null, online: false, nativeTarget: true };
  const cases: readonly (readonly [Partial<RouteRules>, Partial<RoutedDevice>, string])[] = [
    [{}, {}, 'it has no vendor token'],
    [{}, { nativeTarget: false }, 'it has no vendor token and it has not connected or logged in for 30 days'],
    [{ strategy: 'ospush_only' }, {}, 'it has no vendor token and the task uses vendors only'],
    [{ strategy: 'nativepush_only' }, { reach: apns }, 'the task uses the own channel only'],
    [{}, { reach: xiaomi }, 'the app has no certificate for its vendor tokens'],
    [
      { certified: xiaomi, messageType: 'cmd' },
      { reach: xiaomi },
      'its vendors are not in ospush_sequence, or cannot carry this type of message',
    ],
    [
      { certified: xiaomi, ospushSequence: ['fcm'] },
      { reach: xiaomi },
      'its vendors are not in ospush_sequence, or cannot carry this type of message',
    ],
  ];
  for (const [more, other, why] of cases)
    test(why, () => assert.equal(whyNoVendor({ ...rules, ...more }, { ...device, ...other }), why));
});
