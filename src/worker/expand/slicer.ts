import { firstRoute, type Route, type RouteRules } from '#src/domain/routing.ts';
import { placeStatus, SLICE_PLACES_MAX, type SliceState } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import type { DeviceGroup, Targets, Whereabouts } from '#src/storage/devices/devices.ts';
import type { NewSlice } from '#src/storage/ledger/slices.ts';
import { toRouted } from '../send/work.ts';

interface Gathering {
  readonly route: Route;
  n: number;
  parts: Targets[];
}

/**
 * Routes devices and cuts them into slices: per channel, and on the own channel per gateway, so that a slice is one
 * request. Takes devices as they come, alike ones together; what does not fill a slice is given out at the end.
 */
export class Slicer {
  readonly #task: Task;
  readonly #rules: RouteRules;
  readonly #shard: number;
  /** How new slices begin: held by their maker, or left to whoever asks first. */
  readonly #birth: { readonly state: SliceState; readonly nextInMs: number };
  readonly #gathering = new Map<string, Gathering>();

  constructor(options: {
    task: Task;
    rules: RouteRules;
    shard: number;
    birth: { readonly state: SliceState; readonly nextInMs: number };
  }) {
    this.#task = options.task;
    this.#rules = options.rules;
    this.#shard = options.shard;
    this.#birth = options.birth;
  }

  /** Answers the slices that became full. */
  add(groups: readonly DeviceGroup[]): NewSlice[] {
    const full: NewSlice[] = [];
    for (const group of groups) {
      const gathering = this.#gatheringFor(group);
      for (let rest: Targets | undefined = group; rest; ) {
        const part = firstOf(rest, SLICE_PLACES_MAX - gathering.n);
        gathering.parts.push(part);
        gathering.n += part.n;
        rest = restOf(rest, part);
        if (gathering.n === SLICE_PLACES_MAX) full.push(this.#take(gathering));
      }
    }
    return full;
  }

  /** Answers the slices that are left, full or not. */
  rest(): NewSlice[] {
    return [...this.#gathering.values()].filter(({ n }) => n > 0).map((gathering) => this.#take(gathering));
  }

  #gatheringFor(group: DeviceGroup): Gathering {
    const route = firstRoute(this.#rules, toRouted(group));
    const key = keyOf(route, group);
    let gathering = this.#gathering.get(key);
    if (!gathering) {
      gathering = { route, n: 0, parts: [] };
      this.#gathering.set(key, gathering);
    }
    return gathering;
  }

  #take(gathering: Gathering): NewSlice {
    const { route, n, parts } = gathering;
    gathering.n = 0;
    gathering.parts = [];
    const unreachable = route.channel === 'none';
    const status = unreachable ? placeStatus.failed : route.waits ? placeStatus.waiting : placeStatus.planned;
    return {
      taskId: this.#task.taskId,
      shard: this.#shard,
      appId: this.#task.appId,
      channel: route.channel,
      lane: this.#task.lane,
      ...(unreachable ? { state: 'closed', nextInMs: 0 } : this.#birth),
      tried: [],
      nativeSlice: null,
      status: Buffer.alloc(n, status),
      n,
      deviceIds: parts.map(({ deviceIds }) => deviceIds).join(','),
      generations: parts.map(({ generations }) => generations).join(','),
    };
  }
}

function keyOf({ channel, waits }: Route, { gateway }: Whereabouts): string {
  return channel === 'nativepush' && !waits ? `${channel}\0${gateway}` : `${channel}\0${waits}`;
}

/** As many of them as there is room for. */
function firstOf(targets: Targets, room: number): Targets {
  if (targets.n <= room) return targets;
  const first = (list: string) => list.slice(0, endOf(list, room));
  return { n: room, deviceIds: first(targets.deviceIds), generations: first(targets.generations) };
}

function restOf({ n, deviceIds, generations }: Targets, first: Targets): Targets | undefined {
  if (n === first.n) return undefined;
  return {
    n: n - first.n,
    deviceIds: deviceIds.slice(first.deviceIds.length + 1),
    generations: generations.slice(first.generations.length + 1),
  };
}

/** Where the first so many numbers of a list end. */
function endOf(list: string, count: number): number {
  let end = -1;
  for (let i = 0; i < count; i++) end = list.indexOf(',', end + 1);
  return end;
}
