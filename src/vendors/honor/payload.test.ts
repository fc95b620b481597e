import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { honorBody, honorCuts, PAYLOAD_BYTES_MAX } from './payload.ts';

const bodyOf = (message: Partial<Message>, tokens: readonly string[] = []) =>
  honorBody(
    {
      taskId: 1n,
      deviceId: 64n,
      reference: '1.2.3',
      message: { type: 'text', badge: '+1', ...message },
      badge: undefined,
      notAfter: new Date(3_600_000),
    },
    tokens,
    { isTest: false, importance: 'NORMAL' },
    new Date(0),
  );

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly style?: number;
  readonly bigBody?: string;
}
const shownOf = (body: string) => (JSON.parse(body) as { android: { notification: Shown } }).android.notification;
const dataOf = (body: string) => JSON.parse((JSON.parse(body) as { data: string }).data) as { ext?: string };
const bytesWithoutTokens = (body: string) => Buffer.byteLength(body) - '[]'.length;

/** Graphemes: a reader sees each of them as one character. */
const characters = ['a', '"', '\n', 'é', 'e\u0301', '钟', '🔔', '👩‍👩‍👧', '🇩🇪', '👍🏽', '\u0001', '…'];
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const split = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment);

describe('a text that is too long for Honor', () => {
  test('is cut to the limit without splitting a grapheme', () => {
    const text = fc.array(fc.constantFrom(...characters), { minLength: 300, maxLength: 2_000 });
    fc.assert(
      fc.property(text, fc.boolean(), fc.integer({ min: 0, max: 2_500 }), (parts, isLarge, extBytes) => {
        const whole = parts.join('');
        const body = bodyOf({ title: 'T', [isLarge ? 'big_text' : 'body']: whole, ext: { x: 'x'.repeat(extBytes) } });
        assert.ok(bytesWithoutTokens(body) <= PAYLOAD_BYTES_MAX, `${bytesWithoutTokens(body)} bytes`);
        const { body: shown, bigBody = shown } = shownOf(body);
        assert.equal(bigBody, shown, 'the folded and the expanded text are equal');
        const [shownGraphemes, all] = [split(shown.replace(/…$/, '')), split(whole)];
        assert.ok(shown === whole || shownGraphemes.every((character, index) => character === all[index]));
      }),
      { numRuns: 100 },
    );
  });

  test('is cut no more than necessary', () => {
    for (const character of ['x', '钟', '🔔', '👩‍👩‍👧', '"']) {
      for (const [field, times] of [
        ['body', 1],
        ['big_text', 2],
      ] as const) {
        const room = PAYLOAD_BYTES_MAX - bytesWithoutTokens(bodyOf({ title: 'T', [field]: character.repeat(4_096) }));
        const bytes = (Buffer.byteLength(JSON.stringify(character)) - 2) * times;
        assert.ok(room >= 0 && room < bytes + times, `${room} bytes are left for ${character} in ${field}`);
      }
    }
  });

  test('is measured without the tokens', () => {
    const tokens = Array.from({ length: 512 }, (_, index) => `token-${index}`);
    assert.equal(shownOf(bodyOf({ title: 'T', body: 'x'.repeat(3_000) }, tokens)).body, 'x'.repeat(3_000));
  });
});

describe('ext', () => {
  test('is left out, and not the text, if it leaves no room for 40 characters of the text', () => {
    const shortest = `${'B'.repeat(39)}…`;
    const room = PAYLOAD_BYTES_MAX - bytesWithoutTokens(bodyOf({ title: 'T', body: shortest, ext: { x: '' } }));
    const partsFor = (bytes: number) => {
      const body = bodyOf({ title: 'T', body: 'B'.repeat(100), ext: { x: 'x'.repeat(bytes) } });
      return [dataOf(body).ext, shownOf(body).body];
    };
    assert.deepEqual(partsFor(room), [JSON.stringify({ x: 'x'.repeat(room) }), shortest]);
    assert.deepEqual(partsFor(room + 1), [undefined, 'B'.repeat(100)]);
  });

  test('is left out of a data-only message that would be too large, and the other data is kept', () => {
    const body = bodyOf({ type: 'cmd', title: 'T', body: 'B', ext: { x: 'x'.repeat(4_000) } });
    assert.ok(bytesWithoutTokens(body) <= PAYLOAD_BYTES_MAX);
    const data = dataOf(body);
    assert.deepEqual(data, { mid: '1', reference: '1.2.3', badge: '+1', title: 'T', body: 'B' });
  });
});

describe('honorCuts', () => {
  const cuts = (message: Partial<Message>) => honorCuts({ type: 'text', badge: '+1', ...message }, 'en');

  test('reports nothing for a short message', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'short', big_text: 'long '.repeat(100) }), []);
    assert.deepEqual(cuts({ type: 'cmd', body: 'x', ext: { a: 1 } }), []);
    assert.deepEqual(cuts({ title: 'T' }), []);
    assert.deepEqual(cuts({ type: 'image', body: 'x', attachment_url: 'https://example.com/a.png' }), []);
  });

  test('reports how much of a long text is left', () => {
    for (const field of ['body', 'big_text'] as const) {
      const message = { title: 'T', [field]: '安'.repeat(2_000) };
      const [sentence = ''] = cuts(message);
      const left = Number(/^The text is cut to (\d+) of its 2000 characters/.exec(sentence)?.[1]);
      const real = [...shownOf(bodyOf(message)).body].length;
      assert.ok(left > 400 && left <= real && real - left < 200, `${left} of ${real}: ${sentence}`);
    }
  });

  test('reports an image without an https URL', () => {
    assert.match(cuts({ type: 'image', body: 'x', attachment_url: 'http://example.com/a.png' })[0] ?? '', /^The image/);
  });

  test('reports a rejection if there is no text or no room for one', () => {
    const words = 'The message is rejected: Honor requires a non-empty body.';
    assert.deepEqual(cuts({ ext: { a: 1 } }), [words]);
    const isRefused = (length: number) => cuts({ title: 'T'.repeat(length), body: 'dong' })[0] === words;
    assert.ok(Array.from({ length: 600 }, (_, index) => 3_400 + index).some(isRefused));
  });

  test('reports an ext that is left out', () => {
    const sentence = 'ext is left out of the data for the app: Honor accepts at most 4096 bytes.';
    for (const type of ['text', 'cmd'] as const)
      assert.deepEqual(cuts({ type, title: 'T', body: 'dong', ext: { a: 'x'.repeat(4_000) } }), [sentence]);
  });

  test('reports a rejection if the message is too large even without a text and its optional data', () => {
    assert.match(cuts({ title: 'T'.repeat(4_000), body: 'x' })[0] ?? '', /^The message is rejected/);
    assert.match(cuts({ type: 'cmd', body: 'x'.repeat(4_000) })[0] ?? '', /^The message is rejected/);
  });
});
