import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { bitsOf, hasBit, noBits, orBits } from './bits.ts';

const size = fc.integer({ min: 1, max: 512 });
/** The size of a slice and two sets of places in it. */
const twoSets = size.chain((n) => {
  const places = fc.uniqueArray(fc.integer({ min: 0, max: n - 1 }));
  return fc.tuple(fc.constant(n), places, places);
});

describe('bits', () => {
  test('are formatted as PostgreSQL prints them: the first place is the leftmost bit', () => {
    assert.equal(bitsOf(8, [0, 3, 7]), '10010001');
    assert.equal(bitsOf(3, []), '000');
    assert.equal(noBits(4), '0000');
    assert.equal(bitsOf(2, [1, 1, 1]), '01');
  });

  test('contain exactly the given places', () => {
    fc.assert(
      fc.property(twoSets, ([n, places]) => {
        const bits = bitsOf(n, new Set(places));
        assert.equal(bits.length, n);
        for (let place = 0; place < n; place++) assert.equal(hasBit(bits, place), places.includes(place));
      }),
    );
  });

  test('have no places beyond the end', () => {
    assert.ok(!hasBit('1', 1));
    assert.ok(!hasBit('', 0));
  });

  test('contain the places of both sets when combined, in any order and any number of times', () => {
    fc.assert(
      fc.property(twoSets, ([n, a, b]) => {
        const [bitsA, bitsB] = [bitsOf(n, a), bitsOf(n, b)];
        const both = orBits(bitsA, bitsB);
        assert.equal(both, bitsOf(n, [...a, ...b]));
        assert.equal(both, orBits(bitsB, bitsA));
        assert.equal(orBits(both, bitsA), both);
        assert.equal(orBits(noBits(n), bitsA), bitsA);
      }),
    );
  });
});
