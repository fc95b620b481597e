import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '#src/domain/message.ts';
import type { Notification } from '../vendor.ts';
import { apns } from './apns.ts';

const credentials = { topic: 'com.example.bells', providerToken: 'signed' };
const NOT_AFTER_SECONDS = 1_800_000_000;

const notification = (message: Partial<Message>, badge?: number): Notification => ({
  taskId: 4_503_599_627_370_497n,
  deviceId: 6_401n,
  reference: '4503599627370497.1.9',
  message: { type: 'text', badge: '+1', ...message },
  badge,
  notAfter: new Date(NOT_AFTER_SECONDS * 1_000 + 999),
});

const requestOf = (message: Partial<Message>, badge?: number) =>
  apns.toRequest(notification(message, badge), 'a1b2c3', credentials);

/** The headers of a notification that is shown. */
const shown = {
  authorization: 'bearer signed',
  'apns-topic': 'com.example.bells',
  // SHA-256 of `task.device`, with the bits that make it a UUID of version 8; worked out with Python.
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

const goldens: readonly Golden[] = [
  {
    what: 'a text',
    message: { title: 'Ding', body: 'dong' },
    body: { aps: { alert: { title: 'Ding', body: 'dong' }, sound: 'default' }, mid, reference },
  },
  {
    what: 'a text without a title',
    message: { body: 'dong' },
    body: { aps: { alert: { body: 'dong' }, sound: 'default' }, mid, reference },
  },
  {
    what: 'an image, which the app must be woken to fetch',
    message: { type: 'image', body: 'look', attachment_url: 'https://example.com/a.png' },
    body: {
      aps: { alert: { body: 'look' }, sound: 'default', 'mutable-content': 1 },
      mid,
      reference,
      attachment_url: 'https://example.com/a.png',
    },
  },
  {
    what: 'a command, which shows and sounds nothing',
    message: { type: 'cmd', title: 'T', body: 'B', ext: { do: 'sync' }, ios: { sound: 'x', subtitle: 's' } },
    badge: 3,
    headers: { 'apns-push-type': 'background', 'apns-priority': '5' },
    body: { aps: { 'content-available': 1 }, mid, reference, ext: { do: 'sync' } },
  },
  {
    what: 'a badge that was moved',
    message: { body: 'b', badge: '+5' },
    badge: 12,
    body: { aps: { alert: { body: 'b' }, badge: 12, sound: 'default' }, mid, reference },
  },
  {
    what: 'a badge that was cleared',
    message: { body: 'b', badge: '0' },
    badge: 0,
    body: { aps: { alert: { body: 'b' }, badge: 0, sound: 'default' }, mid, reference },
  },
  {
    what: 'a large text instead of the short one',
    message: { title: 'T', body: 'short', big_text: 'a long story' },
    body: { aps: { alert: { title: 'T', body: 'a long story' }, sound: 'default' }, mid, reference },
  },
  {
    what: 'everything that is said for iOS',
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
    what: 'no sound, and what is off stays out',
    message: { body: 'B', ios: { sound: 'none', content_available: false, mutable_content: false } },
    body: { aps: { alert: { body: 'B' } }, mid, reference },
  },
  {
    what: 'nothing that is said for Android',
    message: {
      body: 'B',
      android: { sound: 'x', channel_id: 'c', click_action: 'intent', intent: 'i' },
      huawei: { badge_class: 'b' },
      vivo: { push_mode: 1 },
    },
    body: { aps: { alert: { body: 'B' }, sound: 'default' }, mid, reference },
  },
];

describe('a request to Apple carries', () => {
  for (const { what, message, badge, headers, body } of goldens) {
    test(what, () => {
      const request = requestOf(message, badge);
      assert.deepEqual(JSON.parse(request.body), body);
      assert.deepEqual(request.headers, { ...shown, ...headers });
      assert.equal(request.path, '/3/device/a1b2c3');
    });
  }
});

test('a request of an account with a push certificate says nothing of who we are: the connection has said it', () => {
  const silent = { ...credentials, providerToken: undefined };
  const { headers } = apns.toRequest(notification({ body: 'dong' }), 'a1b2c3', silent);
  const { authorization: _, ...expected } = shown;
  assert.deepEqual(headers, expected);
});

describe('a notification sent twice', () => {
  const idOf = (ids: Partial<Notification>) =>
    apns.toRequest({ ...notification({ body: 'b' }), ...ids }, 'a1b2c3', credentials).headers['apns-id'] as string;

  test('has the same id each time, as Apple writes ids', () => {
    assert.equal(idOf({}), idOf({}));
    assert.match(idOf({}), /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('has another id than one to another device or of another task', () => {
    const ids = [idOf({}), idOf({ deviceId: 6_402n }), idOf({ taskId: 4_503_599_627_370_498n })];
    // 1 and 23 must not be taken for 12 and 3.
    ids.push(idOf({ taskId: 1n, deviceId: 23n }), idOf({ taskId: 12n, deviceId: 3n }));
    assert.equal(new Set(ids).size, ids.length);
  });
});

test('a token cannot lead to another path', () => {
  const { path } = apns.toRequest(notification({ body: 'b' }), '../x?y#z', credentials);
  assert.equal(path, '/3/device/..%2Fx%3Fy%23z');
});

test('Apple takes one token a request and 4,096 bytes', () => {
  assert.deepEqual(apns.limits, { tokensPerRequest: 1, payloadBytesMax: 4_096 });
});
