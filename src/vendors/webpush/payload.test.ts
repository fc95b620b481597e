import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '#src/domain/message.ts';
import { NOW, PAGE } from '../../../test/vendors/goldens/webpush.ts';
import { webPushCuts, webPushPayload, webPushTopic } from './payload.ts';

const BYTES_MAX = 3_993;

const notificationOf = (message: Partial<Message>) => ({
  taskId: 1n,
  deviceId: 1n,
  reference: '1.2.3',
  message: { type: 'text', badge: '+1', ...message } as const,
  badge: 1,
  notAfter: NOW,
});
const payloadOf = (message: Partial<Message>) => webPushPayload(notificationOf(message), PAGE);
const read = (payload: string) =>
  (JSON.parse(payload) as { notification: { body?: string; title: string; data: Record<string, unknown> } })
    .notification;

describe('payload that would be larger than 3,993 bytes', () => {
  for (const [what, text] of [
    ['English', 'x'.repeat(4_096)],
    ['Chinese', '安'.repeat(2_000)],
    ['emoji', '👨‍👩‍👧‍👦'.repeat(300)],
    ['quotes, which JSON doubles', '"\n\\'.repeat(1_300)],
  ] as const)
    test(`has a shorter text: ${what}`, () => {
      const payload = payloadOf({ title: 'Title', body: text, ext: { n: 1 } });
      assert.ok(Buffer.byteLength(payload) <= BYTES_MAX, `${Buffer.byteLength(payload)} bytes`);
      const { title, body, data } = read(payload);
      assert.match(body ?? '', /…$/);
      assert.ok(text.startsWith((body ?? '').slice(0, -1)));
      assert.deepEqual({ title, data }, { title: 'Title', data: { mid: '1', reference: '1.2.3', ext: { n: 1 } } });
    });

  test('is unchanged at exactly 3,993 bytes, and cut if it is one byte longer', () => {
    const room = BYTES_MAX - Buffer.byteLength(payloadOf({ title: 'T', body: 'x' })) + 1;
    const whole = payloadOf({ title: 'T', body: 'x'.repeat(room) });
    assert.equal(Buffer.byteLength(whole), BYTES_MAX);
    assert.equal(read(whole).body, 'x'.repeat(room));
    assert.match(read(payloadOf({ title: 'T', body: 'x'.repeat(room + 1) })).body ?? '', /x…$/);
  });

  test('loses ext, and not the text, if ext leaves no room for 40 characters', () => {
    const { body, data } = read(payloadOf({ title: 'T', body: 'short', ext: { x: 'x'.repeat(3_900) } }));
    assert.equal(body, 'short');
    assert.deepEqual(data, { mid: '1', reference: '1.2.3' });
  });
});

describe('predicted truncation', () => {
  const cuts = (message: Partial<Message>) => webPushCuts({ type: 'text', badge: '+1', ...message }, 'en');

  test('is empty for a short message', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'short', ext: { a: 1 } }), []);
  });

  test('states how much of a long text is left', () => {
    const [sentence] = cuts({ title: 'T', body: '安'.repeat(2_000) });
    const [, left] =
      /^The text is cut to (\d+) of its 2000 characters: .* 3993 bytes\.$/.exec(sentence as string) ?? [];
    const shown = [...(read(payloadOf({ title: 'T', body: '安'.repeat(2_000) })).body ?? '')].length;
    assert.ok(Number(left) > 1_000 && Number(left) <= shown, `${left} of ${shown}`);
  });

  test('reports an ext that is left out, a hidden big_text and an image without https', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'b', ext: { a: 'x'.repeat(3_900) } }), [
      'ext is left out of the data for the app: Web Push allows at most 3993 bytes.',
    ]);
    assert.deepEqual(cuts({ title: 'T', body: 'b', big_text: 'long' }), [
      'big_text is not displayed: Web Push does not support it.',
    ]);
    assert.deepEqual(cuts({ type: 'image', title: 'T', attachment_url: 'http://example.com/a.png' }), [
      'The image is left out: browsers load images only over https.',
    ]);
  });

  test('reports a possible rejection if the URLs alone are too long', () => {
    const url = `https://example.com/${'x'.repeat(2_000)}`;
    assert.match(cuts({ title: 'T', body: 'b', webpush: { navigate: url, icon: url } })[0] ?? '', /may be rejected/);
  });
});

test('a topic is the task ID, a short tag, or the hash of another tag', () => {
  const topicOf = (tag?: string) => webPushTopic(notificationOf(tag === undefined ? {} : { webpush: { tag } }));
  assert.equal(topicOf(), '1');
  assert.equal(topicOf('north-tower_1'), 'north-tower_1');
  for (const tag of ['x'.repeat(33), 'a b', '钟']) assert.match(topicOf(tag), /^[\w-]{32}$/);
  assert.notEqual(topicOf('a b'), topicOf('a c'));
});
