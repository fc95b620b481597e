import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { backToInbox, handOverOf, type Mover, type Parent, triedWith } from './hand-over.ts';
import type { SliceChannel } from './slice.ts';
import { placeStatus } from './slice.ts';

const parent: Parent = {
  ...{ taskId: 64n, shard: 3, slice: 9, appId: 'app', channel: 'nativepush', lane: 'prompt', tried: [] },
  nativeSlice: null,
};
const mover = (deviceId: bigint, channel: SliceChannel, waits = false): Mover => ({
  deviceId,
  generation: 2,
  route: { channel, waits },
});

describe('a hand-over', () => {
  test('makes one slice per next channel, in the same shard', () => {
    const { children, back } = handOverOf(parent, [mover(1n, 'fcm'), mover(2n, 'apns'), mover(3n, 'fcm')]);
    assert.deepEqual(
      children.map(({ channel, deviceIds, shard, tried }) => [channel, deviceIds, shard, tried]),
      [
        ['fcm', [1n, 3n], 3, ['nativepush']],
        ['apns', [2n], 3, ['nativepush']],
      ],
    );
    assert.ok(children.every(({ status }) => status.every((byte) => byte === placeStatus.planned)));
    assert.ok(children.every(({ nativeSlice }) => nativeSlice === 9));
    assert.equal(back.size, 0);
  });

  test('of a vendor brings devices back to their place on the own channel', () => {
    const fcm: Parent = { ...parent, slice: 10, channel: 'fcm', tried: ['nativepush'], nativeSlice: 9 };
    const { children, back } = handOverOf(fcm, [mover(1n, 'nativepush', true), mover(2n, 'xiaomi')]);
    assert.deepEqual([...back], [1n]);
    assert.deepEqual(
      children.map(({ channel, nativeSlice, tried }) => [channel, nativeSlice, tried]),
      [['xiaomi', 9, ['nativepush', 'fcm']]],
    );
  });

  test('of a vendor makes a waiting slice for devices that have no place there', () => {
    const { children, back } = handOverOf({ ...parent, channel: 'fcm' }, [mover(1n, 'nativepush', true)]);
    assert.deepEqual([...(children[0]?.status ?? [])], [placeStatus.waiting]);
    assert.equal(back.size, 0);
  });

  test('goes nowhere when no channel is left', () => {
    assert.deepEqual(handOverOf(parent, [mover(1n, 'none')]).children, []);
  });

  test('does not forget what was tried', () => {
    assert.deepEqual([...triedWith({ tried: ['nativepush'], channel: 'fcm' })], ['nativepush', 'fcm']);
  });
});

test('only places that fell back wait again', () => {
  const { fellBack, sent, waiting } = placeStatus;
  const native = { status: Uint8Array.of(fellBack, sent, fellBack), deviceIds: [1n, 2n, 3n] };
  assert.deepEqual([...backToInbox(native, new Set([1n, 2n]))], [waiting, sent, fellBack]);
});
