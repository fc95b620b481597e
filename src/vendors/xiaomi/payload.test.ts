import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { NOW, notification } from '../../../test/vendors/goldens/xiaomi.ts';
import { xiaomiCuts, xiaomiForm } from './payload.ts';

const options = {
  packageNames: ['com.example'],
  channelId: undefined,
  templateId: undefined,
  templateVariables: undefined,
};
const formOf = (message: Partial<Message>, change: Partial<typeof options> | { templateId: string } = {}) =>
  Object.fromEntries(xiaomiForm(notification(message), ['t1'], { ...options, ...change }, NOW));

const characters = ['a', '"', '\n', 'é', 'e\u0301', '钟', '🔔', '👩‍👩‍👧', '🇩🇪', '👍🏽', '…'];
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const split = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment);

/** Returns whether `shown` is the beginning of `whole`, cut between graphemes. */
function isBeginning(shown: string, whole: string): boolean {
  if (shown === whole) return true;
  const [shownGraphemes, all] = [split(shown.slice(0, -1)), split(whole)];
  return shown.endsWith('…') && shownGraphemes.every((character, index) => character === all[index]);
}

describe('texts', () => {
  test('are cut to the limit without splitting a grapheme', () => {
    const text = fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(text, text, fc.boolean(), (titleParts, textParts, isLarge) => {
        const [title, whole] = [titleParts.join(''), textParts.join('')];
        const form = formOf(isLarge ? { title, body: 'B', big_text: whole } : { title, body: whole });
        assert.ok([...(form.title ?? '')].length < 50 && [...(form.description ?? '')].length < 128);
        assert.ok(isBeginning(form.title ?? '', title) && isBeginning(form.description ?? '', whole));
      }),
      { numRuns: 200 },
    );
  });

  test('in a template contain no characters that Xiaomi rejects and are never empty', () => {
    const text = fc.array(fc.constantFrom(...characters, '©', '1️⃣', '\u{10ffff}', ' '), { minLength: 1 });
    fc.assert(
      fc.property(text, (parts) => {
        const form = formOf({ title: parts.join(''), body: parts.join('') }, { templateId: 'P1' });
        const values = Object.values(JSON.parse(form['extra.template_param'] ?? '') as Record<string, string>);
        assert.equal(values.length, 2);
        for (const value of values) {
          assert.ok(value.trim() !== '' && [...value].length <= 128);
          assert.doesNotMatch(value, /[\p{So}\p{Cn}]/u);
        }
      }),
    );
  });
});

test('ext is left out if the message would be larger than 4,096 bytes', () => {
  /** Returns the size without the tokens and the packages, which do not count. */
  const bytesOf = ({ registration_id, restricted_package_name, ...form }: Record<string, string>) =>
    Buffer.byteLength(Object.values(form).join(''));
  const withExt = (length: number) => formOf({ title: 'T', body: 'dong', ext: { x: 'x'.repeat(length) } });
  const room = 4_096 - bytesOf(withExt(0));
  assert.equal(bytesOf(withExt(room)), 4_096);
  assert.deepEqual(withExt(room + 1), formOf({ title: 'T', body: 'dong' }));
});

describe('xiaomiCuts', () => {
  const cuts = (message: Partial<Message>) => xiaomiCuts({ type: 'text', badge: '+1', ...message }, 'en');

  test('reports nothing for a short message', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'short' }), []);
    assert.deepEqual(cuts({ title: 'T' }), []);
    assert.deepEqual(cuts({ title: 'T', body: 'b'.repeat(500), big_text: 'short' }), []);
  });

  test('reports how much of a long title or text is left', () => {
    assert.deepEqual(cuts({ title: 'T'.repeat(50), body: 'b' }), ['The title is cut to 49 characters.']);
    for (const field of ['body', 'big_text'] as const)
      assert.deepEqual(cuts({ title: 'T', [field]: '安'.repeat(200) }), [
        'The text is cut to 127 of its 200 characters: Xiaomi accepts at most 127 characters.',
      ]);
  });

  test('reports an image', () => {
    assert.deepEqual(cuts({ type: 'image', body: 'x', attachment_url: 'https://example.com/a.png' }), [
      'The image is left out: Xiaomi shows no images.',
    ]);
  });

  test('reports a rejection if the text is missing or the message is too large', () => {
    for (const message of [{ ext: { a: 1 } }, { title: ' ', body: ' \n' }])
      assert.deepEqual(cuts(message), ['The message is rejected: Xiaomi requires a non-empty body.']);
    const intent = `intent:#Intent;component=com.a/com.a.B;S.k=${'x'.repeat(4_000)};end`;
    assert.match(
      cuts({ body: 'x', ext: { a: 1 }, xiaomi: { click_action: 'intent', intent } })[0] ?? '',
      /^The message is rejected: it is larger than/,
    );
  });

  test('reports an ext that is left out', () => {
    assert.deepEqual(cuts({ title: 'T', body: 'x', ext: { a: 'x'.repeat(4_000) } }), [
      'ext is left out of the data for the app: Xiaomi accepts at most 4096 bytes.',
    ]);
  });

  test('reports the rejection of a data-only message', () => {
    assert.deepEqual(cuts({ type: 'cmd', body: 'x' }), [
      'The message is rejected: Xiaomi does not support data-only messages.',
    ]);
  });
});
