import { hasBit } from '#src/domain/bits.ts';
import type { SliceRow } from '#src/domain/claim.ts';
import { countBits, ledgerViolations } from '#src/domain/ledger-invariants.ts';
import { isOpen, placeStatus, sliceKeyText } from '#src/domain/slice.ts';
import { homeRows, shardRows, type TaskRow } from '../storage/rows.ts';
import { settings } from './settings.ts';
import type { SimulatedSystem } from './simulated-system.ts';

/** An inbox row is taken out a minute after its end, by a look every minute. */
const CLEANUP_MS = 2 * 60_000 + 5_000;

/** What must hold when everything has healed and nothing is left to do. Answers what does not. */
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
    ...tasks.flatMap((row) => brokenAudience(system, row, slices)),
    ...brokenCounts(tasks, slices),
    ...brokenInboxes(system, tasks),
    ...slices.flatMap((row) => missedInboxReads(system, row)),
  ];
}

/** Accepted is never lost: L1, and every task comes to its end. */
function brokenPromises({ oracle }: SimulatedSystem, tasks: readonly TaskRow[]): string[] {
  const taskIds = new Set(tasks.map(({ task }) => task.taskId));
  return [
    ...[...oracle.acceptedTasks]
      .filter(([, taskId]) => !taskIds.has(taskId))
      .map(([request]) => `L1 an answered task exists: ${request}`),
    ...tasks.filter(({ state }) => state !== 'finished').map(({ task }) => `a task is finished: ${task.taskId}`),
  ];
}

function undoneExpansions({ storage }: SimulatedSystem): Set<bigint> {
  const rows = storage.shards.all.flatMap((db) => [...shardRows(db).expansions.values()]);
  return new Set(rows.filter(({ state }) => state !== 'done').map(({ taskId }) => taskId));
}

/** Receipts gather at a gateway for a moment, and a loop that had nothing to do sleeps for up to a second here. */
const WINDOW_MS = 3_000;

/** Counted exactly once: every bit has its reason, and every reason its bit. */
function brokenPlaces({ oracle, scheduler }: SimulatedSystem, row: SliceRow): string[] {
  const broken: string[] = [];
  const { acceptedPlaces, writtenPlaces, confirmedPlaces, receiptsAttempted, receiptsStored } = oracle;
  for (let place = 0; place < row.placeCount; place++) {
    const name = `${sliceKeyText(row)}.${place}`;
    const [sent, received] = [hasBit(row.sent, place), hasBit(row.received, place)];
    const keeper = receiptsStored.get(name);
    const isStored = keeper && (!keeper.by || (keeper.by.alive && keeper.at < scheduler.now - WINDOW_MS));
    if (isOpen(row.status[place] as number)) broken.push(`every place is final: ${name}`);
    if (received && !receiptsAttempted.has(name)) broken.push(`a receipt is somebody's: ${name}`);
    if (isStored && !received) broken.push(`a receipt that was kept counts: ${name}`);
    if (sent && !received && !acceptedPlaces.has(name) && !writtenPlaces.has(name))
      broken.push(`what counts as sent went out: ${name}`);
    if (confirmedPlaces.get(name)?.alive && !sent) broken.push(`what a vendor took counts as sent: ${name}`);
  }
  return broken;
}

/** Whoever was meant all the time has a place, and on the way of a fallback nobody is forgotten. */
function brokenAudience(
  system: SimulatedSystem,
  { task, cancelledAt }: TaskRow,
  slices: readonly SliceRow[],
): string[] {
  if (cancelledAt !== null) return [];
  const taskSlices = slices.filter(({ taskId }) => taskId === task.taskId);
  const ends: ReadonlySet<number> = new Set([placeStatus.sent, placeStatus.expired, placeStatus.skipped]);
  return system.phones.flatMap((phone) => {
    const isTargeted = system.isTargeted(task, phone) && !system.oracle.changedPhones.has(phone.deviceId);
    const rows = taskSlices.filter(({ deviceIds }) => deviceIds.includes(phone.deviceId));
    if (rows.length === 0)
      return isTargeted ? [`a device of the audience has a place: ${task.taskId} ${phone.name}`] : [];
    if (!isTargeted || task.strategy === 'ospush_only') return [];
    const ended = rows.some((row) => {
      const place = row.deviceIds.indexOf(phone.deviceId);
      const lost = row.channel === 'nativepush' && row.status[place] === placeStatus.failed; // its inbox overflowed
      return ends.has(row.status[place] as number) || hasBit(row.received, place) || lost;
    });
    return ended ? [] : [`a device is served or told why not: ${task.taskId} ${phone.name}`];
  });
}

/** L8: the sum that is served, once more from the single bits. */
function brokenCounts(tasks: readonly TaskRow[], slices: readonly SliceRow[]): string[] {
  return tasks.flatMap(({ task: { taskId } }) => {
    const taskSlices = slices.filter((row) => row.taskId === taskId && row.channel !== 'none');
    const served = taskSlices.reduce((sum, { received }) => sum + countBits(received), 0);
    const single = new Set(
      taskSlices.flatMap((row) =>
        [...row.received].flatMap((bit, place) => (bit === '1' ? [`${row.channel} ${row.deviceIds[place]}`] : [])),
      ),
    );
    return served === single.size ? [] : [`L8 counts are what the bits say: ${taskId}`];
  });
}

/** L9, and nothing of a cancelled task is left for anybody to find. (What has expired nobody finds any more.) */
function brokenInboxes(system: SimulatedSystem, tasks: readonly TaskRow[]): string[] {
  const { storage, scheduler } = system;
  const cancelled = new Set(tasks.flatMap(({ task, cancelledAt }) => (cancelledAt === null ? [] : [task.taskId])));
  const rows = storage.shards.all.flatMap((db) => [...shardRows(db).inbox.values()]);
  return rows.flatMap(({ taskId, deviceId, expiresAt, late, sliceShard: shard, sliceNumber }) => {
    const closedAt = system.databaseOf(shard).closed.get(sliceKeyText({ taskId, shard, sliceNumber }))?.at ?? 0;
    const isLeftover = cancelled.has(taskId) && !late && closedAt < expiresAt.getTime();
    return [
      ...(expiresAt.getTime() < scheduler.now - CLEANUP_MS ? [`L9 no inbox row outlives its expiry: ${taskId}`] : []),
      ...(isLeftover ? [`a cancelled message leaves the inbox: ${taskId} ${deviceId}`] : []),
    ];
  });
}

/** A device that was connected and answered everything was told what lay in its inbox well before the end. */
const INBOX_READ_MS_MAX = 15_000;

function missedInboxReads(system: SimulatedSystem, row: SliceRow): string[] {
  if (row.channel !== 'nativepush') return [];
  const task = homeRows(system.storage.home).tasks.get(row.taskId)?.task;
  if (!task) return [];
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
