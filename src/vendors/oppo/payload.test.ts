import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { NOW, notification } from '../../../test/vendors/goldens/oppo.ts';
import { clickOf } from './click.ts';
import { oppoCuts, oppoMessages } from './payload.ts';

const options = { channelId: undefined, category: undefined, notifyLevel: undefined };
interface Shown {
  readonly title: string;
  readonly content: string;
  readonly style: number;
  readonly action_parameters: string;
}
const shownOf = (message: Partial<Message>) => {
  const [entry] = JSON.parse(oppoMessages(notification(message), ['t1'], options, NOW)) as { notification: Shown }[];
  return entry?.notification as Shown;
};

const characters = ['a', '"', '\n', 'é', 'e\u0301', '钟', '🔔', '👩‍👩‍👧', '🇩🇪', '👍🏽', '…'];
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const split = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment);

/** Returns whether `shown` is the beginning of `whole`, cut between graphemes. */
function isBeginning(shown: string, whole: string): boolean {
  if (shown === whole) return true;
  const [shownGraphemes, all] = [split(shown.slice(0, -1)), split(whole)];
  return shown.endsWith('…') && shownGraphemes.every((character, index) => character === all[index]);
}

test('texts are cut to the limit without splitting a grapheme', () => {
  const text = fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength: 300, size: 'max' });
  fc.assert(
    fc.property(text, text, fc.boolean(), (titleParts, textParts, isLarge) => {
      const [title, whole] = [titleParts.join(''), textParts.join('')];
      const shown = shownOf(isLarge ? { title, body: 'B', big_text: whole } : { title, body: whole });
      assert.ok([...shown.title].length <= 50 && [...shown.content].length <= (shown.style === 2 ? 128 : 50));
      assert.ok(isBeginning(shown.title, title) && isBeginning(shown.content, whole));
    }),
    { numRuns: 200 },
  );
});

test('ext is left out if the data for the app would be longer than 4,000 characters', () => {
  const withExt = (length: number) => shownOf({ title: 'T', body: 'dong', ext: { x: 'x'.repeat(length) } });
  const room = 4_000 - withExt(0).action_parameters.length;
  assert.equal(withExt(room).action_parameters.length, 4_000);
  const { action_parameters, content } = withExt(room + 1);
  assert.deepEqual([action_parameters, content], [shownOf({ title: 'T', body: 'dong' }).action_parameters, 'dong']);
});

describe('an intent', () => {
  const odd = [
    'intent:#Intent;action=a;component=com.a/com.a.B;end',
    'intent:#Intent;component=com.a/com.a.B;i.n=7;end',
    'intent:#Intent;component=com.a/com.a.B;S.k=%;end',
    'intent:#Intent;component=com.a;end',
    'intent://x#Intent;component=com.a/com.a.B;end',
  ];
  for (const intent of odd)
    test(`is sent with the extras of a tap: ${intent}`, () => {
      const url = intent.replace(/;end$/, ';S.mid=9;S.reference=9.1.2;end');
      const action = { click_action_type: 5, click_action_url: url };
      assert.deepEqual(clickOf(intent, { taskId: 9n, reference: '9.1.2' }), { action, extras: {} });
    });

  test('is opened by its class, with decoded string extras', () => {
    const { action, extras } = clickOf('intent:#Intent;component=com.a/com.a.B$C;S.a%20b=%E4%BD%A0;S.e=;end', {
      taskId: 9n,
      reference: '9.1.2',
    });
    assert.deepEqual(action, { click_action_type: 4, click_action_activity: 'com.a.B$C' });
    assert.deepEqual(extras, { 'a b': '你', e: '' });
  });
});

describe('oppoCuts', () => {
  const cuts = (message: Partial<Message>) => oppoCuts({ type: 'text', badge: '+1', ...message }, 'en');

  test('reports nothing for a short message', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'b'.repeat(128) }), []);
    assert.deepEqual(cuts({ title: 'T' }), []);
    assert.deepEqual(cuts({ title: 'T', body: 'b'.repeat(500), big_text: 'short' }), []);
  });

  test('reports how much of a long title or text is left', () => {
    assert.deepEqual(cuts({ title: 'T'.repeat(51), body: 'b' }), ['The title is cut to 50 characters.']);
    for (const field of ['body', 'big_text'] as const)
      assert.deepEqual(cuts({ title: 'T', [field]: '安'.repeat(200) }), [
        'The text is cut to 128 of its 200 characters: OPPO accepts at most 128 characters.',
      ]);
  });

  test('reports an image', () => {
    const message = { type: 'image', body: 'x', attachment_url: 'https://example.com/a.png' } as const;
    assert.deepEqual(cuts(message), ['The image is left out: OPPO shows images only in broadcasts.']);
  });

  test('reports a rejection if the text is missing, or the data or the intent is too long', () => {
    for (const message of [{ ext: { a: 1 } }, { title: ' ', body: ' \n' }])
      assert.deepEqual(cuts(message), ['The message is rejected: OPPO requires a non-empty title and body.']);
    const rejection = (extraLength: number) => {
      const intent = `intent:#Intent;component=com.a/com.a.B;S.k=${'x'.repeat(extraLength)};end`;
      return cuts({ body: 'x', ext: { a: 1 }, oppo: { click_action: 'intent', intent } })[0] ?? '';
    };
    assert.match(rejection(4_000), /^The message is rejected: the data for the app/);
    assert.match(rejection(2_000), /^The message is rejected: the intent/);
  });

  test('reports an ext that is left out', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'x', ext: { a: 'x'.repeat(4_000) } }), [
      'ext is left out of the data for the app: OPPO accepts at most 4000 characters.',
    ]);
  });

  test('reports the rejection of a data-only message', () => {
    assert.deepEqual(cuts({ type: 'cmd', body: 'x' }), [
      'The message is rejected: OPPO does not support data-only messages.',
    ]);
  });
});
