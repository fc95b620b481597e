import type { Route } from './routing.ts';
import { placeStatus, type SliceChannel } from './slice.ts';
import type { Lane } from './task.ts';

/** A slice whose places move to other channels. */
export interface ParentSlice {
  readonly taskId: bigint;
  readonly bucket: number;
  readonly sliceNumber: number;
  readonly appId: string;
  readonly channel: SliceChannel;
  readonly lane: Lane;
  readonly tried: readonly SliceChannel[];
  readonly nativeSlice: number | null;
}

/** A device that moves to another channel, and its route. */
export interface MovingDevice {
  readonly deviceId: bigint;
  readonly generation: number;
  readonly route: Route;
}

/**
 * A slice that continues another one. Both are in the same bucket, so that one commit closes the old slice and creates
 * the new one.
 */
export interface ChildSlice extends Omit<ParentSlice, 'sliceNumber'> {
  readonly status: Buffer;
  readonly deviceIds: readonly bigint[];
  readonly generations: readonly number[];
}

/** The result of a hand-over: new slices, and devices that return to their place on the Carillon channel. */
export interface HandOver {
  readonly children: readonly ChildSlice[];
  readonly returnedDeviceIds: ReadonlySet<bigint>;
}

/** Returns the channels that were tried for the devices of a slice, including its current one. */
export const triedChannelsOf = ({
  tried,
  channel,
}: Pick<ParentSlice, 'tried' | 'channel'>): ReadonlySet<SliceChannel> => new Set([...tried, channel]);

/**
 * Plans the hand-over of devices: one slice per next channel. A device has one place per task and channel, so a device
 * that came from the Carillon channel returns to its place there. Devices without a remaining channel are dropped.
 */
export function planHandOver(parent: ParentSlice, devices: readonly MovingDevice[]): HandOver {
  const returnsToNative = ({ route }: MovingDevice) => route.channel === 'nativepush' && parent.nativeSlice !== null;
  const onwardDevices = devices.filter((device) => !returnsToNative(device) && device.route.channel !== 'none');
  const { taskId, bucket, appId, lane } = parent;
  const children = [...Map.groupBy(onwardDevices, ({ route }) => route.channel)].map(
    ([channel, group]): ChildSlice => ({
      taskId,
      bucket,
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

/**
 * Returns the status bytes of a slice of the Carillon channel after a vendor chain has ended: the places of these
 * devices change from *fell back* to *waiting*.
 */
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
