import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { huaweiBody, huaweiCuts, PAYLOAD_BYTES_MAX } from './payload.ts';

const options = { isTest: false, category: undefined, importance: undefined, channelId: undefined };
const NOW = new Date(0);

const bodyOf = (message: Partial<Message>, tokens: readonly string[] = []) =>
  huaweiBody(
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
  readonly style?: number;
  readonly big_body?: string;
}
const read = (body: string) => {
  const { message } = JSON.parse(body) as { message: { data: string; android: { notification: Shown } } };
  return { data: JSON.parse(message.data) as { ext?: string }, shown: message.android.notification };
};
const bytesWithoutTokens = (body: string) => Buffer.byteLength(body) - '[]'.length;

/** Graphemes: a reader sees each of them as one character. */
const characters = ['a', '"', '\n', 'é', 'e\u0301', '钟', '🔔', '👩‍👩‍👧', '🇩🇪', '👍🏽', '\u0001', '…'];
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const split = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment);

/** Returns whether `shown` is the beginning of `whole`, cut between graphemes. */
function isBeginning(shown: string, whole: string): boolean {
  if (shown === whole || shown === '') return true;
  const [shownGraphemes, all] = [split(shown.slice(0, -1)), split(whole)];
  return shown.endsWith('…') && shownGraphemes.every((character, index) => character === all[index]);
}

describe('a text that is too long for Huawei', () => {
  test('is cut to the limit without splitting a grapheme', () => {
    const text = fc.array(fc.constantFrom(...characters), { minLength: 300, maxLength: 2_000 });
    fc.assert(
      fc.property(text, fc.boolean(), fc.integer({ min: 0, max: 2_500 }), (parts, isLarge, extBytes) => {
        const whole = parts.join('');
        const message = isLarge ? { title: 'T', body: 'B', big_text: whole } : { title: 'T', body: whole };
        const body = bodyOf({ ...message, ext: { x: 'x'.repeat(extBytes) } }, ['t1', 't2']);
        assert.ok(bytesWithoutTokens(body) - '"t1","t2"'.length <= PAYLOAD_BYTES_MAX);
        const { shown, data } = read(body);
        const text = isLarge ? (shown.big_body ?? '') : shown.body;
        assert.ok(isBeginning(text, whole), JSON.stringify(text.slice(-20)));
        assert.equal(shown.title, 'T');
        assert.equal(data.ext?.length, extBytes + '{"x":""}'.length);
      }),
      { numRuns: 100 },
    );
  });

  test('is cut no more than necessary', () => {
    for (const character of ['x', '钟', '🔔', '👩‍👩‍👧', '"']) {
      for (const field of ['body', 'big_text'] as const) {
        const body = bodyOf({ title: 'T', body: 'B', [field]: character.repeat(4_096) });
        const room = PAYLOAD_BYTES_MAX - bytesWithoutTokens(body);
        const bytes = Buffer.byteLength(JSON.stringify(character)) - 2;
        assert.ok(room >= 0 && room < bytes, `${room} bytes are left for ${character} in ${field}`);
      }
    }
  });

  test('is measured without the tokens', () => {
    const text = 'x'.repeat(3_000);
    const tokens = Array.from({ length: 512 }, (_, index) => `token-${index}`);
    assert.equal(read(bodyOf({ title: 'T', body: text }, tokens)).shown.body, text);
  });

  test('is kept at exactly the limit and cut one byte above it', () => {
    const room = PAYLOAD_BYTES_MAX - bytesWithoutTokens(bodyOf({ title: 'T', body: 'x' })) + 1;
    assert.equal(read(bodyOf({ title: 'T', body: 'x'.repeat(room) })).shown.body, 'x'.repeat(room));
    assert.match(read(bodyOf({ title: 'T', body: 'x'.repeat(room + 1) })).shown.body, /x…$/);
  });
});

describe('big_text', () => {
  test('uses the space that the collapsed text does not need', () => {
    const { shown } = read(bodyOf({ title: 'T', body: 'b'.repeat(3_000), big_text: 'B'.repeat(3_000) }));
    assert.equal(shown.body, `${'b'.repeat(255)}…`);
    assert.equal(shown.big_body, 'B'.repeat(3_000));
  });

  test('without a body is also used as the title and the collapsed text, both cut', () => {
    const { shown } = read(bodyOf({ big_text: 'B'.repeat(3_000) }));
    assert.equal(shown.title, `${'B'.repeat(39)}…`);
    assert.equal(shown.body, `${'B'.repeat(255)}…`);
    assert.equal(shown.big_body, 'B'.repeat(3_000));
  });

  test('is left out with its style if it does not fit, before the collapsed text is cut', () => {
    const ext = (bytes: number) => ({ x: 'x'.repeat(bytes) });
    const room = PAYLOAD_BYTES_MAX - bytesWithoutTokens(bodyOf({ title: 'T', body: 'b'.repeat(100), ext: ext(0) }));
    const fits = read(bodyOf({ title: 'T', body: 'b'.repeat(100), big_text: 'B'.repeat(500), ext: ext(room) })).shown;
    assert.deepEqual([fits.body.length, fits.style, fits.big_body], [100, undefined, undefined]);
    const cut = read(bodyOf({ title: 'T', body: 'b'.repeat(100), big_text: 'B', ext: ext(room + 1) })).shown;
    assert.deepEqual([cut.body, cut.style], [`${'b'.repeat(96)}…`, undefined]);
  });
});

describe('ext', () => {
  test('is left out, and not the text, if it leaves no room for 40 characters of the text', () => {
    const shortest = `${'B'.repeat(39)}…`;
    const room = PAYLOAD_BYTES_MAX - bytesWithoutTokens(bodyOf({ title: 'T', body: shortest, ext: { x: '' } }));
    const partsFor = (bytes: number) => {
      const body = bodyOf({ title: 'T', body: 'B'.repeat(100), ext: { x: 'x'.repeat(bytes) } });
      return [read(body).data.ext, read(body).shown.body];
    };
    assert.deepEqual(partsFor(room), [JSON.stringify({ x: 'x'.repeat(room) }), shortest]);
    assert.deepEqual(partsFor(room + 1), [undefined, 'B'.repeat(100)]);
  });

  test('is left out of a data-only message that would be too large, and the other data is kept', () => {
    const body = bodyOf({ type: 'cmd', title: 'T', body: 'B', ext: { x: 'x'.repeat(4_000) } });
    assert.ok(bytesWithoutTokens(body) <= PAYLOAD_BYTES_MAX);
    const data = JSON.parse((JSON.parse(body) as { message: { data: string } }).message.data);
    assert.deepEqual(data, { mid: '1', reference: '1.2.3', badge: '+1', title: 'T', body: 'B' });
  });
});

describe('huaweiCuts', () => {
  const cuts = (message: Partial<Message>) => huaweiCuts({ type: 'text', badge: '+1', ...message }, 'en');

  test('reports nothing for a short message', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'short' }), []);
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
      const { shown } = read(bodyOf(message));
      const real = [...(shown.big_body ?? shown.body)].length;
      assert.ok(left > 800 && left <= real && real - left < 200, `${left} of ${real}: ${sentence}`);
    }
  });

  test('reports an image without an https URL', () => {
    assert.match(cuts({ type: 'image', body: 'x', attachment_url: 'http://example.com/a.png' })[0] ?? '', /^The image/);
  });

  test('reports a rejection if there is no text or no room for one', () => {
    const words = 'The message is rejected: Huawei requires a non-empty body.';
    assert.deepEqual(cuts({ ext: { a: 1 } }), [words]);
    const isRefused = (length: number) => cuts({ title: 'T'.repeat(length), body: 'dong' })[0] === words;
    assert.ok(Array.from({ length: 600 }, (_, index) => 3_400 + index).some(isRefused));
  });

  test('reports an ext that is left out', () => {
    const sentence = 'ext is left out of the data for the app: Huawei accepts at most 4096 bytes.';
    for (const type of ['text', 'cmd'] as const)
      assert.deepEqual(cuts({ type, title: 'T', body: 'dong', ext: { a: 'x'.repeat(4_000) } }), [sentence]);
  });

  test('reports a rejection if the message is too large even without a text and its optional data', () => {
    assert.match(cuts({ title: 'T'.repeat(4_000), body: 'x' })[0] ?? '', /^The message is rejected/);
    assert.match(cuts({ type: 'cmd', body: 'x'.repeat(4_000) })[0] ?? '', /^The message is rejected/);
  });
});
