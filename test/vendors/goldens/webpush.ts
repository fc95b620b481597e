import type { Message } from '#src/domain/message.ts';
import type { Notification } from '#src/vendors/vendor.ts';
import { checkWebPushCertificate, webPushCredentials } from '#src/vendors/webpush/credentials.ts';
import { webpush } from '#src/vendors/webpush/webpush.ts';
import { TestBrowser } from '../web-push-peers.ts';

export const NOW = new Date('2026-11-15T12:00:00.500Z');
const HOUR_SECONDS = 3_600;
export const PAGE = 'https://bells.example.com/';

const { expiresAt: _, ...stored } = checkWebPushCertificate({
  vendorAppId: 'mailto:push@example.com',
  appKey: '',
  appSecret: '',
  certificate: JSON.stringify({ navigate: PAGE }),
});
export const account = { appId: 'bells', environment: 1, version: 1, ...stored } as const;
export const credentials = webPushCredentials(account);

/** The browser that receives the requests. It decrypts them with another implementation. */
export const browser = new TestBrowser('https://fcm.googleapis.com/fcm/send/c0ffee:APA91b-x?y=1');
export const TOKEN = JSON.stringify(browser.subscription);

interface Change {
  readonly message?: Partial<Message>;
  readonly ttlSeconds?: number;
  readonly badge?: number;
}

export const notification = ({ message, ttlSeconds = HOUR_SECONDS, badge }: Change): Notification => ({
  taskId: 4_503_599_627_370_497n,
  deviceId: 6_401n,
  reference: '4503599627370497.1.9',
  message: { type: 'text', badge: '+1', ...message },
  badge,
  notAfter: new Date(NOW.getTime() + ttlSeconds * 1_000 + 499),
});

/** Returns a request with its body decrypted. The header `Authorization` is left out, because it differs each time. */
export function requestOf(change: Change) {
  const { bytes, headers, ...rest } = webpush.toRequest(notification(change), [TOKEN], credentials, NOW);
  const { authorization, ...others } = headers;
  return { ...rest, headers: others, authorization, payload: JSON.parse(browser.decrypt(bytes as Buffer)) as object };
}

export const mid = '4503599627370497';
export const headers = {
  'content-encoding': 'aes128gcm',
  'content-type': 'application/octet-stream',
  ttl: '3600',
  urgency: 'high',
  topic: mid,
};
export const data = { mid, reference: '4503599627370497.1.9' };
/** Fields of every displayed notification. */
const plain = { navigate: PAGE, tag: mid };

interface Golden extends Change {
  readonly what: string;
  readonly notification: object;
  readonly data?: object;
  readonly headers?: object;
}

export const goldens: readonly Golden[] = [
  {
    what: 'title and body',
    message: { title: 'Ding', body: 'dong' },
    notification: { ...plain, title: 'Ding', body: 'dong' },
  },
  {
    what: 'a body without a title, which Safari requires',
    message: { body: 'dong' },
    notification: { ...plain, title: 'dong', body: 'dong' },
  },
  { what: 'a title only', message: { title: 'Ding' }, notification: { ...plain, title: 'Ding' } },
  {
    what: 'a title from the first 40 characters of a long text',
    message: { body: 'B'.repeat(50) },
    notification: { ...plain, title: `${'B'.repeat(39)}…`, body: 'B'.repeat(50) },
  },
  {
    what: 'an image',
    message: { type: 'image', title: 'T', body: 'look', attachment_url: 'https://example.com/a.png' },
    notification: { ...plain, title: 'T', body: 'look', image: 'https://example.com/a.png' },
    data: { ...data, attachment_url: 'https://example.com/a.png' },
  },
  {
    what: 'an image that browsers would not load, only for the service worker',
    message: { type: 'image', title: 'T', attachment_url: 'http://example.com/a.png' },
    notification: { ...plain, title: 'T' },
    data: { ...data, attachment_url: 'http://example.com/a.png' },
  },
  {
    what: 'a long text, which is displayed only without a body',
    message: { title: 'T', big_text: 'long' },
    notification: { ...plain, title: 'T', body: 'long' },
  },
  {
    what: 'a long text next to a body',
    message: { title: 'T', body: 'short', big_text: 'long' },
    notification: { ...plain, title: 'T', body: 'short' },
    data: { ...data, body: 'short', big_text: 'long' },
  },
  {
    what: 'custom fields',
    message: { title: 'T', ext: { room: 1, nested: { a: ['b'] } } },
    notification: { ...plain, title: 'T' },
    data: { ...data, ext: { room: 1, nested: { a: ['b'] } } },
  },
  {
    what: 'the badge that Carillon counts',
    message: { title: 'T' },
    badge: 7,
    notification: { ...plain, title: 'T', app_badge: 7 },
  },
  {
    what: 'an absolute badge, also without a counted one',
    message: { title: 'T', badge: '0' },
    notification: { ...plain, title: 'T', app_badge: 0 },
  },
  {
    what: 'its own parameters',
    message: {
      title: 'T',
      webpush: {
        navigate: 'https://bells.example.com/tower',
        icon: 'https://bells.example.com/icon.png',
        lang: 'en-GB',
        dir: 'rtl',
        silent: true,
        urgency: 'low',
        tag: 'tower_1',
      },
    },
    notification: {
      title: 'T',
      navigate: 'https://bells.example.com/tower',
      lang: 'en-GB',
      dir: 'rtl',
      silent: true,
      tag: 'tower_1',
      icon: 'https://bells.example.com/icon.png',
    },
    headers: { urgency: 'low', topic: 'tower_1' },
  },
  {
    what: 'a tag that is not a valid topic, with its hash as the topic',
    message: { title: 'T', webpush: { tag: 'the tower, north' } },
    notification: { ...plain, title: 'T', tag: 'the tower, north' },
    headers: { topic: 'I6AVwdwYlVUToQKue6M2hUMJC8rG2u15' },
  },
  {
    what: 'no fields for other vendors',
    message: {
      title: 'T',
      ios: { sound: 'x', apns_collapse_id: 'i' },
      android: { sound: 'x', channel_id: 'c' },
      fcm: { sound: 'y' },
      show_begin_time: 1n,
      show_end_time: 2n,
    },
    notification: { ...plain, title: 'T' },
  },
  {
    what: 'a lifetime of at most four weeks',
    message: { title: 'T' },
    ttlSeconds: 40 * 24 * HOUR_SECONDS,
    notification: { ...plain, title: 'T' },
    headers: { ttl: '2419200' },
  },
  {
    what: 'a lifetime of at least one second, because Windows does not keep a message with 0',
    message: { title: 'T' },
    ttlSeconds: -5,
    notification: { ...plain, title: 'T' },
    headers: { ttl: '1' },
  },
];
