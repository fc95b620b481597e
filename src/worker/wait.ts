import { hasBit, noBits } from '#src/domain/bits.ts';
import { shardOfDevice } from '#src/domain/device.ts';
import { openPlaces, withArrivals } from '#src/domain/ledger.ts';
import { isOpen, placeStatus, sliceKeyText } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import { askToReadInboxes } from '#src/motion/gateway.ts';
import { byDatabase } from '#src/truth/database.ts';
import { deleteInbox, findInbox, type InboxRow, insertInbox } from '#src/truth/inbox.ts';
import { findSessions } from '#src/truth/presence.ts';
import { type Work, type WorkerContext, writeAll } from './context.ts';
import { keyOf, type Place, placeOf, readDevices, sameOwner } from './devices.ts';
import { closeSlices } from './finish.ts';

/** A gateway that did not answer is asked again after this time. */
const ASK_AGAIN_MS = 2_000;
const ROWS_PER_INSERT_MAX = 2_000;

/**
 * Lets places wait in their devices' inboxes. The order keeps every wake-up: the rows are committed first and presence
 * is read after that, while a gateway announces a session first and reads its inbox after that.
 */
export async function waitInInbox(context: WorkerContext, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return;
  const now = context.clock.now();
  const over = works.filter(({ task }) => expiryOf(context, task) <= now);
  await expire(context, over);
  const lasting = works.filter((work) => !over.includes(work));
  const waiting = lasting.flatMap((work) =>
    openPlaces(work.slice.status, work.slice.received).map((place) => placeOf(work, place)),
  );
  await inEachDatabase(context, waiting, async (db, places) => {
    for (let i = 0; i < places.length; i += ROWS_PER_INSERT_MAX)
      await insertInbox(
        db,
        places.slice(i, i + ROWS_PER_INSERT_MAX).map((place) => toInboxRow(context, place)),
      );
  });
  const unheard = await wakeGateways(context, waiting);

  const written = await writeAll(
    context,
    lasting.map(({ slice, task }) => ({
      held: slice,
      status: withArrivals(slice.status, slice.received),
      sent: noBits(slice.n),
      state: 'waiting',
      nextInMs: unheard.has(slice) ? ASK_AGAIN_MS : expiryOf(context, task).getTime() - now.getTime(),
      attempts: slice.attempts,
    })),
  );
  // A receipt that came before this write did not hurry the slice, since it was not waiting yet.
  await closeArrived(
    context,
    lasting.flatMap((work) => {
      const row = written.get(sliceKeyText(work.slice));
      return row ? [{ ...work, slice: { ...work.slice, received: row.received } }] : [];
    }),
  );
}

/** Closes the slices whose places have all arrived, and clears the inboxes of what has. */
async function closeArrived(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const arrived = works.flatMap((work) =>
    [...work.slice.status.keys()]
      .filter((place) => isOpen(work.slice.status[place] as number) && hasBit(work.slice.received, place))
      .map((place) => placeOf(work, place)),
  );
  await inEachDatabase(context, arrived, (db, places) => deleteInbox(db, places.map(inboxKey)));
  const done = works.filter(({ slice }) => openPlaces(slice.status, slice.received).length === 0);
  await closeSlices(
    context,
    done.map((work) => ({ work, status: withArrivals(work.slice.status, work.slice.received) })),
  );
}

/** Waiting is over: who has not answered by now will not get it any more. */
async function expire(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const places = works.flatMap((work) =>
    openPlaces(work.slice.status, work.slice.received).map((place) => placeOf(work, place)),
  );
  const devices = await readDevices(context.truth.shards, places);
  const present = new Set<string>();
  await inEachDatabase(context, places, async (db, group) => {
    for (const { deviceId, taskId } of await findInbox(db, group.map(inboxKey))) present.add(`${deviceId}.${taskId}`);
  });
  const byWork = Map.groupBy(places, ({ work }) => work);
  const ends = works.map((work) => {
    const status = withArrivals(work.slice.status, work.slice.received);
    for (const place of byWork.get(work) ?? []) {
      const kept = present.has(`${place.deviceId}.${work.task.taskId}`);
      if (!sameOwner(devices, place)) status[place.place] = placeStatus.skipped;
      else status[place.place] = kept ? placeStatus.expired : placeStatus.failed; // it had to make room for newer ones
    }
    return { work, status };
  });
  const written = await closeSlices(context, ends);
  // What someone else holds by now is theirs to judge, and they look whether the row is there.
  const over = places.filter(({ work }) => written.has(sliceKeyText(work.slice)));
  await inEachDatabase(context, over, (db, group) => deleteInbox(db, group.map(inboxKey)));
}

/** Tells the gateways of devices that are online after all. Answers the slices for which one did not hear it. */
async function wakeGateways(context: WorkerContext, places: readonly Place[]): Promise<ReadonlySet<Work['slice']>> {
  const byDevice = new Map(places.map((place) => [place.deviceId, place]));
  const byGateway = new Map<string, bigint[]>();
  await inEachDatabase(context, places, async (db, group) => {
    for (const { deviceId, gateway } of await findSessions(db, group.map(keyOf)))
      byGateway.set(gateway, [...(byGateway.get(gateway) ?? []), deviceId]);
  });
  const unheard = new Set<Work['slice']>();
  await Promise.all(
    [...byGateway].map(async ([gateway, deviceIds]) => {
      if (await askToReadInboxes(context.motion, gateway, deviceIds)) return;
      for (const deviceId of deviceIds) unheard.add((byDevice.get(deviceId) as Place).work.slice);
    }),
  );
  return unheard;
}

/** Counted from when the task was due, so that every repetition comes to the same instant. */
function expiryOf({ settings }: WorkerContext, { dueAt, notAfter }: Task): Date {
  return new Date(Math.min(dueAt.getTime() + settings.CARILLON_INBOX_SECONDS * 1_000, notAfter.getTime()));
}

function toInboxRow(context: WorkerContext, { work, place, deviceId, generation }: Place): InboxRow {
  const { appId, taskId, shard: sliceShard, slice, n } = work.slice;
  const expiresAt = expiryOf(context, work.task);
  return {
    appId,
    shard: shardOfDevice(deviceId),
    deviceId,
    taskId,
    generation,
    sliceShard,
    slice,
    place,
    n,
    expiresAt,
  };
}

const inboxKey = ({ work, deviceId }: Place) => ({
  shard: shardOfDevice(deviceId),
  deviceId,
  taskId: work.slice.taskId,
});

async function inEachDatabase(
  { truth }: WorkerContext,
  places: readonly Place[],
  work: (db: Parameters<typeof insertInbox>[0], places: readonly Place[]) => Promise<unknown>,
): Promise<void> {
  const groups = byDatabase(truth.shards, places, ({ deviceId }) => shardOfDevice(deviceId));
  await Promise.all([...groups].map(([db, group]) => work(db, group)));
}
