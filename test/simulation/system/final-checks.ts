import { hasBit } from '#src/domain/bits.ts';
import type { SliceRow } from '#src/domain/claim.ts';
import { isOpen, placeStatus, sliceKeyText } from '#src/domain/slice.ts';
import { bucketOfTask } from '#src/domain/task.ts';
import { countBits, ledgerViolations } from '#src/domain/verification/ledger-invariants.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import { findMisplannedTasks } from '#src/storage/ledger/invariants.ts';
import { expansionKey } from '../storage/expansions.ts';
import { type ExpansionRow, homeRows, shardRows, type TaskRow } from '../storage/rows.ts';
import { settings } from './settings.ts';
import type { SimulatedSystem } from './simulated-system.ts';

/**
 * Maximum time until an expired inbox row is deleted. Rows are kept for a minute after they expire, and the cleanup
 * runs every minute.
 */
const CLEANUP_MS = 2 * 60_000 + 5_000;

/** Returns the invariants that are violated after all faults have ended and all work is done. */
export function checkFinalState(system: SimulatedSystem): string[] {
  const tasks = [...homeRows(system.storage.home).tasks.values()];
  const slices = system.shardDatabases.flatMap((database) => [...database.slices.values()]);
  return [
    ...brokenPromises(system, tasks),
    ...ledgerViolations({
      tasks: tasks.map(({ task: { taskId, appId }, state }) => ({ taskId, appId, finished: state === 'finished' })),
      slices,
      tasksWithOpenExpansions: undoneExpansions(system),
      appOfDevice: (deviceId) => system.phones.find((phone) => phone.deviceId === deviceId)?.appId,
    }),
    ...slices.flatMap((row) => brokenPlaces(system, row)),
    ...brokenRanges(system, tasks),
    ...tasks.flatMap((row) => brokenAudience(system, row, slices)),
    ...brokenCounts(tasks, slices),
    ...brokenInboxes(system, tasks),
    ...slices.flatMap((row) => missedInboxReads(system, row)),
  ];
}

/** Checks that no accepted task is lost (L1) and that every task is finished. */
function brokenPromises({ oracle }: SimulatedSystem, tasks: readonly TaskRow[]): string[] {
  const taskIds = new Set(tasks.map(({ task }) => task.taskId));
  return [
    ...[...oracle.acceptedTasks]
      .filter(([, taskId]) => !taskIds.has(taskId))
      .map(([request]) => `L1 an accepted task exists: ${request}`),
    ...tasks.filter(({ state }) => state !== 'finished').map(({ task }) => `a task is finished: ${task.taskId}`),
  ];
}

function undoneExpansions({ storage }: SimulatedSystem): Set<bigint> {
  const rows = storage.shards.all.flatMap((db) => [...shardRows(db).expansions.values()]);
  return new Set(rows.filter(({ state }) => state !== 'done').map(({ taskId }) => taskId));
}

/** Gateways hold receipts in memory for a moment, and an idle loop sleeps for up to a second. */
const WINDOW_MS = 3_000;

/** Checks that every bit has a cause and that every cause has set its bit. */
function brokenPlaces({ oracle, scheduler }: SimulatedSystem, row: SliceRow): string[] {
  const broken: string[] = [];
  const { acceptedPlaces, writtenPlaces, confirmedPlaces, receiptsAttempted, receiptsStored } = oracle;
  for (let place = 0; place < row.placeCount; place++) {
    const name = `${sliceKeyText(row)}.${place}`;
    const [sent, received] = [hasBit(row.sent, place), hasBit(row.received, place)];
    const keeper = receiptsStored.get(name);
    const isStored = keeper && (!keeper.by || (keeper.by.alive && keeper.at < scheduler.now - WINDOW_MS));
    if (isOpen(row.status[place] as number)) broken.push(`every place is final: ${name}`);
    if (received && !receiptsAttempted.has(name)) broken.push(`a received bit has a receipt: ${name}`);
    if (isStored && !received) broken.push(`a stored receipt counts: ${name}`);
    if (sent && !received && !acceptedPlaces.has(name) && !writtenPlaces.has(name))
      broken.push(`a sent bit has a sent notification: ${name}`);
    if (confirmedPlaces.get(name)?.alive && !sent)
      broken.push(`a place that a vendor accepted counts as sent: ${name}`);
  }
  return broken;
}

/**
 * Checks L11, and that each range is in the database of its buckets. A list has one expansion, and the ranges of a group
 * cover every user, all in the bucket of the task.
 */
function brokenRanges({ storage }: SimulatedSystem, tasks: readonly TaskRow[]): string[] {
  const { shards } = storage;
  const rows = shards.all.flatMap((db) => [...shardRows(db).expansions.values()]);
  const planned = tasks.filter(({ state }) => state !== 'accepted');
  const rangedIds = planned.filter(({ byRange }) => byRange).map(({ task }) => task.taskId);
  const misplaced = shards.all.flatMap((db) =>
    [...shardRows(db).expansions.values()].filter(
      ({ bucket, lastBucket }) =>
        !shards.rangesOf(db).some((range) => range.firstBucket <= bucket && lastBucket <= range.lastBucket),
    ),
  );
  const unranged = planned.filter(({ byRange }) => !byRange).map(({ task }) => task.taskId);
  return [
    ...findMisplannedTasks(rows, rangedIds).map(({ law, what, taskId }) => `${law} ${what}: ${taskId}`),
    ...misplaced.map((row) => `a range is in the database of its buckets: ${expansionKey(row)}`),
    ...unranged
      .filter((taskId) => !coversEveryId(rows, taskId))
      .map((taskId) => `L11 the expansions of a list or a group cover every user once: ${taskId}`),
  ];
}

function coversEveryId(rows: readonly ExpansionRow[], taskId: bigint): boolean {
  const bucket = bucketOfTask(taskId);
  const parts = rows.filter((row) => row.taskId === taskId).sort((a, b) => (a.afterId < b.afterId ? -1 : 1));
  const isInBucket = parts.every((row) => row.bucket === bucket && row.lastBucket === bucket);
  const isConnected = parts.every((row, i) => row.afterId === (i === 0 ? 0n : parts[i - 1]?.lastId));
  return isInBucket && isConnected && parts.at(-1)?.lastId === INT64_MAX;
}

/**
 * Checks that every targeted device that was not logged out has exactly one place that an expansion created, that
 * no device has more than one, and that no fallback loses a device.
 */
function brokenAudience(
  system: SimulatedSystem,
  { task, cancelledAt }: TaskRow,
  slices: readonly SliceRow[],
): string[] {
  const taskSlices = slices.filter(({ taskId }) => taskId === task.taskId);
  const ends: ReadonlySet<number> = new Set([placeStatus.sent, placeStatus.expired, placeStatus.skipped]);
  return system.phones.flatMap((phone) => {
    const isTargeted = system.isTargeted(task, phone) && !system.oracle.changedPhones.has(phone.deviceId);
    const rows = taskSlices.filter(({ deviceIds }) => deviceIds.includes(phone.deviceId));
    if (rows.filter(({ tried }) => tried.length === 0).length > 1)
      return [`a device of the audience is expanded once: ${task.taskId} ${phone.name}`];
    if (cancelledAt !== null) return [];
    if (rows.length === 0)
      return isTargeted ? [`a device of the audience has a place: ${task.taskId} ${phone.name}`] : [];
    if (!isTargeted || task.strategy === 'ospush_only') return [];
    const ended = rows.some((row) => {
      const place = row.deviceIds.indexOf(phone.deviceId);
      const lost = row.channel === 'nativepush' && row.status[place] === placeStatus.failed; // its inbox overflowed
      return ends.has(row.status[place] as number) || hasBit(row.received, place) || lost;
    });
    return ended ? [] : [`a device of the audience has a final result: ${task.taskId} ${phone.name}`];
  });
}

/** Checks L8: compares the reported counts with the individual bits. */
function brokenCounts(tasks: readonly TaskRow[], slices: readonly SliceRow[]): string[] {
  return tasks.flatMap(({ task: { taskId } }) => {
    const taskSlices = slices.filter((row) => row.taskId === taskId && row.channel !== 'none');
    const served = taskSlices.reduce((sum, { received }) => sum + countBits(received), 0);
    const single = new Set(
      taskSlices.flatMap((row) =>
        [...row.received].flatMap((bit, place) => (bit === '1' ? [`${row.channel} ${row.deviceIds[place]}`] : [])),
      ),
    );
    return served === single.size ? [] : [`L8 counts equal the bits: ${taskId}`];
  });
}

/**
 * Checks L9, and that no inbox row of a cancelled task is left. Rows that had already expired are ignored, because no
 * query returns them.
 */
function brokenInboxes(system: SimulatedSystem, tasks: readonly TaskRow[]): string[] {
  const { storage, scheduler } = system;
  const cancelled = new Set(tasks.flatMap(({ task, cancelledAt }) => (cancelledAt === null ? [] : [task.taskId])));
  const rows = storage.shards.all.flatMap((db) => [...shardRows(db).inbox.values()]);
  return rows.flatMap(({ taskId, deviceId, expiresAt, late, sliceBucket: bucket, sliceNumber }) => {
    const closedAt = system.databaseOf(bucket).closed.get(sliceKeyText({ taskId, bucket, sliceNumber }))?.at ?? 0;
    const isLeftover = cancelled.has(taskId) && !late && closedAt < expiresAt.getTime();
    return [
      ...(expiresAt.getTime() < scheduler.now - CLEANUP_MS ? [`L9 no inbox row outlives its expiry: ${taskId}`] : []),
      ...(isLeftover ? [`a cancelled message leaves the inbox: ${taskId} ${deviceId}`] : []),
    ];
  });
}

/** A device that stays connected and acknowledges everything receives its inbox within this time. */
const INBOX_READ_MS_MAX = 15_000;

function missedInboxReads(system: SimulatedSystem, row: SliceRow): string[] {
  if (row.channel !== 'nativepush') return [];
  const { task, cancelledAt } = homeRows(system.storage.home).tasks.get(row.taskId) ?? {};
  // Gateways do not send a cancelled notification, even if the cancellation has not reached its slice.
  if (!task || cancelledAt !== null) return [];
  const inboxMs = settings.CARILLON_INBOX_SECONDS * 1_000;
  const endMs = Math.min(task.dueAt.getTime() + inboxMs, task.notAfter.getTime());
  return row.deviceIds.flatMap((deviceId, place) => {
    const phone = system.phones.find((candidate) => candidate.deviceId === deviceId);
    const missed = row.status[place] === placeStatus.expired && !hasBit(row.received, place);
    const since = Math.max(phone?.responsiveSince ?? Number.POSITIVE_INFINITY, system.faultsEndedAt);
    const late = missed && phone?.generation === row.generations[place] && since < endMs - INBOX_READ_MS_MAX;
    return late ? [`no wake-up is lost: ${sliceKeyText(row)}.${place}`] : [];
  });
}
