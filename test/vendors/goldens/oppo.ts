import type { Message } from '#src/domain/message.ts';
import type { Notification, VendorAccount } from '#src/vendors/vendor.ts';

export const NOW = new Date('2026-11-15T12:00:00.400Z');
const HOUR_MS = 3_600_000;

export const account = (change: Partial<VendorAccount> = {}): VendorAccount => ({
  appId: 'bells',
  environment: 1,
  vendorAppId: '30000001',
  appKey: 'demoAppKey0001',
  appSecret: 'demoMasterSecret0001',
  certificate: '',
  version: 1,
  ...change,
});

export const notification = (message: Partial<Message>, change: Partial<Notification> = {}): Notification => ({
  taskId: 4_503_599_627_370_497n,
  deviceId: 6_401n,
  reference: '4503599627370497.1.9',
  message: { type: 'text', badge: '+1', ...message },
  badge: undefined,
  notAfter: new Date(NOW.getTime() + HOUR_MS),
  ...change,
});

export const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };

const ids = '"mid":"4503599627370497","reference":"4503599627370497.1.9","badge":"+1"';
const plus = { badge_operation_type: 1 };
const open = { click_action_type: 0 };
const page = (rest: string) => `intent:#Intent;${rest};end`;

/** Builds the fields of a notification in the order in which they are sent. */
const shown = (
  title: string,
  content: string,
  change: {
    style?: number;
    click?: object;
    parameters?: string;
    ttl?: number;
    options?: object;
    badge?: object;
    url?: string;
  } = {},
): object => ({
  title,
  content,
  style: change.style ?? 1,
  app_message_id: '4503599627370497',
  notify_id: 2_097_154,
  ...(change.click ?? open),
  action_parameters: change.parameters ?? `{${ids}}`,
  off_line: true,
  off_line_ttl: change.ttl ?? 3_600,
  ...change.options,
  ...(change.badge ?? plus),
  ...(change.url !== undefined && { call_back_url: change.url }),
  call_back_parameter: '4503599627370497.1.9',
});

interface Golden {
  readonly what: string;
  readonly message: Partial<Message>;
  readonly notification?: Partial<Notification>;
  readonly account?: Partial<VendorAccount>;
  readonly shown: object;
}

const texts = { title: 'Ding', body: 'dong' };
const badged = (badge: string, expected: object, what: string): Golden => ({
  what,
  message: { ...texts, badge },
  shown: shown('Ding', 'dong', { badge: expected, parameters: `{${ids.replace('+1', badge)}}` }),
});

export const goldens: readonly Golden[] = [
  { what: 'title and body', message: texts, shown: shown('Ding', 'dong') },
  {
    what: 'a body with characters that forms and JSON must escape',
    message: { title: 'a+b&c=d', body: '"100%"\n你好\\' },
    shown: shown('a+b&c=d', '"100%"\n你好\\'),
  },
  {
    what: 'a body without a title; the beginning of the body becomes the title',
    message: { body: `${'dong '.repeat(8)}dong` },
    shown: shown(`${'dong '.repeat(7)}dong…`, `${'dong '.repeat(8)}dong`),
  },
  {
    what: 'a title without a body; the title becomes the body',
    message: { title: 'Ding' },
    shown: shown('Ding', 'Ding'),
  },
  {
    what: 'a title and a body of the maximum length',
    message: { title: '钟'.repeat(50), body: '🔔'.repeat(50) },
    shown: shown('钟'.repeat(50), '🔔'.repeat(50)),
  },
  {
    what: 'a title that is too long, and a body in the long-text style',
    message: { title: '钟'.repeat(51), body: '🔔'.repeat(51) },
    shown: shown(`${'钟'.repeat(49)}…`, '🔔'.repeat(51), { style: 2 }),
  },
  {
    what: "a body that is cut to OPPO's limit",
    message: { title: 'Ding', body: '👩‍👩‍👧'.repeat(30) },
    shown: shown('Ding', `${'👩‍👩‍👧'.repeat(25)}…`, { style: 2 }),
  },
  {
    what: 'big_text instead of body',
    message: { ...texts, big_text: 'dong dong dong' },
    shown: shown('Ding', 'dong dong dong', { style: 2 }),
  },
  {
    what: 'an image, only for the app',
    message: { ...texts, type: 'image', attachment_url: 'https://example.com/a.png' },
    shown: shown('Ding', 'dong', { parameters: `{${ids},"attachment_url":"https://example.com/a.png"}` }),
  },
  {
    what: 'ext with all digits of its integers',
    message: { ...texts, ext: { id: 9_223_372_036_854_775_807n, to: 'a"b' } },
    shown: shown('Ding', 'dong', {
      parameters: `{${ids},"ext":"{\\"id\\":9223372036854775807,\\"to\\":\\"a\\\\\\"b\\"}"}`,
    }),
  },
  {
    what: 'no ext if it does not fit',
    message: { ...texts, attachment_url: 'https://example.com/a.png', ext: { x: 'x'.repeat(4_000) } },
    shown: shown('Ding', 'dong', { parameters: `{${ids},"attachment_url":"https://example.com/a.png"}` }),
  },
  badged('7', { badge_operation_type: 0, badge_message_count: 7 }, 'a badge that is set'),
  badged('0', { badge_operation_type: 0, badge_message_count: 0 }, 'a cleared badge'),
  badged(
    '100',
    { badge_operation_type: 0, badge_message_count: 99 },
    'a badge above the maximum that launchers display',
  ),
  badged('+3', { badge_operation_type: 1, badge_message_count: 3 }, 'an incremented badge'),
  badged('+0', {}, 'an unchanged badge'),
  {
    what: 'channel and intent, where oppo overrides android',
    message: {
      ...texts,
      android: { sound: 'bell', channel_id: 'all', click_action: 'open_app' },
      oppo: {
        channel_id: 'own',
        click_action: 'intent',
        intent: page('component=com.example/com.example.Page;S.room=7%203;S.mid=mine'),
      },
    },
    account: { certificate: '{"channel_id":"certified"}' },
    shown: shown('Ding', 'dong', {
      click: { click_action_type: 4, click_action_activity: 'com.example.Page' },
      parameters: '{"room":"7 3","mid":"4503599627370497","reference":"4503599627370497.1.9","badge":"+1"}',
      options: { channel_id: 'own' },
    }),
  },
  {
    what: 'an intent with a short component name',
    message: { ...texts, android: { click_action: 'intent', intent: page('component=com.example/.Page') } },
    shown: shown('Ding', 'dong', {
      click: { click_action_type: 4, click_action_activity: 'com.example.Page' },
    }),
  },
  {
    what: 'an intent with more than string extras, and two for the tap',
    message: {
      ...texts,
      android: { click_action: 'intent', intent: page('launchFlags=0x1;component=com.example/com.example.Page') },
    },
    shown: shown('Ding', 'dong', {
      click: {
        click_action_type: 5,
        click_action_url: page(
          'launchFlags=0x1;component=com.example/com.example.Page;S.mid=4503599627370497;S.reference=4503599627370497.1.9',
        ),
      },
    }),
  },
  {
    what: 'the channel, class and level in the credentials',
    message: texts,
    account: { certificate: '{"channel_id":"certified","category":"IM","notify_level":16}' },
    shown: shown('Ding', 'dong', { options: { channel_id: 'certified', category: 'IM', notify_level: 16 } }),
  },
  {
    what: 'the class of the message, without the level that the credentials have for another class',
    message: { ...texts, oppo: { category: 'MARKETING' } },
    account: { certificate: '{"category":"IM","notify_level":16}' },
    shown: shown('Ding', 'dong', { options: { category: 'MARKETING' } }),
  },
  {
    what: 'no level without a class',
    message: texts,
    account: { certificate: '{"notify_level":16}' },
    shown: shown('Ding', 'dong'),
  },
  {
    what: 'the callback URL for receipts',
    message: texts,
    notification: { callbackUrl: 'https://push.example.com/callback/oppo/x' },
    shown: shown('Ding', 'dong', { url: 'https://push.example.com/callback/oppo/x' }),
  },
  {
    what: 'no callback URL if it is too long',
    message: texts,
    notification: { callbackUrl: `https://push.example.com/${'x'.repeat(176)}` },
    shown: shown('Ding', 'dong'),
  },
  {
    what: 'the longest lifetime that OPPO accepts',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 30 * 24 * HOUR_MS) },
    shown: shown('Ding', 'dong', { ttl: 864_000 }),
  },
  {
    what: 'the shortest lifetime if little time is left',
    message: texts,
    notification: { notAfter: new Date(NOW.getTime() + 900) },
    shown: shown('Ding', 'dong', { ttl: 1 }),
  },
  {
    what: 'the time in which the phone shows the notification',
    message: { ...texts, show_end_time: 1_794_747_600n },
    notification: { notAfter: new Date('2026-11-15T13:00:00Z') },
    shown: shown('Ding', 'dong', {
      ttl: 3_599,
      options: { show_time_type: 1, show_start_time: 1_794_744_000_400, show_end_time: 1_794_747_600_000 },
    }),
  },
];
