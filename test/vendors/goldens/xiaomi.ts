import type { Message } from '#src/domain/message.ts';
import type { Notification, VendorAccount } from '#src/vendors/vendor.ts';

export const NOW = new Date('2026-11-15T12:00:00.400Z');
const HOUR_MS = 3_600_000;

export const account = (change: Partial<VendorAccount> = {}): VendorAccount => ({
  appId: 'bells',
  environment: 1,
  vendorAppId: '2882303761510000001',
  appKey: '5761510000001',
  appSecret: 'a/b+c==',
  certificate: '{"package_names":["com.example"]}',
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

export const headers = {
  authorization: 'key=a/b+c==',
  'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
};

const ids = '"mid":"4503599627370497","reference":"4503599627370497.1.9","badge":"+1"';
const intent = 'intent:#Intent;component=com.example/com.example.Page;S.room=7;end';
const open = { 'extra.notify_effect': '1' };
const key = { 'extra.jobkey': '4503599627370497' };
const param = { 'extra.callback.param': '4503599627370497.1.9' };

/** Builds the fields of a form in the order in which they are sent. */
const form = (
  title: string,
  description: string,
  change: { payload?: string; ttl?: string; packages?: string; extras?: object; callback?: object } = {},
): Readonly<Record<string, string>> => ({
  registration_id: 'r+1/=,r2',
  restricted_package_name: change.packages ?? 'com.example',
  title,
  description,
  payload: change.payload ?? `{${ids}}`,
  time_to_live: change.ttl ?? '3600000',
  notify_id: '2097154',
  ...(change.extras ?? open),
  ...key,
  ...(change.callback ?? param),
});

interface Golden {
  readonly what: string;
  readonly message: Partial<Message>;
  readonly notification?: Partial<Notification>;
  readonly account?: Partial<VendorAccount>;
  readonly form: Readonly<Record<string, string>>;
}

export const goldens: readonly Golden[] = [
  { what: 'title and body', message: { title: 'Ding', body: 'dong' }, form: form('Ding', 'dong') },
  {
    what: 'a body with characters that forms must escape',
    message: { title: 'a+b&c=d', body: '100% 你好+a&b' },
    form: form('a+b&c=d', '100% 你好+a&b'),
  },
  {
    what: 'a body without a title; the beginning of the body becomes the title',
    message: { body: `${'dong '.repeat(8)}dong` },
    form: form(`${'dong '.repeat(7)}dong…`, `${'dong '.repeat(8)}dong`),
  },
  {
    what: 'a title without a body; the title becomes the body',
    message: { title: 'Ding' },
    form: form('Ding', 'Ding'),
  },
  {
    what: "a title and a body that are cut to Xiaomi's limits",
    message: { title: '钟'.repeat(50), body: '👩‍👩‍👧'.repeat(30) },
    form: form(`${'钟'.repeat(48)}…`, `${'👩‍👩‍👧'.repeat(25)}…`),
  },
  {
    what: 'a title and a body of the maximum length',
    message: { title: '钟'.repeat(49), body: '🔔'.repeat(127) },
    form: form('钟'.repeat(49), '🔔'.repeat(127)),
  },
  {
    what: 'big_text instead of body',
    message: { title: 'Ding', body: 'dong', big_text: 'dong dong dong' },
    form: form('Ding', 'dong dong dong', { extras: { ...open, 'extra.notification_style_type': '1' } }),
  },
  {
    what: 'an image, only for the app',
    message: { type: 'image', title: 'Ding', body: 'dong', attachment_url: 'https://example.com/a.png' },
    form: form('Ding', 'dong', { payload: `{${ids},"attachment_url":"https://example.com/a.png"}` }),
  },
  {
    what: 'ext with all digits of its integers',
    message: { title: 'Ding', body: 'dong', ext: { id: 9_223_372_036_854_775_807n, to: 'a"b' } },
    form: form('Ding', 'dong', {
      payload: `{${ids},"ext":"{\\"id\\":9223372036854775807,\\"to\\":\\"a\\\\\\"b\\"}"}`,
    }),
  },
  {
    what: 'no ext if it does not fit',
    message: { title: 'Ding', body: 'dong', ext: { x: 'x'.repeat(4_000) } },
    form: form('Ding', 'dong'),
  },
  {
    what: 'the badge only for the app, because the launcher counts notifications',
    message: { title: 'Ding', body: 'dong', badge: '7' },
    form: form('Ding', 'dong', { payload: `{${ids.replace('+1', '7')}}` }),
  },
  {
    what: 'sound and intent, where xiaomi overrides android',
    message: {
      title: 'Ding',
      body: 'dong',
      android: { sound: 'none', click_action: 'open_app' },
      xiaomi: { sound: 'bell.mp3', click_action: 'intent', intent },
    },
    // The demo app of the simulator has another package.
    account: { certificate: '{"package_names":["com.example.carillon","com.example.other"]}' },
    form: form('Ding', 'dong', {
      packages: 'com.example.carillon,com.example.other',
      extras: {
        'extra.notify_effect': '2',
        'extra.intent_uri': intent,
        'extra.sound_uri': 'android.resource://com.example.carillon/raw/bell',
      },
    }),
  },
  {
    what: 'no custom sound for none and default',
    message: { title: 'Ding', body: 'dong', android: { sound: 'none' }, xiaomi: { sound: 'default' } },
    form: form('Ding', 'dong'),
  },
  {
    what: 'the channel in the xiaomi object',
    message: { title: 'Ding', body: 'dong', android: { channel_id: 'all' }, xiaomi: { channel_id: '100123' } },
    account: { certificate: '{"package_names":["com.example"],"channel_id":"100200"}' },
    form: form('Ding', 'dong', { extras: { ...open, 'extra.channel_id': '100123' } }),
  },
  {
    what: 'the channel in the credentials, not the channel in android',
    message: { title: 'Ding', body: 'dong', android: { channel_id: 'all' } },
    account: { certificate: '{"package_names":["com.example"],"channel_id":"100200"}' },
    form: form('Ding', 'dong', { extras: { ...open, 'extra.channel_id': '100200' } }),
  },
  {
    what: 'the template in the credentials, with the title and the text as variables and a lifetime of ten days',
    message: { title: 'Ding 🔔', body: '🎉' },
    notification: { notAfter: new Date(NOW.getTime() + 30 * 24 * HOUR_MS) },
    account: { certificate: '{"package_names":["com.example"],"channel_id":"100124","template_id":"P10001"}' },
    form: form('Ding 🔔', '🎉', {
      ttl: '864000000',
      extras: {
        ...open,
        'extra.channel_id': '100124',
        'extra.template_id': 'P10001',
        'extra.template_param': '{"keywords1":"Ding","keywords2":"-"}',
      },
    }),
  },
  {
    what: 'the variables of the template with the values of the fields that the credentials name',
    message: { title: 'Ding', body: 'dong', ext: { order: 9_223_372_036_854_775_807n, deep: {} } },
    account: {
      certificate: JSON.stringify({
        ...{ package_names: ['com.example'], channel_id: '100124', template_id: 'P10001' },
        template_variables: { name: 'title', text: 'body', order: 'ext.order', none: 'ext.deep' },
      }),
    },
    form: form('Ding', 'dong', {
      payload: `{${ids},"ext":"{\\"order\\":9223372036854775807,\\"deep\\":{}}"}`,
      extras: {
        ...open,
        'extra.channel_id': '100124',
        'extra.template_id': 'P10001',
        'extra.template_param': '{"name":"Ding","text":"dong","order":"9223372036854775807","none":"-"}',
      },
    }),
  },
  {
    what: 'the callback URL for receipts',
    message: { title: 'Ding', body: 'dong' },
    notification: { callbackUrl: 'https://push.example.com/callback/xiaomi/x' },
    form: form('Ding', 'dong', {
      callback: {
        'extra.callback': 'https://push.example.com/callback/xiaomi/x',
        ...param,
        'extra.callback.type': '1171',
      },
    }),
  },
  {
    what: 'no callback URL if it is too long',
    message: { title: 'Ding', body: 'dong' },
    notification: { callbackUrl: `https://push.example.com/${'x'.repeat(104)}` },
    form: form('Ding', 'dong'),
  },
  {
    what: 'the longest lifetime that Xiaomi accepts',
    message: { title: 'Ding', body: 'dong' },
    notification: { notAfter: new Date(NOW.getTime() + 30 * 24 * HOUR_MS) },
    form: form('Ding', 'dong', { ttl: '86400000' }),
  },
  {
    what: 'the shortest lifetime if little time is left',
    message: { title: 'Ding', body: 'dong' },
    notification: { notAfter: new Date(NOW.getTime() + 900) },
    form: form('Ding', 'dong', { ttl: '1000' }),
  },
];

/** The request that recalls the notification of a task. */
export const recall = {
  taskId: 4_503_599_627_370_497n,
  path: '/v3/message/regid/revoke',
  headers,
  body: 'registration_ids=r%2B1%2F%3D%2Cr2&restricted_package_name=com.example&notify_id=2097154',
};
