import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { applyBadge, nativePayload } from './message.ts';

describe('payload of the Carillon channel', () => {
  test('contains the message, its IDs, which are equal strings, and its reference', () => {
    const text = '{"type":"text","title":"T","badge":"+1","ext":{"n":9223372036854775807}}';
    const payload = nativePayload({ taskId: 4_611_686_018_427_387_905n, bucket: 17, sliceNumber: 3 }, text);
    assert.equal(
      payload,
      '{"task_id":"4611686018427387905","message_id":"4611686018427387905","reference":"4611686018427387905.17.3","type":"text","title":"T","badge":"+1","ext":{"n":9223372036854775807}}',
    );
  });

  test('is one JSON object for any message', () => {
    const message = fc.record({
      type: fc.constantFrom('text', 'image', 'cmd'),
      badge: fc.stringMatching(/^\+?\d{1,9}$/),
      title: fc.string({ unit: 'binary' }),
      ext: fc.dictionary(fc.stringMatching(/^[a-z{}",:]*$/), fc.jsonValue()),
    });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 53n }), message, (taskId, given) => {
        const text = JSON.stringify(given);
        const read = JSON.parse(nativePayload({ taskId, bucket: 1, sliceNumber: 0 }, text)) as Record<string, unknown>;
        const id = taskId.toString();
        assert.deepEqual(read, { task_id: id, message_id: id, reference: `${id}.1.0`, ...JSON.parse(text) });
      }),
    );
  });
});

describe('a badge', () => {
  const cases: readonly (readonly [present: number, badge: string, moved: number])[] = [
    [0, '+1', 1],
    [4, '+1', 5],
    [4, '+0', 4],
    [4, '7', 7],
    [4, '0', 0],
    [4, '007', 7],
    [4, '+010', 14],
    [0, '999999999', 999_999_999],
    [2_147_483_647, '+1', 2_147_483_647],
    [2_147_483_000, '+999999999', 2_147_483_647],
  ];
  for (const [present, badge, moved] of cases)
    test(`of ${present} becomes ${moved} after a message with "${badge}"`, () =>
      assert.equal(applyBadge(present, badge), moved));

  test('stays a non-negative int32', () => {
    fc.assert(
      fc.property(fc.nat(), fc.stringMatching(/^\+?\d{1,9}$/), (present, badge) => {
        const moved = applyBadge(present, badge);
        assert.ok(Number.isInteger(moved) && moved >= 0 && moved < 2 ** 31, String(moved));
      }),
    );
  });
});
