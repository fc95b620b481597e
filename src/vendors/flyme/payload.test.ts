import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { NOW, notification } from '../../../test/vendors/goldens/flyme.ts';
import { flymeCuts, flymeMessage } from './payload.ts';

const shownOf = (message: Partial<Message>) => {
  const json = JSON.parse(flymeMessage(notification(message), { noticeMsgType: 0 }, NOW)) as {
    noticeBarInfo: { title: string; content: string };
    noticeExpandInfo?: { noticeExpandContent: string };
    clickTypeInfo: { parameters: Record<string, string> };
  };
  return {
    ...json.noticeBarInfo,
    large: json.noticeExpandInfo?.noticeExpandContent ?? '',
    parameters: json.clickTypeInfo.parameters,
  };
};

/** Graphemes: a reader sees each of them as one character. */
const characters = ['a', '"', '\n', 'e\u0301', '钟', '🔔', '👩‍👩‍👧', '🇩🇪', '👍🏽', '…'];
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const split = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment);

/** Returns whether `shown` is the beginning of `whole`, cut between graphemes. */
function isBeginning(shown: string, whole: string): boolean {
  if (shown === whole) return true;
  const [shownGraphemes, all] = [split(shown.slice(0, -1)), split(whole)];
  return shown.endsWith('…') && shownGraphemes.every((character, index) => character === all[index]);
}

describe('message size limits of Meizu', () => {
  test('cut texts without splitting a grapheme', () => {
    const text = (maxLength: number) => fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength });
    fc.assert(
      fc.property(text(60), text(150), text(600), fc.integer({ min: 0, max: 1_200 }), (one, two, three, extLength) => {
        const message = { title: one.join(''), body: two.join(''), big_text: three.join('') };
        const { title, content, large, parameters } = shownOf({ ...message, ext: { x: '"'.repeat(extLength / 4) } });
        assert.ok([...title].length <= 32 && [...content].length <= 100 && [...large].length <= 1_000);
        assert.ok(isBeginning(title, message.title) && isBeginning(content, message.body));
        assert.ok(isBeginning(large, message.big_text));
        assert.ok(JSON.stringify(parameters).length <= 1_000);
      }),
      { numRuns: 200 },
    );
  });

  test('keep an ext that fits exactly and leave out a longer one', () => {
    const map = { mid: '4503599627370497', reference: '4503599627370497.1.9', badge: '+1', ext: '{"x":""}' };
    const room = 1_000 - JSON.stringify(map).length;
    assert.equal(shownOf({ body: 'b', ext: { x: 'x'.repeat(room) } }).parameters.ext?.length, room + 8);
    assert.equal(shownOf({ body: 'b', ext: { x: 'x'.repeat(room + 1) } }).parameters.ext, undefined);
  });
});

describe('flymeCuts', () => {
  const cuts = (message: Partial<Message>) => flymeCuts({ type: 'text', badge: '+1', ...message }, 'en');

  test('reports nothing for a short message', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'short', big_text: 'long '.repeat(100), ext: { a: 1 } }), []);
    assert.deepEqual(cuts({ title: 'T'.repeat(32), body: 'b'.repeat(100) }), []);
    assert.deepEqual(cuts({ title: 'T' }), []);
    assert.deepEqual(cuts({ big_text: 'short' }), []);
  });

  const sentences: readonly (readonly [Partial<Message>, string])[] = [
    [{ title: 'T'.repeat(33), body: 'b' }, 'The title is cut to 32 characters.'],
    [
      { title: 'T', body: 'b'.repeat(101) },
      'The text is cut to 100 of its 101 characters: Meizu accepts at most 100 characters.',
    ],
    [{ title: 'T', body: 'b', big_text: 'B'.repeat(1_001) }, 'big_text is cut to 1000 characters.'],
    [{ type: 'image', title: 'T', body: 'b' }, 'The image is left out: Meizu shows only images on its own servers.'],
    [
      { body: 'b', ext: { x: 'x'.repeat(4_000) } },
      'ext is left out of the data for the app: Meizu accepts at most 1000 characters.',
    ],
    [{ ext: { a: 1 } }, 'The message is rejected: Meizu requires a non-empty body.'],
    [{ type: 'cmd', body: 'b' }, 'The message is rejected: Meizu does not support data-only messages.'],
  ];
  for (const [message, sentence] of sentences)
    test(`reports: ${sentence}`, () => assert.deepEqual(cuts(message), [sentence]));
});
