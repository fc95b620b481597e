import { hasBit, noBits } from '#src/domain/bits.ts';
import { shardOfDevice } from '#src/domain/device.ts';
import { openPlaces, withArrivals } from '#src/domain/ledger.ts';
import { afterWaiting, type Leftover } from '#src/domain/settle.ts';
import { isOpen, sliceKeyText } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import { saidOfLeftovers } from '#src/domain/trace/trace-events.ts';
import { askToReadInboxes, DELIVER_SECONDS_MAX } from '#src/signals/gateway.ts';
import { findInbox, type InboxRow, insertInbox } from '#src/storage/devices/inbox.ts';
import { findSessions } from '#src/storage/devices/presence.ts';
import { isHeldFor, type Work, type WorkerContext, writeAll } from '../context.ts';
import { cancelSlices } from './cancel.ts';
import { closeSlices } from './finish.ts';
import { inboxKey, inEachDatabase, takeOutOfInbox } from './inbox-places.ts';
import { keyOf, openPlacesOf, type Place, placeOf, readDevices, sameOwner } from './work.ts';

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
  const left = works.filter((work) => !over.includes(work));
  // Written as waiting, and then the worker dies: nobody would look at them before the message expires.
  const arrived = left.filter(({ slice }) => openPlaces(slice.status, slice.received).length === 0);
  await closeArrived(context, arrived);
  const lasting = left.filter(
    (work) => !arrived.includes(work) && isHeldFor(context, work.heldSinceMs, DELIVER_SECONDS_MAX),
  );
  const waiting = openPlacesOf(lasting);
  const laid = new Set<string>();
  await inEachDatabase(context, waiting, async (db, places) => {
    for (let i = 0; i < places.length; i += ROWS_PER_INSERT_MAX) {
      const rows = places.slice(i, i + ROWS_PER_INSERT_MAX).map((place) => toInboxRow(context, place));
      for (const key of await insertInbox(db, rows)) laid.add(messageOf(key));
    }
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
      said: [{ word: 'in-inbox', places: laidOf(slice, laid) }],
    })),
  );
  const held = lasting.flatMap((work) => {
    const row = written.get(sliceKeyText(work.slice));
    return row ? [{ ...work, slice: { ...work.slice, ...row } }] : [];
  });
  await cancelSlices(
    context,
    held.filter(({ slice }) => slice.cancelled),
  );
  // A receipt that came before this write did not hurry the slice, since it was not waiting yet.
  await closeArrived(
    context,
    held.filter(({ slice }) => !slice.cancelled),
  );
}

/** Closes the slices whose places have all arrived, and clears the inboxes of what has. */
async function closeArrived(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const arrived = works.flatMap((work) =>
    [...work.slice.status.keys()]
      .filter((place) => isOpen(work.slice.status[place] as number) && hasBit(work.slice.received, place))
      .map((place) => placeOf(work, place)),
  );
  await takeOutOfInbox(context, arrived);
  const done = works.filter(({ slice }) => openPlaces(slice.status, slice.received).length === 0);
  await closeSlices(
    context,
    done.map((work) => ({ work, status: withArrivals(work.slice.status, work.slice.received) })),
  );
}

/** Waiting is over: who has not answered by now will not get it any more. */
async function expire(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const places = openPlacesOf(works);
  const devices = await readDevices(context.truth.shards, places);
  const present = new Set<string>();
  await inEachDatabase(context, places, async (db, group) => {
    for (const key of await findInbox(db, group.map(inboxKey))) present.add(messageOf(key));
  });
  const byWork = Map.groupBy(places, ({ work }) => work);
  const ends = works.map((work) => {
    const leftovers = (byWork.get(work) ?? []).map((place): [number, Leftover] => {
      const kept = present.has(messageOf({ deviceId: place.deviceId, taskId: work.task.taskId }));
      return [place.place, !sameOwner(devices, place) ? 'foreign' : kept ? 'kept' : 'lost'];
    });
    const found = new Map(leftovers);
    return { work, status: afterWaiting(work.slice, found), said: saidOfLeftovers(found) };
  });
  const written = await closeSlices(context, ends);
  // What someone else holds by now is theirs to judge, and they look whether the row is there.
  const over = places.filter(({ work }) => written.has(sliceKeyText(work.slice)));
  await takeOutOfInbox(context, over);
}

const messageOf = ({ deviceId, taskId }: { readonly deviceId: bigint; readonly taskId: bigint }): string =>
  `${deviceId}.${taskId}`;

/** The places of a slice whose message was laid into its inbox just now. */
function laidOf({ taskId, deviceIds }: Work['slice'], laid: ReadonlySet<string>): number[] {
  return [...deviceIds.keys()].filter((place) => laid.has(messageOf({ deviceId: deviceIds[place] as bigint, taskId })));
}

/** Tells the gateways of devices that are online after all. Answers the slices for which one did not hear it. */
async function wakeGateways(context: WorkerContext, places: readonly Place[]): Promise<ReadonlySet<Work['slice']>> {
  // Several messages may wait for one device.
  const byDevice = Map.groupBy(places, ({ deviceId }) => deviceId);
  const byGateway = new Map<string, bigint[]>();
  await inEachDatabase(context, places, async (db, group) => {
    for (const { deviceId, gateway } of await findSessions(db, group.map(keyOf)))
      byGateway.set(gateway, [...(byGateway.get(gateway) ?? []), deviceId]);
  });
  const unheard = new Set<Work['slice']>();
  await Promise.all(
    [...byGateway].map(async ([gateway, deviceIds]) => {
      if (await askToReadInboxes(context.motion, gateway, deviceIds)) return;
      for (const deviceId of deviceIds)
        for (const { work } of byDevice.get(deviceId) as Place[]) unheard.add(work.slice);
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
