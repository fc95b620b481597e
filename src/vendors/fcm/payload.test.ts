import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { fcmContent, fcmCuts, PAYLOAD_BYTES_MAX } from './payload.ts';

const NOW = new Date(0);

function contentOf(message: Partial<Message>): string {
  return fcmContent(
    {
      taskId: 1n,
      deviceId: 64n,
      reference: '1.2.3',
      message: { type: 'text', badge: '+1', ...message },
      badge: undefined,
      notAfter: new Date(60_000),
    },
    NOW,
  );
}

interface Content {
  readonly data: Readonly<Record<string, string>>;
  readonly android: { readonly notification: { readonly title?: string; readonly body?: string } };
}
const read = (content: string) => JSON.parse(content) as Content;
const shownIn = (content: string) => read(content).android.notification.body ?? '';

/** Splits a string into the characters that a user sees. */
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const graphemesOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);

describe('message over 4,096 bytes', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['letters', 'x'.repeat(4_096)],
    ['Han characters, three bytes each', '钟'.repeat(4_096)],
    ['emoji, four bytes and two code units each', '🔔'.repeat(2_048)],
    ['family emoji, seven code points each', '👨‍👩‍👧‍👦'.repeat(300)],
    ['a mixture', 'a钟🔔é'.repeat(800)],
    ['quotes and line breaks, which JSON doubles', '"\n\\'.repeat(1_300)],
  ];
  for (const [what, text] of texts) {
    for (const field of ['body', 'big_text'] as const) {
      test(`${what}, as ${field}`, () => {
        const content = contentOf({ title: 'Title', [field]: text, ext: { n: 1 } });
        assert.ok(Buffer.byteLength(content) <= PAYLOAD_BYTES_MAX, `${Buffer.byteLength(content)} bytes`);
        const shown = shownIn(content);
        assert.match(shown, /…$/);
        assert.deepEqual(graphemesOf(text).slice(0, graphemesOf(shown).length - 1), graphemesOf(shown).slice(0, -1));
        const { data, android } = read(content);
        assert.equal(android.notification.title, 'Title');
        const expected = { mid: '1', reference: '1.2.3', badge: '+1', ext: '{"n":1}' };
        assert.deepEqual(data, expected, 'the other fields are unchanged');
      });
    }
  }

  test('is truncated by no more than necessary', () => {
    for (const character of ['x', '钟', '🔔', '👩‍🚀'] as const) {
      const room = PAYLOAD_BYTES_MAX - Buffer.byteLength(contentOf({ body: character.repeat(4_096) }));
      assert.ok(room >= 0 && room < Buffer.byteLength(character), `${room} bytes are left for ${character}`);
    }
  });

  test('fits after truncation and keeps characters whole, for any text', () => {
    const text = fc.array(fc.constantFrom('a', '"', '\n', 'é', 'e\u0301', '钟', '🔔', '👩‍🚀', '🇧🇪', '\u0001', '…'), {
      minLength: 800,
      maxLength: 4_096,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 2_000 }), (characters, extBytes) => {
        const body = characters.join('');
        const content = contentOf({ body, ext: { x: 'x'.repeat(extBytes) } });
        assert.ok(Buffer.byteLength(content) <= PAYLOAD_BYTES_MAX);
        const shown = shownIn(content);
        if (shown === body) return;
        const left = graphemesOf(shown).slice(0, -1);
        assert.deepEqual(graphemesOf(body).slice(0, left.length), left);
      }),
      { numRuns: 50 },
    );
  });
});

describe('message within 4,096 bytes', () => {
  /** Returns a string that makes the message exactly `bytes` bytes long. */
  const textFor = (bytes: number) => 'x'.repeat(bytes - Buffer.byteLength(contentOf({ body: 'x' })) + 1);

  test('is unchanged at exactly 4,096 bytes', () => {
    const text = textFor(PAYLOAD_BYTES_MAX);
    const content = contentOf({ body: text });
    assert.equal(Buffer.byteLength(content), PAYLOAD_BYTES_MAX);
    assert.equal(shownIn(content), text);
  });

  test('is truncated if it is one byte longer', () => {
    const content = contentOf({ body: textFor(PAYLOAD_BYTES_MAX + 1) });
    assert.ok(Buffer.byteLength(content) <= PAYLOAD_BYTES_MAX);
    assert.match(shownIn(content), /x…$/);
  });
});

test('ext never overwrites other data or uses a name that Google reserves', () => {
  const ext = { mid: '2', reference: '9.9.9', from: 'x', message_type: 'y', 'google.z': 1, 'gcm.z': 2, badge: '9' };
  const { data } = read(contentOf({ body: 'B', ext }));
  assert.deepEqual(data, { mid: '1', reference: '1.2.3', badge: '+1', ext: JSON.stringify(ext) });
});

test('a data-only message is never truncated, because the app parses it', () => {
  const { data } = read(contentOf({ type: 'cmd', body: 'x'.repeat(4_096) }));
  assert.equal(data.body?.length, 4_096);
});

test('ext is left out, and not the text, if it leaves no room for 40 characters of the text', () => {
  const shortest = `${'B'.repeat(39)}…`;
  const room = PAYLOAD_BYTES_MAX - Buffer.byteLength(contentOf({ title: 'T', body: shortest, ext: { x: '' } }));
  const partsFor = (bytes: number) => {
    const content = contentOf({ title: 'T', body: 'B'.repeat(100), ext: { x: 'x'.repeat(bytes) } });
    return [read(content).data.ext, shownIn(content)];
  };
  assert.deepEqual(partsFor(room), [JSON.stringify({ x: 'x'.repeat(room) }), shortest]);
  assert.deepEqual(partsFor(room + 1), [undefined, 'B'.repeat(100)]);
});

test('ext is left out of a data-only message that would be too large, and the other data is kept', () => {
  const content = contentOf({ type: 'cmd', title: 'T', body: 'B', ext: { x: 'x'.repeat(4_000) } });
  assert.ok(Buffer.byteLength(content) <= PAYLOAD_BYTES_MAX);
  assert.deepEqual(read(content).data, { mid: '1', reference: '1.2.3', badge: '+1', title: 'T', body: 'B' });
});

describe('predicted truncation', () => {
  const cuts = (message: Partial<Message>) => fcmCuts({ type: 'text', badge: '+1', ...message }, 'en');

  test('is empty for a short body, a data-only message and a message without a body', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'short' }), []);
    assert.deepEqual(cuts({ type: 'cmd', ext: { a: 1 } }), []);
    assert.deepEqual(cuts({ title: 'T' }), []);
  });

  test('states how much of a long text is left', () => {
    const [sentence] = cuts({ title: 'T', body: '安'.repeat(2_000) });
    const [, left] = /^The text is cut to (\d+) of its 2000 characters/.exec(sentence as string) ?? [];
    // A real notification has shorter ids, so at least as much text is displayed.
    const shown = shownIn(contentOf({ title: 'T', body: '安'.repeat(2_000) }));
    assert.ok(Number(left) > 1_000 && Number(left) <= [...shown].length, `${left} of ${[...shown].length}`);
  });

  test('reports an ext that is left out', () => {
    const sentence = 'ext is left out of the data for the app: Google accepts at most 4096 bytes.';
    for (const type of ['text', 'cmd'] as const)
      assert.deepEqual(cuts({ type, title: 'T', body: 'short', ext: { a: 'x'.repeat(4_000) } }), [sentence]);
  });

  test('reports a big_text that is not displayed', () => {
    const hidden = 'big_text is not displayed: FCM does not support it.';
    assert.deepEqual(cuts({ body: 'short', big_text: 'long' }), [hidden]);
    assert.deepEqual(cuts({ body: 'short', big_text: 'x'.repeat(4_000) }), [
      hidden,
      'big_text is left out of the data for the app: Google accepts at most 4096 bytes.',
    ]);
    assert.deepEqual(cuts({ big_text: 'long' }), []);
  });

  test('reports an image without an https URL', () => {
    const image = (attachment_url: string) => cuts({ type: 'image', body: 'x', attachment_url });
    assert.deepEqual(image('http://example.com/a.png'), [
      'The image is left out: Google loads images only over https.',
    ]);
    assert.deepEqual(image('https://example.com/a.png'), []);
  });

  test('reports a possible rejection if the message is too large even without its text and its optional data', () => {
    assert.match(cuts({ title: 'T'.repeat(4_090), body: 'x' })[0] as string, /^The message may be rejected/);
    assert.match(cuts({ type: 'cmd', body: 'x'.repeat(4_090) })[0] as string, /^The message may be rejected/);
  });
});
