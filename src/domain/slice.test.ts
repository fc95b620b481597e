import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseReference, sliceDefect, sliceKeyText } from './slice.ts';

describe('a reference', () => {
  test('identifies the slice from which it was created', () => {
    for (const key of [
      { taskId: 115_258_093_993_985n, bucket: 17, sliceNumber: 3 },
      { taskId: 9_007_199_254_740_991n, bucket: 63, sliceNumber: 2_147_483_647 },
      { taskId: 1n, bucket: 0, sliceNumber: 0 },
    ])
      assert.deepEqual(parseReference(sliceKeyText(key)), key);
  });

  test('that is not from Carillon identifies no slice', () => {
    for (const text of [
      '',
      'x',
      '1.2',
      '1.2.3.4',
      '1.4096.3',
      '1.2.2147483648',
      '-1.2.3',
      '1.2.x',
      ' 1.2.3',
      '1.2.3\n',
      '1e3.2.3',
    ])
      assert.equal(parseReference(text), undefined, JSON.stringify(text));
    assert.equal(parseReference(`${'9'.repeat(17)}.1.1`), undefined);
  });
});

describe('sliceDefect', () => {
  const slice = {
    ...{ placeCount: 2, status: Buffer.from([0, 10]), sent: '01', received: '00' },
    ...{ deviceIds: [1n, 2n], generations: [1, 1] },
  };

  test('accepts a slice with one item per place in every column', () => {
    assert.equal(sliceDefect(slice), undefined);
  });

  test('names the column with another number of places', () => {
    assert.equal(
      sliceDefect({ ...slice, status: Buffer.from([0]) }),
      'The column status of the slice has 1 places instead of 2.',
    );
    assert.match(sliceDefect({ ...slice, deviceIds: [] }) as string, /^The column deviceIds /);
  });

  test('rejects an unknown status', () => {
    assert.equal(sliceDefect({ ...slice, status: Buffer.from([0, 9]) }), 'The status of a place is unknown.');
  });
});
