import { hasBit, noBits } from '#src/domain/bits.ts';
import { bucketOfDevice } from '#src/domain/device.ts';
import { openPlaces, withMarkedAsSent } from '#src/domain/ledger.ts';
import type { InboxEnd } from '#src/domain/place-outcome.ts';
import { applyInboxEnds } from '#src/domain/settle.ts';
import { isOpen, sliceKeyText } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import { inboxEndEvents } from '#src/domain/trace/trace-events.ts';
import { DELIVER_SECONDS_MAX, requestInboxRead } from '#src/signals/gateway.ts';
import { findInboxKeys, type InboxRow, insertInboxRows } from '#src/storage/devices/inbox.ts';
import { findSessions } from '#src/storage/devices/presence.ts';
import type { WorkerContext } from '../context.ts';
import { leaseStillCovers } from '../pacing/lease.ts';
import { cancelSlices } from './cancel.ts';
import { closeSlices } from './finish.ts';
import { deleteFromInbox, forEachDatabase, inboxKey } from './inbox-places.ts';
import { deviceKey, deviceOfSameLogin, openPlacesOf, type Place, placeOf, readDevices, type Work } from './work.ts';
import { writeSlicesOfAllShards } from './write-slices.ts';

/** A gateway that did not respond is asked again after this time. */
const GATEWAY_RETRY_MS = 2_000;
const ROWS_PER_INSERT_MAX = 2_000;
/**
 * An expired inbox row exists for at least this time. It is deleted a minute after its expiry on the clock of another
 * database. A missing row means only before this time that newer notifications displaced it.
 */
const INBOX_ROW_KEPT_MS = 30_000;

/**
 * Adds places to the inboxes of their devices. The order prevents lost wake-ups: the rows are committed before presence
 * is read, while a gateway announces a session before it reads the inbox.
 */
export async function waitInInbox(context: WorkerContext, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return;
  const now = context.clock.now();
  const expired = works.filter(({ task }) => expiryOf(context, task) <= now);
  await expire(context, expired, now);
  const unexpired = works.filter((work) => !expired.includes(work));
  // The previous worker may have crashed after it wrote these slices as waiting. Without this step they would stay open
  // until the notification expires.
  const acknowledged = unexpired.filter(({ slice }) => openPlaces(slice.status, slice.received).length === 0);
  await closeAcknowledged(context, acknowledged);
  const stillLeased = unexpired.filter(
    (work) => !acknowledged.includes(work) && leaseStillCovers(context, work.acquiredAtMs, DELIVER_SECONDS_MAX),
  );
  const waiting = openPlacesOf(stillLeased);
  const insertedKeys = new Set<string>();
  await forEachDatabase(context, waiting, async (db, places) => {
    for (let i = 0; i < places.length; i += ROWS_PER_INSERT_MAX) {
      const rows = places.slice(i, i + ROWS_PER_INSERT_MAX).map((place) => toInboxRow(context, place));
      for (const key of await insertInboxRows(db, rows)) insertedKeys.add(messageKey(key));
    }
  });
  const unreachedSlices = await wakeGateways(context, waiting);

  const written = await writeSlicesOfAllShards(
    context,
    stillLeased.map(({ slice, task }) => ({
      claimed: slice,
      status: withMarkedAsSent(slice.status, slice.received),
      sent: noBits(slice.placeCount),
      state: 'waiting',
      dueInMs: unreachedSlices.has(slice) ? GATEWAY_RETRY_MS : expiryOf(context, task).getTime() - now.getTime(),
      attempts: slice.attempts,
      historyEntries: [{ code: 'in-inbox', places: insertedPlaces(slice, insertedKeys) }],
    })),
  );
  const writtenWorks = stillLeased.flatMap((work) => {
    const row = written.get(sliceKeyText(work.slice));
    return row ? [{ ...work, slice: { ...work.slice, ...row } }] : [];
  });
  await cancelSlices(
    context,
    writtenWorks.filter(({ slice }) => slice.cancelled),
  );
  // A receipt before this write did not make the slice due earlier, because the slice was not waiting yet.
  await closeAcknowledged(
    context,
    writtenWorks.filter(({ slice }) => !slice.cancelled),
  );
}

/** Closes the slices whose places are all acknowledged, and deletes the inbox rows of acknowledged places. */
async function closeAcknowledged(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const acknowledgedPlaces = works.flatMap((work) =>
    [...work.slice.status.keys()]
      .filter((place) => isOpen(work.slice.status[place] as number) && hasBit(work.slice.received, place))
      .map((place) => placeOf(work, place)),
  );
  await deleteFromInbox(context, acknowledgedPlaces);
  const finished = works.filter(({ slice }) => openPlaces(slice.status, slice.received).length === 0);
  await closeSlices(
    context,
    finished.map((work) => ({ work, status: withMarkedAsSent(work.slice.status, work.slice.received) })),
  );
}

/**
 * Expires slices whose waiting time is over. Devices that have not acknowledged the notification will not receive it.
 */
async function expire(context: WorkerContext, works: readonly Work[], now: Date): Promise<void> {
  const places = openPlacesOf(works);
  const devices = await readDevices(context.storage.shards, places);
  const presentKeys = new Set<string>();
  await forEachDatabase(context, places, async (db, group) => {
    for (const key of await findInboxKeys(db, group.map(inboxKey))) presentKeys.add(messageKey(key));
  });
  const byWork = Map.groupBy(places, ({ work }) => work);
  const slicesToClose = works.map((work) => {
    const mayBeDeleted = now.getTime() - expiryOf(context, work.task).getTime() >= INBOX_ROW_KEPT_MS;
    const inboxEnds = (byWork.get(work) ?? []).map((place): [number, InboxEnd] => {
      const isInInbox = presentKeys.has(messageKey({ deviceId: place.deviceId, taskId: work.task.taskId }));
      if (!deviceOfSameLogin(devices, place)) return [place.index, 'foreign'];
      return [place.index, isInInbox || mayBeDeleted ? 'kept' : 'lost'];
    });
    const inboxEndByPlace = new Map(inboxEnds);
    return { work, status: applyInboxEnds(work.slice, inboxEndByPlace), events: inboxEndEvents(inboxEndByPlace) };
  });
  const written = await closeSlices(context, slicesToClose);
  // If another worker has claimed the slice, that worker decides its outcome and needs the inbox rows to do so.
  const closedPlaces = places.filter(({ work }) => written.has(sliceKeyText(work.slice)));
  await deleteFromInbox(context, closedPlaces);
}

const messageKey = ({ deviceId, taskId }: { readonly deviceId: bigint; readonly taskId: bigint }): string =>
  `${deviceId}.${taskId}`;

/** Returns the places of a slice whose inbox rows were just inserted. */
function insertedPlaces({ taskId, deviceIds }: Work['slice'], insertedKeys: ReadonlySet<string>): number[] {
  return [...deviceIds.keys()].filter((place) =>
    insertedKeys.has(messageKey({ deviceId: deviceIds[place] as bigint, taskId })),
  );
}

/**
 * Asks the gateways of devices that are now online to read the inboxes. Returns the slices for which a gateway did not
 * respond.
 */
async function wakeGateways(context: WorkerContext, places: readonly Place[]): Promise<ReadonlySet<Work['slice']>> {
  // Several notifications may wait for one device.
  const byDevice = Map.groupBy(places, ({ deviceId }) => deviceId);
  const byGateway = new Map<string, bigint[]>();
  await forEachDatabase(context, places, async (db, group) => {
    for (const { deviceId, gateway } of await findSessions(db, group.map(deviceKey)))
      byGateway.set(gateway, [...(byGateway.get(gateway) ?? []), deviceId]);
  });
  const unreachedSlices = new Set<Work['slice']>();
  await Promise.all(
    [...byGateway].map(async ([gateway, deviceIds]) => {
      if (await requestInboxRead(context.signals, gateway, deviceIds)) return;
      for (const deviceId of deviceIds)
        for (const { work } of byDevice.get(deviceId) as Place[]) unreachedSlices.add(work.slice);
    }),
  );
  return unreachedSlices;
}

/**
 * Returns the end of the waiting time. It is counted from the due time of the task, so that repeated calls return the
 * same time.
 */
function expiryOf({ settings }: WorkerContext, { dueAt, notAfter }: Task): Date {
  return new Date(Math.min(dueAt.getTime() + settings.CARILLON_INBOX_SECONDS * 1_000, notAfter.getTime()));
}

function toInboxRow(context: WorkerContext, { work, index, deviceId, generation }: Place): InboxRow {
  const { appId, taskId, bucket: sliceBucket, sliceNumber, placeCount } = work.slice;
  const expiresAt = expiryOf(context, work.task);
  return {
    appId,
    bucket: bucketOfDevice(deviceId),
    deviceId,
    taskId,
    generation,
    sliceBucket,
    sliceNumber,
    placeIndex: index,
    placeCount,
    expiresAt,
  };
}
