import type { Route } from './routing.ts';
import { placeStatus, type SliceChannel } from './slice.ts';
import type { Lane } from './task.ts';

/** A slice whose places go on elsewhere. */
export interface Parent {
  readonly taskId: bigint;
  readonly shard: number;
  readonly slice: number;
  readonly appId: string;
  readonly channel: SliceChannel;
  readonly lane: Lane;
  readonly tried: readonly SliceChannel[];
  readonly nativeSlice: number | null;
}

/** A device that goes on, and its way. */
export interface Mover {
  readonly deviceId: bigint;
  readonly generation: number;
  readonly route: Route;
}

/** A slice that continues another one, in the same shard, so that one commit closes the one and makes the other. */
export interface Child extends Omit<Parent, 'slice'> {
  readonly status: Buffer;
  readonly deviceIds: readonly bigint[];
  readonly generations: readonly number[];
}

/** What a hand-over does: new slices, and devices that go back to their place on the own channel. */
export interface HandOver {
  readonly children: readonly Child[];
  readonly back: ReadonlySet<bigint>;
}

/** The channels that the devices of a slice have been tried on, its own among them. */
export const triedWith = ({ tried, channel }: Pick<Parent, 'tried' | 'channel'>): ReadonlySet<SliceChannel> =>
  new Set([...tried, channel]);

/**
 * Where the devices of a slice go on: one slice per next channel. A device has one place per task and channel, so one
 * that came from the own channel goes back to its place there, and one that no channel is left for goes nowhere.
 */
export function handOverOf(parent: Parent, movers: readonly Mover[]): HandOver {
  const isBack = ({ route }: Mover) => route.channel === 'nativepush' && parent.nativeSlice !== null;
  const onward = movers.filter((mover) => !isBack(mover) && mover.route.channel !== 'none');
  const { taskId, shard, appId, lane } = parent;
  const children = [...Map.groupBy(onward, ({ route }) => route.channel)].map(
    ([channel, group]): Child => ({
      taskId,
      shard,
      appId,
      lane,
      channel,
      tried: [...parent.tried, parent.channel],
      nativeSlice: parent.channel === 'nativepush' ? parent.slice : parent.nativeSlice,
      status: Buffer.alloc(group.length, group[0]?.route.waits ? placeStatus.waiting : placeStatus.planned),
      deviceIds: group.map(({ deviceId }) => deviceId),
      generations: group.map(({ generation }) => generation),
    }),
  );
  return { children, back: new Set(movers.filter(isBack).map(({ deviceId }) => deviceId)) };
}

/** The end of a vendor chain: the places of these devices on the own channel turn from *fell back* to *waiting*. */
export function backToInbox(
  native: { readonly status: Uint8Array; readonly deviceIds: readonly bigint[] },
  back: ReadonlySet<bigint>,
): Buffer {
  const status = Buffer.from(native.status);
  native.deviceIds.forEach((deviceId, place) => {
    if (back.has(deviceId) && status[place] === placeStatus.fellBack) status[place] = placeStatus.waiting;
  });
  return status;
}
