import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { VendorName } from '#src/domain/channel.ts';
import { reachBit } from '#src/domain/reach.ts';
import { firstRoute, type RouteRules } from '#src/domain/routing.ts';
import { placeStatus, SLICE_PLACES_MAX } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import type { DeviceGroup, DeviceRouting } from '#src/storage/devices/devices.ts';
import type { NewSlice } from '#src/storage/ledger/slices.ts';
import { toRoutedDevice } from '../send/work.ts';
import { Slicer } from './slicer.ts';

const initialState = { state: 'ready', dueInMs: 0 } as const;
const rules: RouteRules = {
  strategy: 'combined',
  ospushSequence: ['ups', 'fcm'],
  messageType: 'text',
  credentialReach: reachBit('apns', 1) | reachBit('fcm', 1),
};
const task = { taskId: 7n, appId: 'app', lane: 'bulk' } as Task;

const whereaboutsWith = (vendor: VendorName | null, rest: Partial<DeviceRouting> = {}): DeviceRouting => ({
  reach: vendor === null ? 0 : reachBit(vendor, 1),
  latestDomestic: null,
  nativeTarget: true,
  gateway: null,
  ...rest,
});
const allWhereabouts: readonly DeviceRouting[] = [
  whereaboutsWith('apns'),
  whereaboutsWith('apns', { nativeTarget: false }),
  whereaboutsWith('fcm'),
  whereaboutsWith('fcm', { gateway: 'g1' }),
  whereaboutsWith(null, { gateway: 'g1' }),
  whereaboutsWith(null, { gateway: 'g2' }),
  whereaboutsWith(null),
  whereaboutsWith('xiaomi', { latestDomestic: 'xiaomi' }),
  whereaboutsWith(null, { nativeTarget: false }),
];

/** Returns groups with the given sizes and routing data. Each device has a different number. */
function groupsOf(sizes: readonly (readonly [whereaboutsIndex: number, placeCount: number])[]): DeviceGroup[] {
  let device = 0;
  return sizes.map(([whereaboutsIndex, placeCount]) => {
    const numbers = Array.from({ length: placeCount }, () => ++device);
    return {
      ...(allWhereabouts[whereaboutsIndex] as DeviceRouting),
      placeCount,
      deviceIds: numbers.map((number) => number * 64).join(','),
      generations: numbers.map(generationOf).join(','),
    };
  });
}

const generationOf = (number: number): number => (number % 7 === 0 ? 10 + number : 1);

/** Returns the part of the routing data that must be the same for all devices of a slice. */
const routeKeyOf = (whereabouts: DeviceRouting): string => {
  const { channel, toInbox } = firstRoute(rules, toRoutedDevice(whereabouts));
  return `${channel} ${toInbox} ${channel === 'nativepush' && !toInbox ? whereabouts.gateway : ''}`;
};

const placesOf = ({ deviceIds, generations }: Pick<NewSlice, 'deviceIds' | 'generations'>) => {
  const all = generations.split(',').map(Number);
  return deviceIds.split(',').map((deviceId, i) => [Number(deviceId) / 64, all[i]] as const);
};

describe('slicer', () => {
  const sizes = fc.array(fc.tuple(fc.nat(allWhereabouts.length - 1), fc.integer({ min: 1, max: 1_300 })), {
    minLength: 1,
    maxLength: 40,
  });

  test('gives each device one place with its generation in a slice of its route, and leaves only the last slice of each route partly filled', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 10 }), (groupSizes, perPage) => {
        const groups = groupsOf(groupSizes);
        const slicer = new Slicer({ task, rules, bucket: 3, initialState });
        const slices: NewSlice[] = [];
        for (let i = 0; i < groups.length; i += perPage) slices.push(...slicer.add(groups.slice(i, i + perPage)));
        const full = slices.length;
        slices.push(...slicer.flush());

        const routeKeyByDevice = new Map(
          groups.flatMap((group) => placesOf(group).map(([id]) => [id, routeKeyOf(group)])),
        );
        const placed = slices.flatMap(placesOf);
        assert.equal(placed.length, routeKeyByDevice.size);
        assert.equal(new Set(placed.map(([device]) => device)).size, routeKeyByDevice.size);
        for (const [device, generation] of placed) assert.equal(generation, generationOf(device));
        for (const [i, slice] of slices.entries()) {
          const routeKeys = new Set(placesOf(slice).map(([device]) => routeKeyByDevice.get(device)));
          assert.equal(routeKeys.size, 1);
          assert.equal([...routeKeys][0]?.split(' ')[0], slice.channel);
          assert.equal(placesOf(slice).length, slice.placeCount);
          assert.equal(slice.status.length, slice.placeCount);
          assert.ok(i < full ? slice.placeCount === SLICE_PLACES_MAX : slice.placeCount < SLICE_PLACES_MAX);
        }
        assert.equal(
          slices.length - full,
          new Set(slices.slice(full).map((slice) => routeKeyOf(whereaboutsOf(groups, slice)))).size,
        );
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  test('creates ready slices for reachable devices, waiting places for offline devices and closed slices for unreachable devices', () => {
    const slicer = new Slicer({ task, rules, bucket: 3, initialState });
    const groups = groupsOf(allWhereabouts.map((_, whereaboutsIndex) => [whereaboutsIndex, 2]));
    assert.deepEqual(slicer.add(groups), []);
    assert.deepEqual(
      slicer.flush().map(({ channel, state, status, placeCount }) => [channel, state, status[0], placeCount]),
      [
        ['apns', 'ready', placeStatus.planned, 4],
        ['fcm', 'ready', placeStatus.planned, 2],
        ['nativepush', 'ready', placeStatus.planned, 4], // at g1, including devices that FCM can reach
        ['nativepush', 'ready', placeStatus.planned, 2], // at g2
        ['nativepush', 'ready', placeStatus.waiting, 4], // including Xiaomi devices, because there are no credentials for Xiaomi
        ['none', 'closed', placeStatus.failed, 2],
      ],
    );
  });
});

/** Returns the routing data of the first device of a slice. */
function whereaboutsOf(groups: readonly DeviceGroup[], slice: NewSlice): DeviceRouting {
  const first = slice.deviceIds.split(',')[0] as string;
  return groups.find(({ deviceIds }) => deviceIds.split(',').includes(first)) as DeviceGroup;
}
