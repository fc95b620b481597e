import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type MovingDevice, type ParentSlice, planHandOver, returnToInbox, triedChannelsOf } from './hand-over.ts';
import type { SliceChannel } from './slice.ts';
import { placeStatus } from './slice.ts';

const parent: ParentSlice = {
  ...{ taskId: 64n, bucket: 3, sliceNumber: 9, appId: 'app', channel: 'nativepush', lane: 'prompt', tried: [] },
  nativeSlice: null,
};
const movingDevice = (deviceId: bigint, channel: SliceChannel, toInbox = false): MovingDevice => ({
  deviceId,
  generation: 2,
  route: { channel, toInbox },
});

describe('a hand-over', () => {
  test('creates one slice per next channel, in the same shard', () => {
    const { children, returnedDeviceIds } = planHandOver(parent, [
      movingDevice(1n, 'fcm'),
      movingDevice(2n, 'apns'),
      movingDevice(3n, 'fcm'),
    ]);
    assert.deepEqual(
      children.map(({ channel, deviceIds, bucket, tried }) => [channel, deviceIds, bucket, tried]),
      [
        ['fcm', [1n, 3n], 3, ['nativepush']],
        ['apns', [2n], 3, ['nativepush']],
      ],
    );
    assert.ok(children.every(({ status }) => status.every((byte) => byte === placeStatus.planned)));
    assert.ok(children.every(({ nativeSlice }) => nativeSlice === 9));
    assert.equal(returnedDeviceIds.size, 0);
  });

  test('from a vendor returns devices to their place on the Carillon channel', () => {
    const fcm: ParentSlice = { ...parent, sliceNumber: 10, channel: 'fcm', tried: ['nativepush'], nativeSlice: 9 };
    const { children, returnedDeviceIds } = planHandOver(fcm, [
      movingDevice(1n, 'nativepush', true),
      movingDevice(2n, 'xiaomi'),
    ]);
    assert.deepEqual([...returnedDeviceIds], [1n]);
    assert.deepEqual(
      children.map(({ channel, nativeSlice, tried }) => [channel, nativeSlice, tried]),
      [['xiaomi', 9, ['nativepush', 'fcm']]],
    );
  });

  test('from a vendor creates a waiting slice for devices without a place on the Carillon channel', () => {
    const { children, returnedDeviceIds } = planHandOver({ ...parent, channel: 'fcm' }, [
      movingDevice(1n, 'nativepush', true),
    ]);
    assert.deepEqual([...(children[0]?.status ?? [])], [placeStatus.waiting]);
    assert.equal(returnedDeviceIds.size, 0);
  });

  test('creates no slice if no channel is left', () => {
    assert.deepEqual(planHandOver(parent, [movingDevice(1n, 'none')]).children, []);
  });

  test('keeps the list of tried channels', () => {
    assert.deepEqual([...triedChannelsOf({ tried: ['nativepush'], channel: 'fcm' })], ['nativepush', 'fcm']);
  });
});

test('only places that fell back return to the inbox', () => {
  const { fellBack, sent, waiting } = placeStatus;
  const native = { status: Uint8Array.of(fellBack, sent, fellBack), deviceIds: [1n, 2n, 3n] };
  assert.deepEqual([...returnToInbox(native, new Set([1n, 2n]))], [waiting, sent, fellBack]);
});
