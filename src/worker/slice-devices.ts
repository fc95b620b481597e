import { firstRoute, type Route, type RouteRules } from '#src/domain/routing.ts';
import { placeStatus, SLICE_PLACES_MAX, type SliceState } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import type { Device } from '#src/truth/devices.ts';
import type { NewSlice } from '#src/truth/slices.ts';
import { toRouted } from './devices.ts';

interface Gathering {
  readonly route: Route;
  devices: Device[];
}

/**
 * Routes devices and cuts them into slices: per channel, and on the own channel per gateway, so that a slice is one
 * request. Takes devices as they come; what does not fill a slice is given out at the end.
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
  add(devices: readonly Device[]): NewSlice[] {
    const full: NewSlice[] = [];
    for (const device of devices) {
      const route = firstRoute(this.#rules, toRouted(device));
      const key = groupOf(route, device);
      let gathering = this.#gathering.get(key);
      if (!gathering) {
        gathering = { route, devices: [] };
        this.#gathering.set(key, gathering);
      }
      gathering.devices.push(device);
      if (gathering.devices.length < SLICE_PLACES_MAX) continue;
      full.push(this.#slice(gathering));
      gathering.devices = [];
    }
    return full;
  }

  /** Answers the slices that are left, full or not. */
  rest(): NewSlice[] {
    return [...this.#gathering.values()]
      .filter(({ devices }) => devices.length > 0)
      .map((gathering) => this.#slice(gathering));
  }

  #slice({ route, devices }: Gathering): NewSlice {
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
      status: Buffer.alloc(devices.length, status),
      deviceIds: devices.map(({ deviceId }) => deviceId),
      generations: devices.map(({ generation }) => generation),
    };
  }
}

function groupOf({ channel, waits }: Route, { gateway }: Device): string {
  return channel === 'nativepush' && !waits ? `${channel}\0${gateway}` : `${channel}\0${waits}`;
}
