import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { harmonyBody, harmonyCuts, PAYLOAD_BYTES_MAX } from './payload.ts';

const options = { isTest: false, category: undefined, receiptId: undefined };
const NOW = new Date(0);

const bodyOf = (message: Partial<Message>, tokens: readonly string[] = []) =>
  harmonyBody(
    {
      taskId: 1n,
      deviceId: 64n,
      reference: '1.2.3',
      message: { type: 'text', badge: '+1', ...message },
      badge: undefined,
      notAfter: new Date(3_600_000),
    },
    tokens,
    options,
    NOW,
  );

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly clickAction: { readonly data: Readonly<Record<string, string>> };
}
const read = (body: string) => {
  const { notification } = (JSON.parse(body) as { payload: { notification: Shown } }).payload;
  return { shown: notification, data: notification.clickAction.data };
};
const bytesWithoutTokens = (body: string) => Buffer.byteLength(body) - '[]'.length;

describe('a text that is too long for HarmonyOS', () => {
  test('is cut to the limit, and the data is kept', () => {
    const characters = ['a', '"', '\n', 'é', '钟', '🔔', '👩‍👩‍👧', '\u0001'];
    const text = fc.array(fc.constantFrom(...characters), { minLength: 300, maxLength: 2_000 });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 2_500 }), (parts, extBytes) => {
        const body = bodyOf({ title: 'T', body: parts.join(''), ext: { x: 'x'.repeat(extBytes) } }, ['t1', 't2']);
        assert.ok(bytesWithoutTokens(body) - '"t1","t2"'.length <= PAYLOAD_BYTES_MAX);
        const { shown, data } = read(body);
        const cut = shown.body.replace(/…$/, '');
        assert.ok(parts.join('').startsWith(cut), JSON.stringify(shown.body.slice(-20)));
        assert.equal(data.ext?.length, extBytes + '{"x":""}'.length);
      }),
      { numRuns: 100 },
    );
  });

  test('is cut no more than necessary', () => {
    for (const character of ['x', '钟', '🔔', '"']) {
      const room = PAYLOAD_BYTES_MAX - bytesWithoutTokens(bodyOf({ title: 'T', body: character.repeat(4_096) }));
      const bytes = Buffer.byteLength(JSON.stringify(character)) - 2;
      assert.ok(room >= 0 && room < bytes, `${room} bytes are left for ${character}`);
    }
  });

  test('is measured without the tokens', () => {
    const text = 'x'.repeat(3_000);
    const tokens = Array.from({ length: 512 }, (_, index) => `token-${index}`);
    assert.equal(read(bodyOf({ title: 'T', body: text }, tokens)).shown.body, text);
  });

  test('is not cut because of big_text, which is left out of the data instead', () => {
    const { shown, data } = read(bodyOf({ title: 'T', body: 'b'.repeat(1_000), big_text: 'B'.repeat(3_500) }));
    assert.equal(shown.body, 'b'.repeat(1_000));
    assert.equal(data.big_text, undefined);
  });
});

describe('ext', () => {
  test('is left out of a data-only message that would be too large, and the other data is kept', () => {
    const body = bodyOf({ type: 'cmd', title: 'T', body: 'B', ext: { x: 'x'.repeat(4_000) } });
    assert.ok(bytesWithoutTokens(body) <= PAYLOAD_BYTES_MAX);
    const { extraData } = (JSON.parse(body) as { payload: { extraData: string } }).payload;
    assert.deepEqual(JSON.parse(extraData), { mid: '1', reference: '1.2.3', badge: '+1', title: 'T', body: 'B' });
  });
});

describe('harmonyCuts', () => {
  const cuts = (message: Partial<Message>) => harmonyCuts({ type: 'text', badge: '+1', ...message }, 'en');

  test('reports nothing for a short message', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'short' }), []);
    assert.deepEqual(cuts({ title: 'T', body: 'short', big_text: 'long '.repeat(100) }), []);
    assert.deepEqual(cuts({ type: 'cmd', body: 'x', ext: { a: 1 } }), []);
    assert.deepEqual(cuts({ type: 'image', body: 'x', attachment_url: 'https://example.com/a.png' }), []);
  });

  test('reports how much of a long text is left', () => {
    const message = { title: 'T', body: '安'.repeat(2_000) };
    const [sentence = ''] = cuts(message);
    const left = Number(/^The text is cut to (\d+) of its 2000 characters/.exec(sentence)?.[1]);
    const real = [...read(bodyOf(message)).shown.body].length;
    assert.ok(left > 800 && left <= real && real - left < 200, `${left} of ${real}: ${sentence}`);
  });

  test('reports an image without an https URL', () => {
    assert.match(cuts({ type: 'image', body: 'x', attachment_url: 'http://example.com/a.png' })[0] ?? '', /^The image/);
  });

  test('reports a rejection if there is no text', () => {
    assert.deepEqual(cuts({ ext: { a: 1 } }), ['The message is rejected: HarmonyOS requires a non-empty body.']);
  });

  test('reports data that is left out', () => {
    const sentence = (field: string) =>
      `${field} is left out of the data for the app: HarmonyOS accepts at most 4096 bytes.`;
    for (const type of ['text', 'cmd'] as const)
      assert.deepEqual(cuts({ type, title: 'T', body: 'dong', ext: { a: 'x'.repeat(4_000) } }), [sentence('ext')]);
    assert.deepEqual(cuts({ title: 'T', body: 'dong', big_text: 'x'.repeat(4_000) }), [sentence('big_text')]);
  });

  test('reports a rejection if the message is too large even without a text and its optional data', () => {
    assert.match(cuts({ title: 'T'.repeat(4_000), body: 'x' })[0] ?? '', /^The message is rejected/);
    assert.match(cuts({ type: 'cmd', body: 'x'.repeat(4_000) })[0] ?? '', /^The message is rejected/);
  });
});
