import { bucketOfDevice } from '#src/domain/device.ts';
import { needsBadge } from '#src/domain/reach.ts';
import { firstRoute, type Route, type RouteRules } from '#src/domain/routing.ts';
import { placeStatus, SLICE_PLACES_MAX, type SliceState } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import type { BadgeChange } from '#src/storage/devices/badges.ts';
import type { DeviceGroup, DeviceRouting, Targets } from '#src/storage/devices/devices.ts';
import type { NewSlice } from '#src/storage/ledger/slices.ts';
import { toRoutedDevice } from '../send/work.ts';

/** The state of slices that any worker may claim immediately. */
export const UNCLAIMED = { state: 'ready', dueInMs: 0 } as const;

interface PartialSlice {
  readonly route: Route;
  placeCount: number;
  parts: Targets[];
}

/**
 * Routes devices and divides them into slices. A slice contains devices of one channel and, on the Carillon channel, of
 * one gateway, so that it can be sent in one request. Devices with the same routing are added as groups. Slices that
 * are not full are returned at the end.
 */
export class Slicer {
  readonly #task: Task;
  readonly #rules: RouteRules;
  readonly #bucket: number;
  /** The initial state of slices: leased by the worker that creates them, or ready for any worker. */
  readonly #initialState: { readonly state: SliceState; readonly dueInMs: number };
  readonly #partials = new Map<string, PartialSlice>();
  readonly #devicesWithBadge: Targets[] = [];

  constructor(options: {
    task: Task;
    rules: RouteRules;
    bucket: number;
    initialState: { readonly state: SliceState; readonly dueInMs: number };
  }) {
    this.#task = options.task;
    this.#rules = options.rules;
    this.#bucket = options.bucket;
    this.#initialState = options.initialState;
  }

  /** Adds devices and returns the slices that became full. */
  add(groups: readonly DeviceGroup[]): NewSlice[] {
    const completeSlices: NewSlice[] = [];
    for (const group of groups) {
      const partial = this.#partialFor(group);
      if (needsBadge(group.reach) && partial.route.channel !== 'none') this.#devicesWithBadge.push(group);
      for (let remaining: Targets | undefined = group; remaining; ) {
        const part = firstTargets(remaining, SLICE_PLACES_MAX - partial.placeCount);
        partial.parts.push(part);
        partial.placeCount += part.placeCount;
        remaining = remainingTargets(remaining, part);
        if (partial.placeCount === SLICE_PLACES_MAX) completeSlices.push(this.#complete(partial));
      }
    }
    return completeSlices;
  }

  /** Returns the remaining slices, which are only partly filled. */
  flush(): NewSlice[] {
    return [...this.#partials.values()]
      .filter(({ placeCount }) => placeCount > 0)
      .map((partial) => this.#complete(partial));
  }

  /**
   * The changes that the task makes to the badges of the devices added so far. They do not depend on the channel, so
   * that the number is right if a later notification is sent through APNs.
   */
  get badgeChanges(): BadgeChange[] {
    const { appId, message } = this.#task;
    if (message.type === 'cmd' || message.badge === '+0') return [];
    return this.#devicesWithBadge.flatMap(({ deviceIds, generations }) => {
      const generationOf = generations.split(',');
      return deviceIds.split(',').map((id, i) => {
        const deviceId = BigInt(id);
        const generation = Number(generationOf[i]);
        return { appId, bucket: bucketOfDevice(deviceId), deviceId, generation, badge: message.badge };
      });
    });
  }

  #partialFor(group: DeviceGroup): PartialSlice {
    const route = firstRoute(this.#rules, toRoutedDevice(group));
    const key = partialKey(route, group);
    let partial = this.#partials.get(key);
    if (!partial) {
      partial = { route, placeCount: 0, parts: [] };
      this.#partials.set(key, partial);
    }
    return partial;
  }

  #complete(partial: PartialSlice): NewSlice {
    const { route, placeCount, parts } = partial;
    partial.placeCount = 0;
    partial.parts = [];
    const unreachable = route.channel === 'none';
    const status = unreachable ? placeStatus.failed : route.toInbox ? placeStatus.waiting : placeStatus.planned;
    return {
      taskId: this.#task.taskId,
      bucket: this.#bucket,
      appId: this.#task.appId,
      channel: route.channel,
      lane: this.#task.lane,
      ...(unreachable ? { state: 'closed', dueInMs: 0 } : this.#initialState),
      tried: [],
      nativeSlice: null,
      status: Buffer.alloc(placeCount, status),
      placeCount,
      deviceIds: parts.map(({ deviceIds }) => deviceIds).join(','),
      generations: parts.map(({ generations }) => generations).join(','),
    };
  }
}

function partialKey({ channel, toInbox }: Route, { gateway }: DeviceRouting): string {
  return channel === 'nativepush' && !toInbox ? `${channel}\0${gateway}` : `${channel}\0${toInbox}`;
}

/** Returns up to `room` targets from the start of the list. */
function firstTargets(targets: Targets, room: number): Targets {
  if (targets.placeCount <= room) return targets;
  const first = (list: string) => list.slice(0, offsetAfter(list, room));
  return { placeCount: room, deviceIds: first(targets.deviceIds), generations: first(targets.generations) };
}

function remainingTargets({ placeCount, deviceIds, generations }: Targets, first: Targets): Targets | undefined {
  if (placeCount === first.placeCount) return undefined;
  return {
    placeCount: placeCount - first.placeCount,
    deviceIds: deviceIds.slice(first.deviceIds.length + 1),
    generations: generations.slice(first.generations.length + 1),
  };
}

/** Returns the offset at which the first `count` numbers of a list end. */
function offsetAfter(list: string, count: number): number {
  let end = -1;
  for (let i = 0; i < count; i++) end = list.indexOf(',', end + 1);
  return end;
}
