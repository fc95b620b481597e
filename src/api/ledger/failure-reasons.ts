import { bucketOfDevice } from '#src/domain/device.ts';
import { sliceKeyText } from '#src/domain/slice.ts';
import { countFailures, type FailureCount } from '#src/domain/trace/trace-events.ts';
import { settleAvailable } from '#src/foundation/settle-all.ts';
import { byDatabase, type Shards } from '#src/storage/database/database.ts';
import { findDevices } from '#src/storage/devices/devices.ts';
import { type FailedSlice, findPlaceDevices, type SlicePlace } from '#src/storage/ledger/statistics.ts';

/** Maximum number of reasons per channel. */
const REASONS_MAX = 100;
/** Places per reason that may become the example, because users log out of devices. */
const EXAMPLES_TRIED_MAX = 3;

/** A reason for which devices were not reached through a channel. */
export interface FailureReason {
  readonly code: FailureCount['code'];
  readonly detail: string | null;
  readonly count: bigint;
  readonly places: readonly SlicePlace[];
}

/** Adds up the failures of slices by reason, the most frequent first. */
export function sumFailures(slices: readonly FailedSlice[]): FailureReason[] {
  const failures = slices.flatMap((slice) =>
    countFailures(slice.history, slice.sent).map(({ firstPlace, ...failure }) => ({
      ...failure,
      place: { taskId: slice.taskId, bucket: slice.bucket, sliceNumber: slice.sliceNumber, index: firstPlace },
    })),
  );
  const byReason = Map.groupBy(failures, ({ code, detail }) => JSON.stringify([code, detail]));
  return [...byReason.values()]
    .map((same) => {
      const [{ code, detail }] = same as [(typeof failures)[number], ...typeof failures];
      const count = BigInt(same.reduce((sum, failure) => sum + failure.count, 0));
      return { code, detail, count, places: same.slice(0, EXAMPLES_TRIED_MAX).map(({ place }) => place) };
    })
    .sort((a, b) => Number(b.count - a.count))
    .slice(0, REASONS_MAX);
}

/**
 * Finds the push tokens of these places of a task. A place has none if the login on the device has ended since, or if its
 * database is unavailable.
 */
export async function findPushTokens(
  shards: Shards,
  { appId, taskId }: { readonly appId: string; readonly taskId: bigint },
  places: readonly SlicePlace[],
): Promise<ReadonlyMap<string, string>> {
  const bySlice = [...byDatabase(shards, places, ({ bucket }) => bucket)];
  const found = (await settleAvailable(bySlice.map(([db, group]) => findPlaceDevices(db, taskId, group)))).flat();
  const keys = found.map(({ deviceId }) => ({ appId, bucket: bucketOfDevice(deviceId), deviceId }));
  const byDevice = [...byDatabase(shards, keys, ({ bucket }) => bucket)];
  const devices = (await settleAvailable(byDevice.map(([db, group]) => findDevices(db, group)))).flat();
  const deviceById = new Map(devices.map((device) => [device.deviceId, device]));
  return new Map(
    found.flatMap(({ deviceId, generation, ...place }) => {
      const device = deviceById.get(deviceId);
      return device?.userId != null && device.generation === generation ? [[keyOf(place), device.pushToken]] : [];
    }),
  );
}

/** Returns the push token of the first place that has one, or null. */
export const exampleOf = ({ places }: FailureReason, pushTokens: ReadonlyMap<string, string>): string | null =>
  places.map((place) => pushTokens.get(keyOf(place))).find((pushToken) => pushToken !== undefined) ?? null;

const keyOf = (place: SlicePlace): string => `${sliceKeyText(place)} ${place.index}`;
