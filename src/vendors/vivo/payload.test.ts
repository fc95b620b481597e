import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { NOW, notification } from '../../../test/vendors/goldens/vivo.ts';
import { vivoCuts, vivoSinglePayload } from './payload.ts';

const options = { appId: 1n, isTest: false, callbackId: undefined, category: undefined };
const shownOf = (message: Partial<Message>) =>
  vivoSinglePayload(notification(message), 't1', options, NOW) as {
    title: string;
    content: string;
    clientCustomMap: Record<string, string>;
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

describe('what vivo would refuse is cut', () => {
  test('whatever it says: it fits, and what a reader takes for one character is whole', () => {
    const text = fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength: 150 });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 1_200 }), (one, other, extLength) => {
        const message = { title: one.join(''), body: other.join('') };
        const { title, content, clientCustomMap } = shownOf({ ...message, ext: { x: '🔔'.repeat(extLength / 2) } });
        assert.ok([...title].length <= 40 && [...content].length <= 100);
        assert.ok(isBeginning(title, message.title) && isBeginning(content, message.body));
        assert.ok(Object.entries(clientCustomMap).flat().join('').length <= 1_024);
      }),
      { numRuns: 300 },
    );
  });

  test('by no more than it must be', () => {
    const map = { mid: '4503599627370497', reference: '4503599627370497.1.9', ext: '{"x":""}' };
    const room = 1_024 - Object.entries(map).flat().join('').length;
    assert.equal(shownOf({ body: 'b', ext: { x: 'x'.repeat(room) } }).clientCustomMap.ext?.length, room + 8);
    assert.equal(shownOf({ body: 'b', ext: { x: 'x'.repeat(room + 1) } }).clientCustomMap.ext, undefined);
  });
});

describe('what vivo would cut', () => {
  const cuts = (message: Partial<Message>) => vivoCuts({ type: 'text', badge: '+1', ...message });

  test('is nothing of what is short', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'short', ext: { a: 1 } }), []);
    assert.deepEqual(cuts({ title: 'T'.repeat(40), body: 'b'.repeat(100) }), []);
    assert.deepEqual(cuts({ title: 'T' }), []);
    assert.deepEqual(cuts({ big_text: 'short' }), []);
  });

  const sentences: readonly (readonly [Partial<Message>, string])[] = [
    [{ title: 'T'.repeat(41), body: 'b' }, 'The title is cut: vivo takes 40 characters.'],
    [{ title: 'T', body: 'b'.repeat(101) }, 'The text is cut to 100 of its 101 characters: vivo takes 100 characters.'],
    [{ title: 'T', body: 'b', big_text: 'B' }, 'The large text is left out: vivo has none.'],
    [{ type: 'image', title: 'T', body: 'b' }, 'The picture is left out: vivo shows none.'],
    [{ body: 'b', ext: { x: 'x'.repeat(1_000) } }, 'ext is left out: vivo takes 1024 characters for the app.'],
    [{ ext: { a: 1 } }, 'It is refused: vivo takes no notification without a text.'],
    [{ type: 'cmd', body: 'b' }, 'It is refused: vivo passes no commands through.'],
  ];
  for (const [message, sentence] of sentences)
    test(`is said: ${sentence}`, () => assert.deepEqual(cuts(message), [sentence]));

  test('is ext and attachment, if neither has room', () => {
    const all = cuts({ body: 'b', ext: { x: 1 }, attachment_url: `https://example.com/${'a'.repeat(1_000)}` });
    assert.deepEqual(
      all.map((sentence) => sentence.split(' ')[0]),
      ['ext', 'attachment_url'],
    );
  });
});
