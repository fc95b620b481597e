import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reachBit } from '../reach.ts';
import { placeStatus, type SliceChannel } from '../slice.ts';
import { type DeliveryTrace, describeEvent, explainDelivery, type TracedPlace } from './explain-delivery.ts';
import type { TracedPhone } from './explain-phone.ts';
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
    loggedOut: false,
    ...overrides,
  };
}
const phone: TracedPhone = {
  isOnline: true,
  reach: 0,
  seenOn: '2026-11-14',
  isLoggedIn: true,
  registeredAt: at(40),
  reported: null,
};
const on = (overrides: Partial<TracedPhone>): Partial<DeliveryTrace> => ({ phone: { ...phone, ...overrides } });
const reported = { client: null, notifications: null, vendorErrors: [], reportedMs: at(20).getTime() } as const;
const denied = { ...reported, notifications: 'denied' } as const;
const withoutTokens = {
  ...reported,
  vendorErrors: [
    { vendor: 'fcm', error: 'SERVICE_NOT_AVAILABLE' },
    { vendor: 'huawei', error: '907135000' },
  ],
} as const;

const trace = (places: readonly TracedPlace[], overrides: Partial<DeliveryTrace> = {}): DeliveryTrace => ({
  places,
  cancelled: false,
  notAfter: at(59),
  inboxUntil: at(30),
  noVendorReason: 'no vendor token is registered',
  phone,
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
    "Apple has rejected the app's credentials since 2026-11-15T00:00:02Z (InvalidProviderToken). The channel is paused until a probe succeeds. The notification expires at 2026-11-15T00:00:59Z. Check the app's credentials for this vendor and save valid ones with /admin/certificate/save.",
  ],
  [
    'open',
    trace([place('apns', 'retrying', [event('unreachable', 'no answer')])], { breakers: [unreachable] }),
    'Apple has been unavailable since 2026-11-15T00:00:02Z (no answer). The channel is paused until a probe succeeds. The notification expires at 2026-11-15T00:00:59Z.',
  ],
  [
    'acknowledged',
    trace([place('nativepush', 'attempting', [event('written')], { sent: true, received: true })]),
    'Delivered: the device acknowledged the notification on the Carillon channel.',
  ],
  [
    'acknowledged',
    trace([silentNative, place('apns', 'sent', [event('accepted')], { sent: true, received: true })]),
    'Delivered through Apple: the app or the vendor reported that the device received the notification.',
  ],
  [
    'sent',
    trace([silentNative, place('apns', 'sent', [event('accepted')], sentBit)]),
    'Apple accepted the notification at 2026-11-15T00:00:01Z but does not report delivery. The app has not sent a receipt with /device/receipt. If the user did not see the notification, check the notification settings of the app on the device.',
  ],
  [
    'sent',
    trace([place('huawei', 'sent', [event('accepted')], sentBit)]),
    'Huawei accepted the notification at 2026-11-15T00:00:01Z but has not reported delivery yet. If the user did not see the notification, check the notification settings of the app on the device.',
  ],
  [
    'sent',
    trace([place('nativepush', 'expired', [event('written'), event('silent', '5 s'), event('expired')], sentBit)]),
    'The notification was written to the device, which never acknowledged it. The device did not connect before the notification expired in its inbox.',
  ],
  ['open', trace([place('fcm', 'planned')]), 'The notification is about to be sent through FCM.'],
  ['open', trace([place('apns', 'attempting')]), 'The notification is being sent through Apple now.'],
  [
    'open',
    trace([place('nativepush', 'attempting', [event('written')], sentBit)]),
    'The notification was written to the device. Carillon waits for the acknowledgement until 2026-11-15T00:00:09Z.',
  ],
  [
    'open',
    trace([place('nativepush', 'attempting', [event('no-answer')])]),
    'The gateway did not report whether it wrote the notification to the device. Carillon waits for the acknowledgement until 2026-11-15T00:00:09Z.',
  ],
  [
    'open',
    trace([place('apns', 'retrying', [event('unreachable', 'no answer'), event('throttled', 'retry after 60 s')])]),
    'Apple throttled the request: retry after 60 s. Carillon retries at 2026-11-15T00:00:09Z. The notification expires at 2026-11-15T00:00:59Z.',
  ],
  [
    'open',
    trace([place('apns', 'retrying', [event('locked-out', 'InvalidProviderToken')])]),
    "Apple rejected the app's credentials: InvalidProviderToken. Carillon retries at 2026-11-15T00:00:09Z. The notification expires at 2026-11-15T00:00:59Z. Check the app's credentials for this vendor and save valid ones with /admin/certificate/save.",
  ],
  [
    'open',
    trace([place('nativepush', 'waiting', [event('in-inbox')])]),
    "The notification waits in the device's inbox until 2026-11-15T00:00:30Z, because the device was not connected and no vendor token is registered. The device receives the notification when it connects.",
  ],
  [
    'open',
    trace([place('nativepush', 'waiting', [event('silent', '5 s'), event('in-inbox')], sentBit), dead]),
    "The notification waits in the device's inbox until 2026-11-15T00:00:30Z, because the device did not acknowledge the notification within 5 s and Apple reported the vendor token as invalid (BadDeviceToken). The notification was written to the device, which has not acknowledged it yet.",
  ],
  [
    'open',
    trace([place('nativepush', 'waiting', [event('in-inbox')])], { inboxUntil: null }),
    "The notification waited in the device's inbox, but newer notifications displaced it.",
  ],
  [
    'open',
    trace([place('nativepush', 'waiting')], { inboxUntil: null }),
    "The notification is about to be put in the device's inbox.",
  ],
  [
    'open',
    trace([place('apns', 'retrying')], { cancelled: true }),
    'The task was cancelled. Its remaining deliveries are being stopped.',
  ],
  [
    'open',
    trace([place('nativepush', 'waiting', [event('in-inbox')], { loggedOut: true })], {
      inboxUntil: null,
      ...on({ isLoggedIn: false }),
    }),
    'The device was logged out on 2026-11-14, so it does not receive this notification.',
  ],
  [
    'open',
    trace([place('nativepush', 'waiting', [event('in-inbox')], { loggedOut: true })], { inboxUntil: null }),
    'The device was logged out before delivery, and the user logged in on it again at 2026-11-15T00:00:40Z. It receives only notifications that are sent after this login.',
  ],
  [
    'ended',
    trace([dead]),
    'Apple reported the vendor token as invalid (BadDeviceToken), and no other channel is left. Open the app on the device so that it registers a new vendor token with `/device/bind`.',
  ],
  [
    'ended',
    trace([place('apns', 'failed', [event('refused', 'PayloadTooLarge')])]),
    'Apple rejected the notification (PayloadTooLarge), and no other channel is left.',
  ],
  [
    'ended',
    trace([place('vivo', 'fellBack', [event('quota-spent', 'until tomorrow')])]),
    'The daily quota at vivo is used up, and no other channel is left.',
  ],
  [
    'ended',
    trace([place('vivo', 'failed', [event('refused')])]),
    'vivo rejected the notification, and no other channel is left.',
  ],
  [
    'ended',
    trace([place('apns', 'expired', [event('unreachable', 'no answer'), event('expired')])]),
    'The notification expired at 2026-11-15T00:00:59Z before Apple accepted it. Apple did not return a clear response: no answer.',
  ],
  [
    'ended',
    trace([place('apns', 'expired', [event('expired')])]),
    'The notification expired at 2026-11-15T00:00:59Z before it could be sent through Apple.',
  ],
  [
    'ended',
    trace([dead, place('nativepush', 'expired', [event('in-inbox'), event('expired')])]),
    'The device did not connect before the notification expired in its inbox.',
  ],
  [
    'ended',
    trace([place('nativepush', 'failed', [event('in-inbox'), event('displaced')])]),
    "Newer notifications displaced this one in the device's inbox before the device connected.",
  ],
  [
    'ended',
    trace([place('nativepush', 'cancelled', [event('cancelled')])]),
    'The task was cancelled before it reached this device.',
  ],
  [
    'ended',
    trace([place('nativepush', 'skipped', [event('logged-out')])], on({ isLoggedIn: false })),
    'The device was logged out on 2026-11-14, so it does not receive this notification.',
  ],
  [
    'ended',
    trace([place('none', 'failed')], {
      noVendorReason: 'the app has no credentials that match the vendor tokens of the device',
    }),
    'No channel can reach the device: the app has no credentials that match the vendor tokens of the device.',
  ],
  [
    'ended',
    trace([place('nativepush', 'failed', [event('no-session')])]),
    'The device was not connected, and no other channel is left: no vendor token is registered.',
  ],
  [
    'acknowledged',
    trace([place('nativepush', 'sent', [], { sent: true, received: true })], on({ reported: denied })),
    'Delivered: the device acknowledged the notification on the Carillon channel. The app reported at 2026-11-15T00:00:20Z that the phone does not allow it to display notifications. Ask the user to allow them in the settings of the phone.',
  ],
  [
    'acknowledged',
    trace([place('nativepush', 'sent', [], { sent: true, received: true })], {
      ...on({ reported: { ...reported, notifications: 'allowed' } }),
    }),
    'Delivered: the device acknowledged the notification on the Carillon channel.',
  ],
  [
    'sent',
    trace([place('huawei', 'sent', [event('accepted')], sentBit)], on({ reported: denied })),
    'Huawei accepted the notification at 2026-11-15T00:00:01Z but has not reported delivery yet. The app reported at 2026-11-15T00:00:20Z that the phone does not allow it to display notifications. Ask the user to allow them in the settings of the phone.',
  ],
  [
    'open',
    trace([place('nativepush', 'waiting', [event('in-inbox')])], on({ isOnline: false, reported: withoutTokens })),
    "The notification waits in the device's inbox until 2026-11-15T00:00:30Z, because the device was not connected and no vendor token is registered. The app reported at 2026-11-15T00:00:20Z that it received no vendor token: FCM (SERVICE_NOT_AVAILABLE), Huawei (907135000). The device receives the notification when it connects. The device last connected or logged in on 2026-11-14.",
  ],
  [
    'ended',
    trace([place('none', 'failed')], on({ isOnline: false, reported: withoutTokens, reach: reachBit('fcm', 1) })),
    'No channel can reach the device: no vendor token is registered. The app reported at 2026-11-15T00:00:20Z that it received no vendor token: Huawei (907135000). The device last connected or logged in on 2026-11-14.',
  ],
  [
    'ended',
    trace([place('nativepush', 'expired', [event('in-inbox'), event('expired')])], on({ isOnline: false })),
    'The device did not connect before the notification expired in its inbox. The device last connected or logged in on 2026-11-14.',
  ],
  [
    'ended',
    trace([place('nativepush', 'expired', [event('in-inbox')])], on({ isOnline: false, isLoggedIn: false })),
    'The device did not connect before the notification expired in its inbox.',
  ],
];

describe('explanation of a delivery', () => {
  for (const [state, deliveryTrace, text] of explanations)
    test(`${state}: ${text}`, () => assert.deepEqual(explainDelivery(deliveryTrace, 'en'), { state, text }));
});

describe('explanation of a delivery in Chinese', () => {
  /** Times, error codes, paths and brands, which are the same in both languages. */
  const PARAMETERS = /\d{4}-\d\d-\d\dT[\d:]+Z|[A-Z][a-z]+(?:[A-Z][a-z]+)+|\/\w+\/[\w/]+|\bvivo\b/g;
  for (const [state, deliveryTrace, english] of explanations)
    test(`${state}: ${english}`, () => {
      const explanation = explainDelivery({ ...deliveryTrace, noVendorReason: '没有注册厂商 token' }, 'zh');
      assert.equal(explanation.state, state);
      assert.match(explanation.text, /^(\p{Script=Han}|APNs|FCM|vivo).*。$/u);
      const withoutReasons = explanation.text.replaceAll(/retry after|no answer/g, '');
      assert.doesNotMatch(withoutReasons, /[a-z]+ [a-z]+/, 'contains English words');
      for (const parameter of english.match(PARAMETERS) ?? [])
        assert.ok(explanation.text.includes(parameter), `${explanation.text} has no ${parameter}`);
    });

  test('reads naturally', () => {
    const [paused, , , , , huawei] = explanations.map(([, deliveryTrace]) => explainDelivery(deliveryTrace, 'zh').text);
    assert.equal(
      paused,
      'APNs 自 2026-11-15T00:00:02Z 起拒绝应用的凭据（InvalidProviderToken）。通道已暂停，探测成功后恢复。通知将于 2026-11-15T00:00:59Z 过期。请检查应用在该厂商的凭据，并通过 /admin/certificate/save 保存有效的凭据。',
    );
    assert.equal(
      huawei,
      '华为于 2026-11-15T00:00:01Z 接受了通知，但尚未报告送达。如果用户没有看到通知，请检查设备上该应用的通知设置。',
    );
  });
});

test('every event has a sentence', () => {
  for (const code of traceCodes) {
    assert.match(describeEvent('apns', event(code, 'x'), 'en'), /^[A-Z].*\.$/);
    assert.match(describeEvent('apns', event(code), 'en'), /^[A-Z].*\.$/);
  }
});

test('an event of a newer version has a sentence', () => {
  const futureCode = 'postponed' as TraceCode;
  assert.equal(
    describeEvent('apns', event(futureCode, 'by an hour'), 'en'),
    'A newer version of Carillon recorded "postponed": by an hour.',
  );
  assert.equal(describeEvent('apns', event(futureCode), 'en'), 'A newer version of Carillon recorded "postponed".');
});
