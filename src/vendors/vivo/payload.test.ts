import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { NOW, notification } from '../../../test/vendors/goldens/vivo.ts';
import { vivoCuts, vivoQuotaClass, vivoSinglePayload } from './payload.ts';

const options = {
  appId: 1n,
  isTest: false,
  callbackId: undefined,
  category: undefined,
  defaultClassification: 0,
  addsBadge: false,
} as const;
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

describe('message size limits of vivo', () => {
  test('cut texts without splitting a grapheme', () => {
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

  test('keep an ext that fits exactly and leave out a longer one', () => {
    const map = { mid: '4503599627370497', reference: '4503599627370497.1.9', badge: '+1', ext: '{"x":""}' };
    const room = 1_024 - Object.entries(map).flat().join('').length;
    assert.equal(shownOf({ body: 'b', ext: { x: 'x'.repeat(room) } }).clientCustomMap.ext?.length, room + 8);
    assert.equal(shownOf({ body: 'b', ext: { x: 'x'.repeat(room + 1) } }).clientCustomMap.ext, undefined);
  });
});

describe('vivoCuts', () => {
  const cuts = (message: Partial<Message>) => vivoCuts({ type: 'text', badge: '+1', ...message }, 'en');

  test('reports nothing for a short message', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'short', ext: { a: 1 } }), []);
    assert.deepEqual(cuts({ title: 'T'.repeat(40), body: 'b'.repeat(100) }), []);
    assert.deepEqual(cuts({ title: 'T' }), []);
    assert.deepEqual(cuts({ big_text: 'short' }), []);
  });

  const sentences: readonly (readonly [Partial<Message>, string])[] = [
    [{ title: 'T'.repeat(41), body: 'b' }, 'The title is cut to 40 characters.'],
    [
      { title: 'T', body: 'b'.repeat(101) },
      'The text is cut to 100 of its 101 characters: vivo accepts at most 100 characters.',
    ],
    [{ title: 'T', body: 'b', big_text: 'B' }, 'big_text is not displayed: vivo does not support it.'],
    [
      { body: 'b', vivo: { click_action: 'intent', intent: `intent:#Intent;S.k=${'x'.repeat(2_048)};end` } },
      "The message is rejected: the intent is longer than vivo's limit of 2048 characters.",
    ],
    [{ type: 'image', title: 'T', body: 'b' }, 'The image is left out: vivo shows no images.'],
    [
      { body: 'b', ext: { x: 'x'.repeat(4_000) } },
      'ext is left out of the data for the app: vivo accepts at most 1024 characters.',
    ],
    [{ ext: { a: 1 } }, 'The message is rejected: vivo requires a non-empty body.'],
    [{ type: 'cmd', body: 'b' }, 'The message is rejected: vivo does not support data-only messages.'],
  ];
  for (const [message, sentence] of sentences)
    test(`reports: ${sentence}`, () => assert.deepEqual(cuts(message), [sentence]));

  test('reports a big_text that is neither displayed nor in the data', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'b', big_text: 'B'.repeat(1_024) }), [
      'big_text is not displayed: vivo does not support it.',
      'big_text is left out of the data for the app: vivo accepts at most 1024 characters.',
    ]);
  });

  test('reports ext and attachment_url if neither fits', () => {
    const long = 'a'.repeat(1_000);
    const all = cuts({ body: 'b', ext: { x: long }, attachment_url: `https://example.com/${long}` });
    assert.deepEqual(
      all.map((sentence) => sentence.split(' ')[0]),
      ['ext', 'attachment_url'],
    );
  });
});

describe('the quota of a message', () => {
  const credentials = { ...options, authToken: '' };
  const classOf = (vivo: NonNullable<Message['vivo']>, change = {}) =>
    vivoQuotaClass(notification({ vivo }).message, { ...credentials, ...change });

  test('is that of the kind in the message', () => {
    assert.equal(classOf({}), 'operational');
    assert.equal(classOf({ classification: 1 }), 'system');
    assert.equal(classOf({ classification: 0, category: 'IM' }), 'system');
  });

  test('is that of the kind in the credentials if the message sets none', () => {
    assert.equal(classOf({}, { category: 'IM' }), 'operational');
    assert.equal(classOf({}, { category: 'IM', defaultClassification: 1 }), 'system');
    assert.equal(classOf({ classification: 0 }, { defaultClassification: 1 }), 'operational');
  });
});
