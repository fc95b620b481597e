import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { apnsCuts, apnsPayload, PAYLOAD_BYTES_MAX } from './payload.ts';

function payloadOf(message: Partial<Message>): string {
  return apnsPayload({
    taskId: 1n,
    deviceId: 64n,
    reference: '1.2.3',
    message: { type: 'text', badge: '+1', ...message },
    badge: 7,
    notAfter: new Date(0),
  });
}

interface Payload {
  readonly aps: { readonly alert: { readonly title?: string; readonly body?: string } };
  readonly [key: string]: unknown;
}
const read = (payload: string) => JSON.parse(payload) as Payload;

describe('payload over 4,096 bytes', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['letters', 'x'.repeat(4_096)],
    ['Han characters, three bytes each', '钟'.repeat(4_096)],
    ['emoji, four bytes and two code units each', '🔔'.repeat(2_048)],
    ['a mixture', 'a钟🔔é'.repeat(800)],
    ['quotes and line breaks, which JSON doubles', '"\n\\'.repeat(1_300)],
  ];
  for (const [what, text] of texts) {
    for (const field of ['body', 'big_text'] as const) {
      test(`${what}, as ${field}`, () => {
        const payload = payloadOf({ title: 'Title', [field]: text, ext: { n: 1 } });
        assert.ok(Buffer.byteLength(payload) <= PAYLOAD_BYTES_MAX, `${Buffer.byteLength(payload)} bytes`);
        const { aps, ext, mid } = read(payload);
        const shown = aps.alert.body as string;
        assert.match(shown, /…$/);
        assert.ok(text.startsWith(shown.slice(0, -1)), 'the remaining text is a prefix of the original');
        assert.ok(shown.isWellFormed(), 'no character is cut in half');
        assert.deepEqual([aps.alert.title, ext, mid], ['Title', { n: 1 }, '1'], 'the other fields are unchanged');
      });
    }
  }

  test('is truncated by no more than necessary', () => {
    for (const character of ['x', '钟', '🔔'] as const) {
      const room = PAYLOAD_BYTES_MAX - Buffer.byteLength(payloadOf({ body: character.repeat(4_096) }));
      assert.ok(room < Buffer.byteLength(character), `${room} bytes are left for ${character}`);
    }
  });

  test('fits after truncation and keeps characters whole, for any text', () => {
    const text = fc.array(fc.constantFrom('a', '"', '\n', 'é', '钟', '🔔', '👩‍🚀', '\u0001', '…'), {
      minLength: 800,
      maxLength: 4_096,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 2_000 }), (characters, extBytes) => {
        const body = characters.join('');
        const payload = payloadOf({ body, ext: { x: 'x'.repeat(extBytes) } });
        assert.ok(Buffer.byteLength(payload) <= PAYLOAD_BYTES_MAX);
        const shown = read(payload).aps.alert.body ?? '';
        assert.ok(shown.isWellFormed());
        assert.ok(shown === body || body.startsWith(shown.replace(/…$/, '')));
      }),
      { numRuns: 50 },
    );
  });
});

describe('payload within 4,096 bytes', () => {
  /** Returns a string that makes the payload exactly `bytes` bytes long. */
  const textFor = (bytes: number) =>
    'x'.repeat(bytes - Buffer.byteLength(payloadOf({ body: '' })) - ',"body":""'.length + 1);

  test('is unchanged at exactly 4,096 bytes', () => {
    const text = textFor(PAYLOAD_BYTES_MAX);
    const payload = payloadOf({ body: text });
    assert.equal(Buffer.byteLength(payload), PAYLOAD_BYTES_MAX);
    assert.equal(read(payload).aps.alert.body, text);
  });

  test('is truncated if it is one byte longer', () => {
    const payload = payloadOf({ body: textFor(PAYLOAD_BYTES_MAX + 1) });
    assert.ok(Buffer.byteLength(payload) <= PAYLOAD_BYTES_MAX);
    assert.match(read(payload).aps.alert.body as string, /x…$/);
  });
});

describe('ext', () => {
  test('never overwrites fields that Apple reads', () => {
    const ext = {
      aps: { alert: 'stolen', badge: 99 },
      mid: '2',
      reference: '9.9.9',
      attachment_url: 'https://elsewhere',
      ext: {},
    };
    const payload = read(payloadOf({ body: 'B', ext }));
    assert.deepEqual(payload.aps, { alert: { body: 'B' }, badge: 7, sound: 'default' });
    assert.deepEqual(payload, { aps: payload.aps, mid: '1', reference: '1.2.3', ext });
  });

  test('keeps all digits of its integers', () => {
    assert.match(payloadOf({ ext: { id: 9_223_372_036_854_775_807n } }), /"ext":\{"id":9223372036854775807\}/);
  });

  test('is left out, and not the text, if it leaves no room for 40 characters of the text', () => {
    const shortest = `${'B'.repeat(39)}…`;
    const room = PAYLOAD_BYTES_MAX - Buffer.byteLength(payloadOf({ title: 'T', body: shortest, ext: { x: '' } }));
    const partsFor = (bytes: number) => {
      const { aps, ext } = read(payloadOf({ title: 'T', body: 'B'.repeat(100), ext: { x: 'x'.repeat(bytes) } }));
      return [ext, aps.alert.body];
    };
    assert.deepEqual(partsFor(room), [{ x: 'x'.repeat(room) }, shortest]);
    assert.deepEqual(partsFor(room + 1), [undefined, 'B'.repeat(100)]);
  });

  test('is left out of a data-only message that would be too large, and the other data is kept', () => {
    const payload = payloadOf({ type: 'cmd', title: 'T', body: 'B', ext: { x: 'x'.repeat(4_000) } });
    assert.ok(Buffer.byteLength(payload) <= PAYLOAD_BYTES_MAX);
    const { aps, ...data } = read(payload);
    assert.deepEqual(data, { mid: '1', reference: '1.2.3', badge: '+1', title: 'T', body: 'B' });
  });
});

describe('predicted truncation', () => {
  const cuts = (message: Partial<Message>) => apnsCuts({ type: 'text', ...message } as Message, 'en');

  test('is empty for a short body, a data-only message and a message without a body', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'short' }), []);
    assert.deepEqual(cuts({ type: 'cmd', ext: { a: 1 } }), []);
    assert.deepEqual(cuts({ title: 'T' }), []);
  });

  test('states how much of a long text is left', () => {
    const [sentence] = cuts({ title: 'T', body: '安'.repeat(2_000) });
    const [, left] = /^The text is cut to (\d+) of its 2000 characters/.exec(sentence as string) ?? [];
    // A real notification has shorter ids, so at least as much text is displayed.
    const shown = read(payloadOf({ title: 'T', body: '安'.repeat(2_000) })).aps.alert.body as string;
    assert.ok(Number(left) > 1_000 && Number(left) <= [...shown].length, `${left} of ${[...shown].length}`);
  });

  test('reports an ext that is left out', () => {
    const sentence = 'ext is left out of the data for the app: Apple accepts at most 4096 bytes.';
    for (const type of ['text', 'cmd'] as const)
      assert.deepEqual(cuts({ type, title: 'T', body: 'short', ext: { a: 'x'.repeat(4_000) } }), [sentence]);
  });

  test('reports a big_text that is not displayed', () => {
    const hidden = 'big_text is not displayed: APNs does not support it.';
    assert.deepEqual(cuts({ body: 'short', big_text: 'long' }), [hidden]);
    assert.deepEqual(cuts({ body: 'short', big_text: 'x'.repeat(4_000) }), [
      hidden,
      'big_text is left out of the data for the app: Apple accepts at most 4096 bytes.',
    ]);
    assert.deepEqual(cuts({ big_text: 'long' }), []);
  });

  test('reports a rejection if the message is too large even without its text and its optional data', () => {
    assert.match(cuts({ title: 'T'.repeat(4_090), body: 'x' })[0] as string, /^The message is rejected/);
    assert.match(cuts({ type: 'cmd', body: 'x'.repeat(4_090) })[0] as string, /^The message is rejected/);
  });
});
