import { bucketOfDevice } from '#src/domain/device.ts';
import { openPlaces, withMarkedAsSent } from '#src/domain/ledger.ts';
import type { RoutedDevice } from '#src/domain/routing.ts';
import type { Task } from '#src/domain/task.ts';
import { byDatabase, type Shards } from '#src/storage/database/database.ts';
import type { Binding } from '#src/storage/devices/bindings.ts';
import { type Device, type DeviceRouting, findDevices } from '#src/storage/devices/devices.ts';
import type { ClaimedSlice } from '#src/storage/ledger/slices.ts';
import type { BreakerAccount } from '../accounts/breakers.ts';

/** A claimed slice with its task. */
export interface Work {
  readonly slice: ClaimedSlice;
  readonly task: Task;
  /** The time on this worker's monotonic clock just before the write that claimed the slice. */
  readonly acquiredAtMs: number;
  /** The devices of the slice, if they were already read when the slice was created. */
  readonly devices?: ReadonlyMap<bigint, Device>;
}

/**
 * Returns the work on a claimed slice. Places that a vendor has accepted according to their sent bits are ended: their
 * previous holder could record the acceptance, but not the result. They are not sent again.
 */
export function toWork(slice: ClaimedSlice, task: Task, acquiredAtMs: number): Work {
  if (slice.channel === 'nativepush' || !slice.sent.includes('1')) return { slice, task, acquiredAtMs };
  return { slice: { ...slice, status: withMarkedAsSent(slice.status, slice.sent) }, task, acquiredAtMs };
}

/** One place of a slice, with its device. */
export interface Place {
  readonly work: Work;
  readonly index: number;
  readonly deviceId: bigint;
  readonly generation: number;
}

/** A vendor call to make for one place, with the vendor token and the account to use. */
export interface PlannedCall {
  readonly place: Place;
  readonly binding: Binding;
  readonly account: BreakerAccount;
  /** The class whose daily quota applies. Empty if one quota covers all messages. */
  readonly messageClass: string;
  /** Whether this is the one call that a tripped breaker lets through. */
  readonly probe: boolean;
}

/**
 * Returns the user whose suspect token indicates wrong credentials. Returns undefined for a task that a user created,
 * because a user could otherwise pause the channel of the app with invented tokens.
 */
export const countedUserOf = ({ place, binding }: Pick<PlannedCall, 'place' | 'binding'>): string | undefined =>
  place.work.task.byUser ? undefined : `${binding.userId}`;

export function placeOf(work: Work, index: number): Place {
  const { deviceIds, generations } = work.slice;
  return { work, index, deviceId: deviceIds[index] as bigint, generation: generations[index] as number };
}

/** Returns the places that are open and not acknowledged. */
export function openPlacesOf(works: readonly Work[]): Place[] {
  return works.flatMap((work) =>
    openPlaces(work.slice.status, work.slice.received).map((index) => placeOf(work, index)),
  );
}

export const deviceKey = ({ work, deviceId }: Place) => ({
  appId: work.slice.appId,
  bucket: bucketOfDevice(deviceId),
  deviceId,
});

/** Reads the current state of devices, in any bucket. */
export async function readDevices(shards: Shards, places: readonly Place[]): Promise<ReadonlyMap<bigint, Device>> {
  const groups = byDatabase(shards, places.map(deviceKey), ({ bucket }) => bucket);
  const devices = await Promise.all([...groups].map(([db, keys]) => findDevices(db, keys)));
  return new Map(devices.flat().map((device) => [device.deviceId, device]));
}

/**
 * Returns the device of a place. Returns undefined if the device was deleted or logged out since the task was
 * expanded.
 */
export function deviceOfSameLogin<T extends Pick<Device, 'generation'>>(
  devices: ReadonlyMap<bigint, T>,
  place: Place,
): T | undefined {
  const device = devices.get(place.deviceId);
  return device?.generation === place.generation ? device : undefined;
}

export function toRoutedDevice({ reach, latestDomestic, nativeTarget, gateway }: DeviceRouting): RoutedDevice {
  return { reach, latestDomestic, nativeTarget, online: gateway !== null };
}
