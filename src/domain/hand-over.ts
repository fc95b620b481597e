import type { Route } from './routing.ts';
import { placeStatus, type SliceChannel } from './slice.ts';
import type { Lane } from './task.ts';

/** A slice whose places go on elsewhere. */
export interface ParentSlice {
  readonly taskId: bigint;
  readonly shard: number;
  readonly sliceNumber: number;
  readonly appId: string;
  readonly channel: SliceChannel;
  readonly lane: Lane;
  readonly tried: readonly SliceChannel[];
  readonly nativeSlice: number | null;
}

/** A device that goes on, and its way. */
export interface MovingDevice {
  readonly deviceId: bigint;
  readonly generation: number;
  readonly route: Route;
}

/** A slice that continues another one, in the same shard, so that one commit closes the one and makes the other. */
export interface ChildSlice extends Omit<ParentSlice, 'sliceNumber'> {
  readonly status: Buffer;
  readonly deviceIds: readonly bigint[];
  readonly generations: readonly number[];
}

/** What a hand-over does: new slices, and devices that go back to their place on the own channel. */
export interface HandOver {
  readonly children: readonly ChildSlice[];
  readonly returnedDeviceIds: ReadonlySet<bigint>;
}

/** The channels that the devices of a slice have been tried on, its own among them. */
export const triedChannelsOf = ({
  tried,
  channel,
}: Pick<ParentSlice, 'tried' | 'channel'>): ReadonlySet<SliceChannel> => new Set([...tried, channel]);

/**
 * Where the devices of a slice go on: one slice per next channel. A device has one place per task and channel, so one
 * that came from the own channel goes back to its place there, and one that no channel is left for goes nowhere.
 */
export function planHandOver(parent: ParentSlice, devices: readonly MovingDevice[]): HandOver {
  const returnsToNative = ({ route }: MovingDevice) => route.channel === 'nativepush' && parent.nativeSlice !== null;
  const onwardDevices = devices.filter((device) => !returnsToNative(device) && device.route.channel !== 'none');
  const { taskId, shard, appId, lane } = parent;
  const children = [...Map.groupBy(onwardDevices, ({ route }) => route.channel)].map(
    ([channel, group]): ChildSlice => ({
      taskId,
      shard,
      appId,
      lane,
      channel,
      tried: [...parent.tried, parent.channel],
      nativeSlice: parent.channel === 'nativepush' ? parent.sliceNumber : parent.nativeSlice,
      status: Buffer.alloc(group.length, group[0]?.route.toInbox ? placeStatus.waiting : placeStatus.planned),
      deviceIds: group.map(({ deviceId }) => deviceId),
      generations: group.map(({ generation }) => generation),
    }),
  );
  return { children, returnedDeviceIds: new Set(devices.filter(returnsToNative).map(({ deviceId }) => deviceId)) };
}

/** The end of a vendor chain: the places of these devices on the own channel turn from *fell back* to *waiting*. */
export function returnToInbox(
  native: { readonly status: Uint8Array; readonly deviceIds: readonly bigint[] },
  returnedDeviceIds: ReadonlySet<bigint>,
): Buffer {
  const status = Buffer.from(native.status);
  native.deviceIds.forEach((deviceId, place) => {
    if (returnedDeviceIds.has(deviceId) && status[place] === placeStatus.fellBack) status[place] = placeStatus.waiting;
  });
  return status;
}
