import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { byteLengthOf, characterCountOf, cutToLength, fitText, jsonByteLengthOf } from './text.ts';

/** Characters as a reader sees them. No two of them combine into one. */
const characters = [
  'a',
  ' ',
  '"',
  '\\',
  '\n',
  '\u0001',
  'é',
  'e\u0301',
  'ö\u0323',
  '钟',
  '🔔',
  '👩‍👩‍👧',
  '🇩🇪',
  '👍🏽',
  'न',
  'क्षि',
  '한',
  '…',
];
const texts = fc.array(fc.constantFrom(...characters), { maxLength: 60 });
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const split = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment);

const measures = { bytesOf: byteLengthOf, charactersOf: characterCountOf, jsonBytesOf: jsonByteLengthOf };

describe('lengths', () => {
  test('are bytes, code points, or bytes inside a JSON string', () => {
    const measured = (text: string) => [byteLengthOf(text), characterCountOf(text), jsonByteLengthOf(text)];
    assert.deepEqual(measured(''), [0, 0, 0]);
    assert.deepEqual(measured('a"\n'), [3, 3, 5]);
    assert.deepEqual(measured('钟🔔'), [7, 2, 7]);
    assert.deepEqual(measured('👩‍👩‍👧'), [18, 5, 18]);
    assert.deepEqual(measured('\u0001'), [1, 1, 6]);
  });
});

describe('truncated text', () => {
  for (const [name, lengthOf] of Object.entries(measures)) {
    test(`fits, is a prefix of the original and keeps visible characters whole, by ${name}`, () => {
      fc.assert(
        fc.property(texts, fc.integer({ min: 0, max: 120 }), (parts, max) => {
          const text = parts.join('');
          const cut = cutToLength(text, max, lengthOf);
          if (lengthOf(text) <= max) return assert.equal(cut, text);
          assert.ok(lengthOf(cut) <= max);
          if (cut === '') return;
          assert.ok(cut.endsWith('…'));
          const [keptGraphemes, all] = [split(cut.slice(0, -1)), split(text)];
          assert.deepEqual(keptGraphemes, all.slice(0, keptGraphemes.length));
        }),
      );
    });

    test(`loses no more than necessary, by ${name}`, () => {
      fc.assert(
        fc.property(texts, fc.integer({ min: 0, max: 120 }), (parts, max) => {
          const text = parts.join('');
          if (lengthOf(text) <= max) return;
          const keptGraphemes = split(cutToLength(text, max, lengthOf).replace(/…$/, ''));
          const more = split(text)
            .slice(0, keptGraphemes.length + 1)
            .join('');
          assert.ok(lengthOf(`${more}…`) > max, `there was room for ${more}`);
        }),
      );
    });
  }

  test('is empty if there is room only for an ellipsis, or for less', () => {
    for (const max of [0, 1, 2, 3]) assert.equal(cutToLength('abcdef', max, byteLengthOf), '');
    assert.equal(cutToLength('abcdef', 4, byteLengthOf), 'a…');
    assert.equal(cutToLength('👩‍👩‍👧👩‍👩‍👧', 5, characterCountOf), '');
    assert.equal(cutToLength('👩‍👩‍👧👩‍👩‍👧', 6, characterCountOf), '👩‍👩‍👧…');
  });
});

describe('a payload', () => {
  const build = (text: string) => JSON.stringify({ title: 'T', text });
  const bare = byteLengthOf(build(''));

  test('that fits is unchanged, up to the last byte', () => {
    assert.equal(fitText('abcd', bare + 4, build), build('abcd'));
    assert.equal(fitText('abcd', bare + 3, build), build(''));
    assert.equal(fitText('abcde', bare + 4, build), build('a…'));
  });

  test('fits, for any text', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 200 }), (parts, room) => {
        assert.ok(byteLengthOf(fitText(parts.join(''), bare + room, build)) <= bare + room);
      }),
    );
  });

  test('that contains its text twice fits', () => {
    const twice = (text: string) => JSON.stringify({ text, again: text });
    const bytes = byteLengthOf(twice(''));
    const lengthOf = (text: string) => 2 * jsonByteLengthOf(text);
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 200 }), (parts, room) => {
        assert.ok(byteLengthOf(fitText(parts.join(''), bytes + room, twice, lengthOf)) <= bytes + room);
      }),
    );
  });

  test('that is too long without any text stays too long', () => {
    assert.equal(fitText('abc', bare - 1, build), build(''));
  });
});
