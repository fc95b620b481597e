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

describe('what Meizu would refuse is cut', () => {
  test('whatever it says: it fits, and what a reader takes for one character is whole', () => {
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

  test('by no more than it must be', () => {
    const map = { mid: '4503599627370497', reference: '4503599627370497.1.9', ext: '{"x":""}' };
    const room = 1_000 - JSON.stringify(map).length;
    assert.equal(shownOf({ body: 'b', ext: { x: 'x'.repeat(room) } }).parameters.ext?.length, room + 8);
    assert.equal(shownOf({ body: 'b', ext: { x: 'x'.repeat(room + 1) } }).parameters.ext, undefined);
  });
});

describe('what Meizu would cut', () => {
  const cuts = (message: Partial<Message>) => flymeCuts({ type: 'text', badge: '+1', ...message });

  test('is nothing of what is short', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'short', big_text: 'long '.repeat(100), ext: { a: 1 } }), []);
    assert.deepEqual(cuts({ title: 'T'.repeat(32), body: 'b'.repeat(100) }), []);
    assert.deepEqual(cuts({ title: 'T' }), []);
    assert.deepEqual(cuts({ big_text: 'short' }), []);
  });

  const sentences: readonly (readonly [Partial<Message>, string])[] = [
    [{ title: 'T'.repeat(33), body: 'b' }, 'The title is cut: Meizu takes 32 characters.'],
    [
      { title: 'T', body: 'b'.repeat(101) },
      'The text is cut to 100 of its 101 characters: Meizu takes 100 characters.',
    ],
    [{ title: 'T', body: 'b', big_text: 'B'.repeat(1_001) }, 'The large text is cut to 1000 characters.'],
    [
      { type: 'image', title: 'T', body: 'b' },
      'The picture is left out: Meizu shows only those that it has at its own place.',
    ],
    [{ body: 'b', ext: { x: 'x'.repeat(1_000) } }, 'ext is left out: there are 1000 characters for the app.'],
    [{ ext: { a: 1 } }, 'It is refused: Meizu takes no notification without a text.'],
    [{ type: 'cmd', body: 'b' }, 'It is refused: Meizu passes no commands through.'],
  ];
  for (const [message, sentence] of sentences)
    test(`is said: ${sentence}`, () => assert.deepEqual(cuts(message), [sentence]));
});
