import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Vendor } from '#src/domain/channel.ts';
import { reachBit } from '#src/domain/reach.ts';
import { firstRoute, type RouteRules } from '#src/domain/routing.ts';
import { placeStatus, SLICE_PLACES_MAX } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import type { DeviceGroup, Whereabouts } from '#src/storage/devices/devices.ts';
import type { NewSlice } from '#src/storage/ledger/slices.ts';
import { toRouted } from '../send/work.ts';
import { Slicer } from './slicer.ts';

const birth = { state: 'ready', nextInMs: 0 } as const;
const rules: RouteRules = {
  strategy: 'combined',
  ospushSequence: ['ups', 'fcm'],
  messageType: 'text',
  certified: reachBit('apns', 1) | reachBit('fcm', 1),
};
const task = { taskId: 7n, appId: 'app', lane: 'bulk' } as Task;

const at = (vendor: Vendor | null, rest: Partial<Whereabouts> = {}): Whereabouts => ({
  reach: vendor === null ? 0 : reachBit(vendor, 1),
  latestDomestic: null,
  nativeTarget: true,
  gateway: null,
  ...rest,
});
const everywhere: readonly Whereabouts[] = [
  at('apns'),
  at('apns', { nativeTarget: false }),
  at('fcm'),
  at('fcm', { gateway: 'g1' }),
  at(null, { gateway: 'g1' }),
  at(null, { gateway: 'g2' }),
  at(null),
  at('xiaomi', { latestDomestic: 'xiaomi' }),
  at(null, { nativeTarget: false }),
];

/** Groups of these sizes at these whereabouts, each device with a number of its own. */
function groupsOf(sizes: readonly (readonly [where: number, n: number])[]): DeviceGroup[] {
  let device = 0;
  return sizes.map(([where, n]) => {
    const numbers = Array.from({ length: n }, () => ++device);
    return {
      ...(everywhere[where] as Whereabouts),
      n,
      deviceIds: numbers.map((number) => number * 64).join(','),
      generations: numbers.map(generationOf).join(','),
    };
  });
}

const generationOf = (number: number): number => (number % 7 === 0 ? 10 + number : 1);

/** What must be the same for all devices of a slice. */
const wayOf = (where: Whereabouts): string => {
  const { channel, waits } = firstRoute(rules, toRouted(where));
  return `${channel} ${waits} ${channel === 'nativepush' && !waits ? where.gateway : ''}`;
};

const placesOf = ({ deviceIds, generations }: Pick<NewSlice, 'deviceIds' | 'generations'>) => {
  const all = generations.split(',').map(Number);
  return deviceIds.split(',').map((deviceId, i) => [Number(deviceId) / 64, all[i]] as const);
};

describe('cutting devices into slices', () => {
  const sizes = fc.array(fc.tuple(fc.nat(everywhere.length - 1), fc.integer({ min: 1, max: 1_300 })), {
    minLength: 1,
    maxLength: 40,
  });

  test('each device has one place with its generation, among its like; only the last slice of each way is not full', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 10 }), (given, perPage) => {
        const groups = groupsOf(given);
        const slicer = new Slicer({ task, rules, shard: 3, birth });
        const slices: NewSlice[] = [];
        for (let i = 0; i < groups.length; i += perPage) slices.push(...slicer.add(groups.slice(i, i + perPage)));
        const full = slices.length;
        slices.push(...slicer.rest());

        const wayOfDevice = new Map(groups.flatMap((group) => placesOf(group).map(([id]) => [id, wayOf(group)])));
        const placed = slices.flatMap(placesOf);
        assert.equal(placed.length, wayOfDevice.size);
        assert.equal(new Set(placed.map(([device]) => device)).size, wayOfDevice.size);
        for (const [device, generation] of placed) assert.equal(generation, generationOf(device));
        for (const [i, slice] of slices.entries()) {
          const ways = new Set(placesOf(slice).map(([device]) => wayOfDevice.get(device)));
          assert.equal(ways.size, 1);
          assert.equal([...ways][0]?.split(' ')[0], slice.channel);
          assert.equal(placesOf(slice).length, slice.n);
          assert.equal(slice.status.length, slice.n);
          assert.ok(i < full ? slice.n === SLICE_PLACES_MAX : slice.n < SLICE_PLACES_MAX);
        }
        assert.equal(slices.length - full, new Set(slices.slice(full).map((one) => wayOf(whereOf(groups, one)))).size);
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  test('who can be reached is ready, who cannot is closed at once, and who waits is waiting', () => {
    const slicer = new Slicer({ task, rules, shard: 3, birth });
    const groups = groupsOf(everywhere.map((_, where) => [where, 2]));
    assert.deepEqual(slicer.add(groups), []);
    assert.deepEqual(
      slicer.rest().map(({ channel, state, status, n }) => [channel, state, status[0], n]),
      [
        ['apns', 'ready', placeStatus.planned, 4],
        ['fcm', 'ready', placeStatus.planned, 2],
        ['nativepush', 'ready', placeStatus.planned, 4], // at g1, whatever else would reach them
        ['nativepush', 'ready', placeStatus.planned, 2], // at g2
        ['nativepush', 'ready', placeStatus.waiting, 4], // there is no certificate for xiaomi
        ['none', 'closed', placeStatus.failed, 2],
      ],
    );
  });
});

/** Where the first device of a slice is. */
function whereOf(groups: readonly DeviceGroup[], slice: NewSlice): Whereabouts {
  const first = slice.deviceIds.split(',')[0] as string;
  return groups.find(({ deviceIds }) => deviceIds.split(',').includes(first)) as DeviceGroup;
}
