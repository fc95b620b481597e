import { shardOfDevice } from '#src/domain/device.ts';
import { openPlaces } from '#src/domain/ledger.ts';
import type { RoutedDevice } from '#src/domain/routing.ts';
import { byDatabase, type Shards } from '#src/storage/database/database.ts';
import { type Device, findDevices, type Whereabouts } from '#src/storage/devices/devices.ts';
import type { Work } from '../context.ts';

/** One place of a slice, and who is there. */
export interface Place {
  readonly work: Work;
  readonly place: number;
  readonly deviceId: bigint;
  readonly generation: number;
}

export function placeOf(work: Work, place: number): Place {
  const { deviceIds, generations } = work.slice;
  return { work, place, deviceId: deviceIds[place] as bigint, generation: generations[place] as number };
}

/** The places that are open and have not answered. */
export function openPlacesOf(works: readonly Work[]): Place[] {
  return works.flatMap((work) =>
    openPlaces(work.slice.status, work.slice.received).map((place) => placeOf(work, place)),
  );
}

export const keyOf = ({ work, deviceId }: Place) => ({
  appId: work.slice.appId,
  shard: shardOfDevice(deviceId),
  deviceId,
});

/** Reads devices as they are now, wherever they live. */
export async function readDevices(shards: Shards, places: readonly Place[]): Promise<ReadonlyMap<bigint, Device>> {
  const groups = byDatabase(shards, places.map(keyOf), ({ shard }) => shard);
  const devices = await Promise.all([...groups].map(([db, keys]) => findDevices(db, keys)));
  return new Map(devices.flat().map((device) => [device.deviceId, device]));
}

/** The device of a place, unless it is gone or has changed hands since the task was expanded. */
export function sameOwner<T extends Pick<Device, 'generation'>>(
  devices: ReadonlyMap<bigint, T>,
  place: Place,
): T | undefined {
  const device = devices.get(place.deviceId);
  return device?.generation === place.generation ? device : undefined;
}

export function toRouted({ reach, latestDomestic, nativeTarget, gateway }: Whereabouts): RoutedDevice {
  return { reach, latestDomestic, nativeTarget, online: gateway !== null };
}
