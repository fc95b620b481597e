import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { hasChecksum, randomText, withChecksum } from './random-text.ts';

const letter = fc.stringMatching(/^[0-9A-Za-z]$/);
const token = fc.stringMatching(/^c[au]_[0-9A-Za-z]{1,60}$/);

describe('random text', () => {
  for (const [bits, length] of [
    [1, 1],
    [6, 2],
    [160, 27],
    [256, 43],
  ] as const) {
    test(`${bits} bits need ${length} letters and digits`, () => {
      for (let i = 0; i < 100; i++) assert.match(randomText(bits), new RegExp(`^[0-9A-Za-z]{${length}}$`));
    });
  }

  test('differs each time, and has every character at every position', () => {
    const texts = Array.from({ length: 5_000 }, () => randomText(160));
    assert.equal(new Set(texts).size, texts.length);
    // With 5,000 draws, one of the 62 characters is missing only about once in 10^33 runs.
    for (const place of [0, 13, 26]) assert.equal(new Set(texts.map((text) => text[place])).size, 62, `place ${place}`);
  });
});

describe('a checksum', () => {
  test('is recognized', () => {
    fc.assert(fc.property(token, (text) => assert.ok(hasChecksum(withChecksum(text)))));
  });

  test('is six letters and digits after the text', () => {
    fc.assert(
      fc.property(token, (text) => {
        const checked = withChecksum(text);
        assert.ok(checked.startsWith(text));
        assert.match(checked.slice(text.length), /^[0-9A-Za-z]{6}$/);
      }),
    );
  });

  test('detects every single wrong character', () => {
    fc.assert(
      fc.property(token, fc.nat(), letter, (text, at, other) => {
        const checked = withChecksum(text);
        const place = at % checked.length;
        fc.pre(checked[place] !== other);
        assert.ok(!hasChecksum(checked.slice(0, place) + other + checked.slice(place + 1)));
      }),
    );
  });

  test('detects a truncated token and two swapped adjacent characters', () => {
    const checked = withChecksum(`cu_${randomText(256)}`);
    for (let length = 0; length < checked.length; length++)
      assert.ok(!hasChecksum(checked.slice(0, length)), `${length} letters`);
    for (let i = 0; i + 1 < checked.length; i++) {
      const swapped = checked.slice(0, i) + checked[i + 1] + checked[i] + checked.slice(i + 2);
      assert.equal(hasChecksum(swapped), swapped === checked, swapped);
    }
  });

  test('is rejected if no text precedes it', () => {
    assert.ok(!hasChecksum(''));
    assert.ok(!hasChecksum(withChecksum('')));
  });
});
