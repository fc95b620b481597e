import type { Message } from '#src/domain/message.ts';
import { fcm } from '#src/vendors/fcm/fcm.ts';
import type { Notification } from '#src/vendors/vendor.ts';

export const credentials = { projectId: 'bells-1', accessToken: 'ya29.opaque' };
export const NOW = new Date('2026-11-15T12:00:00.500Z');
const HOUR_SECONDS = 3_600;
export const TOKEN = `dGhlIGRldmljZSBpdHNlbG:APA91b${'x'.repeat(134)}`;

interface Change {
  readonly message?: Partial<Message>;
  readonly ttlSeconds?: number;
  readonly token?: string;
}

export const notification = ({ message, ttlSeconds = HOUR_SECONDS }: Change): Notification => ({
  taskId: 4_503_599_627_370_497n,
  deviceId: 6_401n,
  reference: '4503599627370497.1.9',
  message: { type: 'text', badge: '+1', ...message },
  badge: undefined,
  notAfter: new Date(NOW.getTime() + ttlSeconds * 1_000 + 499),
});

export const requestOf = (change: Change) =>
  fcm.toRequest(notification(change), [change.token ?? TOKEN], credentials, NOW);

export const path = '/v1/projects/bells-1/messages:send';
export const headers = { authorization: 'Bearer ya29.opaque', 'content-type': 'application/json' };
export const mid = '4503599627370497';
export const data = { mid, reference: '4503599627370497.1.9', badge: '+1' };
/** Fields of every displayed notification. */
const plain = { tag: mid, notification_count: 1, default_sound: true };

interface Golden extends Change {
  readonly what: string;
  readonly data?: object;
  readonly notification?: object;
  readonly android?: object;
  readonly target?: object;
}

const link = 'intent://bells.example/ring#Intent;scheme=bells;action=com.example.RING;S.tower=north;end';
const component = 'intent:#Intent;component=com.example.app/com.example.app.Ring;S.action=no;end';

export const goldens: readonly Golden[] = [
  {
    what: 'title and body',
    message: { title: 'Ding', body: 'dong' },
    notification: { ...plain, title: 'Ding', body: 'dong' },
  },
  { what: 'a body without a title', message: { body: 'dong' }, notification: { ...plain, body: 'dong' } },
  { what: 'a title only', message: { title: 'Ding' }, notification: { ...plain, title: 'Ding' } },
  {
    what: 'an image',
    message: { type: 'image', body: 'look', attachment_url: 'https://example.com/a.png' },
    data: { ...data, attachment_url: 'https://example.com/a.png' },
    notification: { ...plain, body: 'look', image: 'https://example.com/a.png' },
  },
  {
    what: 'an image that Google would not download, only for the app',
    message: { type: 'image', body: 'look', attachment_url: 'http://example.com/a.png' },
    data: { ...data, attachment_url: 'http://example.com/a.png' },
    notification: { ...plain, body: 'look' },
  },
  {
    what: 'a body with the URL of a video, which is only for the app',
    message: { body: 'look', attachment_url: 'https://example.com/a.mp4' },
    data: { ...data, attachment_url: 'https://example.com/a.mp4' },
    notification: { ...plain, body: 'look' },
  },
  {
    what: 'a data-only message, which shows nothing and does not wake the phone',
    message: { type: 'cmd', title: 'T', body: 'B', ext: { do: 'sync' }, fcm: { sound: 'x', channel_id: 'c' } },
    data: { ...data, title: 'T', body: 'B', ext: '{"do":"sync"}' },
    android: { priority: 'NORMAL', ttl: '3600s' },
  },
  {
    what: 'ext as a JSON string that preserves 64-bit integers',
    message: { body: 'b', ext: { id: 9_223_372_036_854_775_807n, from: 'x', 'google.y': { deep: [1] } } },
    data: { ...data, ext: '{"id":9223372036854775807,"from":"x","google.y":{"deep":[1]}}' },
    notification: { ...plain, body: 'b' },
  },
  {
    what: 'no ext if it does not fit',
    message: { title: 'Ding', body: 'dong', ext: { x: 'x'.repeat(4_000) } },
    notification: { ...plain, title: 'Ding', body: 'dong' },
  },
  {
    what: 'body, and big_text only for the app',
    message: { title: 'T', body: 'short', big_text: 'a long story' },
    data: { ...data, body: 'short', big_text: 'a long story' },
    notification: { ...plain, title: 'T', body: 'short' },
  },
  {
    what: 'big_text if there is no body',
    message: { title: 'T', big_text: 'a long story' },
    notification: { ...plain, title: 'T', body: 'a long story' },
  },
  {
    what: 'an incremented badge',
    message: { body: 'b', badge: '+5' },
    data: { ...data, badge: '+5' },
    notification: { ...plain, body: 'b', notification_count: 5 },
  },
  {
    what: 'a badge that is set, also for the app',
    message: { body: 'b', badge: '12' },
    data: { ...data, badge: '12' },
    notification: { ...plain, body: 'b', notification_count: 12 },
  },
  {
    what: 'a cleared badge, only for the app',
    message: { body: 'b', badge: '0' },
    data: { ...data, badge: '0' },
    notification: { tag: mid, default_sound: true, body: 'b' },
  },
  {
    what: 'an unchanged badge',
    message: { body: 'b', badge: '+0' },
    data: { ...data, badge: '+0' },
    notification: { tag: mid, default_sound: true, body: 'b' },
  },
  {
    what: 'all fields for Android',
    message: { body: 'b', android: { sound: 'bell', channel_id: 'chat', click_action: 'intent', intent: link } },
    data: { ...data, intent: link },
    notification: {
      tag: mid,
      notification_count: 1,
      body: 'b',
      sound: 'bell',
      channel_id: 'chat',
      click_action: 'com.example.RING',
    },
  },
  {
    what: 'fields in fcm, which override the same fields in android',
    message: {
      body: 'b',
      android: { sound: 'bell', channel_id: 'chat', click_action: 'intent', intent: link },
      fcm: { sound: 'default', click_action: 'open_app' },
    },
    notification: { ...plain, body: 'b', channel_id: 'chat' },
  },
  {
    what: 'an intent without an action, only for the app',
    message: { body: 'b', fcm: { click_action: 'intent', intent: component } },
    data: { ...data, intent: component },
    notification: { ...plain, body: 'b' },
  },
  {
    what: 'no sound',
    message: { body: 'b', android: { sound: 'none' } },
    notification: { tag: mid, notification_count: 1, body: 'b' },
  },
  {
    what: 'no fields for other vendors',
    message: {
      body: 'b',
      ios: { sound: 'x', category: 'c', thread_id: 't', subtitle: 's', apns_collapse_id: 'i', mutable_content: true },
      huawei: { badge_class: 'b', category: 'IM', sound: 'x' },
      vivo: { push_mode: 1, classification: 1 },
      show_begin_time: 1n,
      show_end_time: 2n,
    },
    notification: { ...plain, body: 'b' },
  },
  {
    what: 'an installation ID in the fid field',
    message: { body: 'b' },
    token: 'cGhvbmUtb2Ytc29tZW9uZ_',
    target: { fid: 'cGhvbmUtb2Ytc29tZW9uZ_' },
    notification: { ...plain, body: 'b' },
  },
  {
    what: 'a string that is too short for an installation id, as a token',
    message: { body: 'b' },
    token: 'dead-1"',
    target: { token: 'dead-1"' },
    notification: { ...plain, body: 'b' },
  },
  {
    what: 'a lifetime of at most four weeks',
    message: { body: 'b' },
    ttlSeconds: 40 * 24 * HOUR_SECONDS,
    android: { priority: 'HIGH', ttl: '2419200s', notification: { ...plain, body: 'b' } },
  },
  {
    what: 'a lifetime of zero after the expiry time',
    message: { body: 'b' },
    ttlSeconds: -5,
    android: { priority: 'HIGH', ttl: '0s', notification: { ...plain, body: 'b' } },
  },
];
