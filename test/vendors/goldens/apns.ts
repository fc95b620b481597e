import type { Message } from '#src/domain/message.ts';
import { apns } from '#src/vendors/apns/apns.ts';
import type { Notification } from '#src/vendors/vendor.ts';

export const credentials = { topic: 'com.example.bells', providerToken: 'signed' };
export const NOW = new Date('2026-11-15T12:00:00Z');
const NOT_AFTER_SECONDS = 1_800_000_000;

export const notification = (message: Partial<Message>, badge?: number): Notification => ({
  taskId: 4_503_599_627_370_497n,
  deviceId: 6_401n,
  reference: '4503599627370497.1.9',
  message: { type: 'text', badge: '+1', ...message },
  badge,
  notAfter: new Date(NOT_AFTER_SECONDS * 1_000 + 999),
});

export const requestOf = (message: Partial<Message>, badge?: number) =>
  apns.toRequest(notification(message, badge), ['a1b2c3'], credentials, NOW);

/** The headers of a displayed notification. */
export const shown = {
  authorization: 'bearer signed',
  'apns-topic': 'com.example.bells',
  // SHA-256 of `task.device`, with the version and variant bits of a version 8 UUID; computed with Python.
  'apns-id': 'fed64fe3-5e75-83a6-ae52-ef23182e60a7',
  'apns-expiration': '1800000000',
  'apns-push-type': 'alert',
  'apns-priority': '10',
  'apns-collapse-id': '4503599627370497',
};
const mid = '4503599627370497';
const reference = '4503599627370497.1.9';

interface Golden {
  readonly what: string;
  readonly message: Partial<Message>;
  readonly badge?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

export const goldens: readonly Golden[] = [
  {
    what: 'title and body',
    message: { title: 'Ding', body: 'dong' },
    body: { aps: { alert: { title: 'Ding', body: 'dong' }, sound: 'default' }, mid, reference },
  },
  {
    what: 'a body without a title',
    message: { body: 'dong' },
    body: { aps: { alert: { body: 'dong' }, sound: 'default' }, mid, reference },
  },
  {
    what: 'an image, with mutable-content so that the app can download it',
    message: { type: 'image', body: 'look', attachment_url: 'https://example.com/a.png' },
    body: {
      aps: { alert: { body: 'look' }, sound: 'default', 'mutable-content': 1 },
      mid,
      reference,
      attachment_url: 'https://example.com/a.png',
    },
  },
  {
    what: 'a data-only message without an alert or a sound',
    message: { type: 'cmd', title: 'T', body: 'B', ext: { do: 'sync' }, ios: { sound: 'x', subtitle: 's' } },
    badge: 3,
    headers: { 'apns-push-type': 'background', 'apns-priority': '5' },
    body: { aps: { 'content-available': 1 }, mid, reference, badge: '+1', title: 'T', body: 'B', ext: { do: 'sync' } },
  },
  {
    what: 'an incremented badge',
    message: { body: 'b', badge: '+5' },
    badge: 12,
    body: { aps: { alert: { body: 'b' }, badge: 12, sound: 'default' }, mid, reference },
  },
  {
    what: 'a cleared badge',
    message: { body: 'b', badge: '0' },
    badge: 0,
    body: { aps: { alert: { body: 'b' }, badge: 0, sound: 'default' }, mid, reference },
  },
  {
    what: 'body, and big_text only for the app',
    message: { title: 'T', body: 'short', big_text: 'a long story' },
    body: {
      ...{ aps: { alert: { title: 'T', body: 'short' }, sound: 'default' }, mid, reference },
      ...{ body: 'short', big_text: 'a long story' },
    },
  },
  {
    what: 'big_text if there is no body',
    message: { title: 'T', big_text: 'a long story' },
    body: { aps: { alert: { title: 'T', body: 'a long story' }, sound: 'default' }, mid, reference },
  },
  {
    what: 'all fields for iOS',
    message: {
      title: 'T',
      body: 'B',
      ios: {
        sound: 'bell.caf',
        content_available: true,
        mutable_content: true,
        category: 'INVITE',
        thread_id: 'c1',
        subtitle: 'S',
        apns_collapse_id: 'score',
      },
    },
    headers: { 'apns-collapse-id': 'score' },
    body: {
      aps: {
        alert: { title: 'T', subtitle: 'S', body: 'B' },
        sound: 'bell.caf',
        category: 'INVITE',
        'thread-id': 'c1',
        'content-available': 1,
        'mutable-content': 1,
      },
      mid,
      reference,
    },
  },
  {
    what: 'no sound, and no disabled options',
    message: { body: 'B', ios: { sound: 'none', content_available: false, mutable_content: false } },
    body: { aps: { alert: { body: 'B' } }, mid, reference },
  },
  {
    what: 'no fields for Android',
    message: {
      body: 'B',
      android: { sound: 'x', channel_id: 'c', click_action: 'intent', intent: 'i' },
      huawei: { badge_class: 'b' },
      vivo: { push_mode: 1 },
    },
    body: { aps: { alert: { body: 'B' }, sound: 'default' }, mid, reference },
  },
  {
    what: 'a body with the URL of a video, which is only for the app',
    message: { body: 'look', attachment_url: 'https://example.com/a.mp4' },
    body: {
      aps: { alert: { body: 'look' }, sound: 'default' },
      mid,
      reference,
      attachment_url: 'https://example.com/a.mp4',
    },
  },
  {
    what: '64-bit integers for the app, with all digits',
    message: { body: 'b', ext: { n: 9_007_199_254_740_991, deep: { list: [1, 'x', null] } } },
    body: {
      aps: { alert: { body: 'b' }, sound: 'default' },
      mid,
      reference,
      ext: { n: 9_007_199_254_740_991, deep: { list: [1, 'x', null] } },
    },
  },
  {
    what: 'no ext if it does not fit',
    message: { title: 'Ding', body: 'dong', ext: { x: 'x'.repeat(4_000) } },
    body: { aps: { alert: { title: 'Ding', body: 'dong' }, sound: 'default' }, mid, reference },
  },
  {
    what: 'a collapse id with non-ASCII characters',
    message: { body: 'b', ios: { apns_collapse_id: '比分' } },
    headers: { 'apns-collapse-id': 'æ¯\u0094å\u0088\u0086' },
    body: { aps: { alert: { body: 'b' }, sound: 'default' }, mid, reference },
  },
];
