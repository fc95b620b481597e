import { parseArgs } from 'node:util';
import { BUCKETS } from '#src/domain/bucket.ts';
import { bucketOfDevice } from '#src/domain/device.ts';
import { bucketOfTask } from '#src/domain/task.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import { byDatabase, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import { taskRangeOfDay } from '#src/storage/database/partitions.ts';
import { endAllSessions } from '#src/storage/operators/operator-sessions.ts';
import { findShardDays } from '#src/storage/upkeep/drop-days.ts';
import {
  clearInboxes,
  type DeviceLogin,
  deleteTasks,
  type ExpandedTask,
  findExpandedTasks,
  findLogins,
  findLostLogins,
  findShardExpansions,
  findTasksInShards,
  findUnknownTasks,
  isInUse,
  recheckFinishedTasks,
  reexpandTasks,
  requeueInboxSlices,
  revokeLostLogins,
  type ShardExpansions,
  skipHomeSequences,
  skipShardSequences,
  type TaskInShards,
} from '#src/storage/upkeep/restore-repairs.ts';
import { CommandError, runStorageCommand } from './command.ts';

const USAGE = `Repair differences between databases that were restored from backups:
  node src/bin/after-restore.ts [--dry-run] [--far-apart]
--dry-run    Print the changes without making them
--far-apart  Continue even if the databases were restored to distant points in time`;

/**
 * Allows one hour per query, because no client waits for this command and the database cache is cold after a restore.
 */
const QUERY_SECONDS_MAX = 60 * 60;
const TASKS_PER_PAGE = 1_000;
const LOGINS_PER_PAGE = 5_000;
/** Buckets whose inboxes are cleared together. */
const BUCKETS_PER_DELETE = 64;
/**
 * The WAL archive is at most one minute behind (`archive_timeout`), so databases restored to the same point in time
 * differ only in their last few minutes.
 */
const APART_MINUTES_MAX = 10;
/** Progress is printed at most once per interval. */
const PROGRESS_MS = 5_000;
let progressPrintedMs = performance.now();

/**
 * Repairs differences between databases that were restored from backups, because separate databases are never restored
 * to exactly the same point in time. `docs/operate/restore.md` describes the steps to take before this command. The command
 * can be run again, even after it was killed: rows that are already repaired are skipped.
 */
await runStorageCommand(
  () => undefined,
  async (storage) => {
    const { dryRun, farApart } = readArguments();
    await warnIfRolesConnected(storage);
    // The first comparison repairs nothing, so that a wrong database URL is reported before any row is deleted.
    const differences = await compareDatabases(storage, false);
    if (!farApart) requireCloseRestorePoints(differences);
    if (!dryRun) await skipNumbers(storage);
    const { unknownTasks, missingTasks, reopenedCount, lostLogins } = dryRun
      ? differences
      : await compareDatabases(storage, true);
    const lines = [
      `Tasks missing in the home database, deleted from the shards: ${unknownTasks.differingCount}`,
      `Tasks missing in the shards, expanded again: ${missingTasks.differingCount}`,
      `Tasks finished only in the home database, reopened: ${reopenedCount}`,
      `Logins unknown to their devices, ended: ${lostLogins.differingCount}`,
    ];
    if (dryRun) lines.unshift('Nothing was changed. Without --dry-run, these changes would be made:');
    else {
      lines.push(`Slices waiting for devices, scheduled for their inboxes again: ${await refillInboxes(storage)}`);
      // A session or an operator that was ended after the restore point would be valid again.
      lines.push(`Sessions of operators, ended: ${await endAllSessions(storage.home)}`);
      lines.push('New users, groups, tokens, operators, drafts and devices get unused IDs.');
    }
    process.stdout.write(`${lines.join('\n')}\n`);
  },
  { querySecondsMax: QUERY_SECONDS_MAX },
);

function readArguments() {
  try {
    const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, 'far-apart': { type: 'boolean' } } });
    return { dryRun: values['dry-run'] === true, farApart: values['far-apart'] === true };
  } catch {
    throw new CommandError(USAGE);
  }
}

async function warnIfRolesConnected({ home, shards }: Storage): Promise<void> {
  for (const db of [home, ...shards.all])
    if (await isInUse(db)) {
      process.stderr.write(
        'A role is connected. Stop every role and run this command again, because changes made by a running role may be missed.\n',
      );
      return;
    }
}

/** The number of tasks or logins in one database, and the number of them that are missing from the other database. */
interface Difference {
  total: number;
  differingCount: number;
  oldestMs: number;
  /** The time of the newest task or login, whether it differs or not. */
  newestMs: number;
}

function emptyDifference(): Difference {
  return { total: 0, differingCount: 0, oldestMs: Infinity, newestMs: -Infinity };
}

function addToDifference(difference: Difference, at: Date, differs: boolean): void {
  const ms = at.getTime();
  difference.total++;
  difference.newestMs = Math.max(difference.newestMs, ms);
  if (!differs) return;
  difference.differingCount++;
  difference.oldestMs = Math.min(difference.oldestMs, ms);
}

interface Comparison {
  /** Tasks that are in the shards but not in the home database. */
  readonly unknownTasks: Difference;
  /** Tasks that are expanded according to the home database, but whose expansions are missing from the shards. */
  readonly missingTasks: Difference;
  readonly reopenedCount: number;
  /** Logins in the home database that do not match their devices in the shards. */
  readonly lostLogins: Difference;
}

/** Compares the databases, and repairs the differences if `repair` is true. */
async function compareDatabases(storage: Storage, repair: boolean): Promise<Comparison> {
  const unknownTasks = await deleteUnknownTasks(storage, repair);
  return { unknownTasks, ...(await reopenTasks(storage, repair)), lostLogins: await endUnknownLogins(storage, repair) };
}

/**
 * Throws if the home database and the shards belong to different installations, were restored to distant points in
 * time, or have each other's names.
 */
function requireCloseRestorePoints({ unknownTasks, missingTasks, lostLogins }: Comparison): void {
  const newestMs = Math.max(unknownTasks.newestMs, missingTasks.newestMs, lostLogins.newestMs);
  const isTooFarApart = ({ total, differingCount, oldestMs }: Difference) =>
    differingCount > 0 && (differingCount === total || oldestMs < newestMs - APART_MINUTES_MAX * 60_000);
  const farApartError = ({ oldestMs }: Difference, finding: string, consequence: string) =>
    new CommandError(
      `Nothing was changed. ${finding}. The oldest of these is from ${timeOf(oldestMs)}. The newest task or login is from ${timeOf(newestMs)}. ` +
        `Databases that were restored to the same point in time have the same tasks and logins, except for the last ${APART_MINUTES_MAX} minutes.\n` +
        'Check that CARILLON_DATABASE_URL and CARILLON_SHARD_DATABASES name the restored databases, each under its original name. Check that all of them were restored to the same point in time.\n' +
        `If so, or if you cannot restore them to closer points, rerun with --far-apart, which ${consequence}.`,
    );
  if (isTooFarApart(unknownTasks)) {
    const finding = `The home database does not have ${unknownTasks.differingCount} of the ${unknownTasks.total} tasks in the shards`;
    throw farApartError(unknownTasks, finding, 'deletes these tasks from the shards');
  }
  if (isTooFarApart(missingTasks)) {
    const finding = `The shards do not have ${missingTasks.differingCount} of the ${missingTasks.total} tasks that are expanded according to the home database`;
    throw farApartError(missingTasks, finding, 'sends these tasks again and ends the logins of missing devices');
  }
  // This check also detects swapped names if all tasks are for all devices: such a task is looked up in every database,
  // but a device only in the database of its bucket.
  if (isTooFarApart(lostLogins)) {
    const finding = `The shards do not have the devices of ${lostLogins.differingCount} of the ${lostLogins.total} logins in the home database`;
    throw farApartError(
      lostLogins,
      finding,
      'ends these logins. This is correct for a few logins whose devices were erased',
    );
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

async function skipNumbers({ home, shards }: Storage): Promise<void> {
  await skipHomeSequences(home);
  for (const db of shards.all) await skipShardSequences(db);
}

/**
 * Deletes tasks that exist only in the shards. The shards are read first: a task in a shard is also in the home
 * database, unless the home database was restored to an earlier point in time.
 */
async function deleteUnknownTasks(storage: Storage, repair: boolean): Promise<Difference> {
  const difference = emptyDifference();
  for await (const tasks of tasksInShards(storage)) {
    const unknownIds = new Set(await findUnknownTasks(storage.home, idsOf(tasks)));
    if (repair && unknownIds.size > 0) for (const db of storage.shards.all) await deleteTasks(db, [...unknownIds]);
    for (const { taskId, acceptedAt } of tasks) addToDifference(difference, acceptedAt, unknownIds.has(taskId));
    printProgress(`${difference.total} tasks in the shards were compared with the home database`);
  }
  return difference;
}

/** Yields each task once, in order of task ID, even if it is in several databases. */
async function* tasksInShards({ shards }: Storage): AsyncGenerator<TaskInShards[]> {
  for (let after = 0n; after < INT64_MAX; ) {
    const pages = await Promise.all(shards.all.map((db) => findTasksInShards(db, after, TASKS_PER_PAGE)));
    // There may be more tasks after a full page.
    const fullPages = pages.filter(({ length }) => length === TASKS_PER_PAGE);
    const pageEnd = fullPages
      .map((page) => page.at(-1) as TaskInShards)
      .reduce((end, { taskId }) => (taskId < end ? taskId : end), INT64_MAX);
    const tasks = pages.flat().filter(({ taskId }) => taskId <= pageEnd);
    if (tasks.length > 0) yield [...new Map(tasks.map((task) => [task.taskId, task])).values()];
    after = pageEnd;
  }
}

/**
 * Reopens tasks that are missing or unfinished in the shards. The home database is read first: an expanded task is also
 * in the shards, unless the shards were restored to an earlier point in time.
 */
async function reopenTasks(
  { home, shards }: Storage,
  repair: boolean,
): Promise<Pick<Comparison, 'missingTasks' | 'reopenedCount'>> {
  const difference = emptyDifference();
  let reopenedCount = 0;
  for (let after = 0n, more = true; more; ) {
    const tasks = await findExpandedTasks(home, after, TASKS_PER_PAGE);
    const taskIds = idsOf(tasks);
    const states = new Map<ShardDb, ReadonlyMap<bigint, ShardExpansions>>();
    for (const db of taskIds.length > 0 ? shards.all : []) {
      const found = await findShardExpansions(db, taskIds);
      states.set(db, new Map(found.map((state) => [state.taskId, state])));
    }
    const statesOf = ({ taskId, byRange }: ExpandedTask) => {
      const databases = byRange ? shards.all : [shards.dbFor(bucketOfTask(taskId))];
      return databases.map((db) => states.get(db)?.get(taskId));
    };
    // The expansions of a task are inserted together in each database, so a database has all of them or none.
    const missingTasks = tasks.filter((task) => statesOf(task).includes(undefined));
    const open = tasks.filter(
      (task) =>
        task.finished && !missingTasks.includes(task) && statesOf(task).some((state) => state?.hasOpenWork === true),
    );
    if (repair && missingTasks.length > 0) await reexpandTasks(home, idsOf(missingTasks));
    if (repair && open.length > 0) await recheckFinishedTasks(home, idsOf(open));
    for (const task of tasks) addToDifference(difference, task.expandedAt, missingTasks.includes(task));
    reopenedCount += open.length;
    printProgress(`${difference.total} tasks in the home database were compared with the shards`);
    after = taskIds.at(-1) ?? after;
    more = tasks.length === TASKS_PER_PAGE;
  }
  return { missingTasks: difference, reopenedCount };
}

function idsOf(tasks: readonly { readonly taskId: bigint }[]): bigint[] {
  return tasks.map(({ taskId }) => taskId);
}

/**
 * Ends logins that do not match their devices in the shards. The home database is read first, because a login is stored
 * in the shard before its token is stored in the home database.
 */
async function endUnknownLogins({ home, shards }: Storage, repair: boolean): Promise<Difference> {
  const difference = emptyDifference();
  for (let last: DeviceLogin | undefined, more = true; more; ) {
    const logins = await findLogins(home, last, LOGINS_PER_PAGE);
    const groups = byDatabase(shards, logins, ({ deviceId }) => bucketOfDevice(deviceId));
    const lostTokenHashes = (await Promise.all([...groups].map(([db, group]) => findLostLogins(db, group)))).flat();
    if (repair && lostTokenHashes.length > 0) await revokeLostLogins(home, lostTokenHashes);
    const lostTokenHexes = new Set(lostTokenHashes.map((hash) => hash.toString('hex')));
    for (const { tokenHash, createdAt } of logins)
      addToDifference(difference, createdAt, lostTokenHexes.has(tokenHash.toString('hex')));
    printProgress(`${difference.total} logins were compared with their devices`);
    last = logins.at(-1) ?? last;
    more = logins.length === LOGINS_PER_PAGE;
  }
  return difference;
}

/**
 * Clears all inboxes, then makes every waiting slice due, so that workers fill the inboxes again. An inbox can be in a
 * different database than its slice, and that database may have been restored to a different point in time. Returns the
 * number of waiting slices.
 */
async function refillInboxes({ shards }: Storage): Promise<number> {
  for (let bucket = 0; bucket < BUCKETS; bucket += BUCKETS_PER_DELETE) {
    const range = { firstBucket: bucket, lastBucket: bucket + BUCKETS_PER_DELETE - 1 };
    for (const db of shards.all) await clearInboxes(db, range);
    printProgress(`the inboxes of ${bucket + BUCKETS_PER_DELETE} of ${BUCKETS} buckets were cleared`);
  }
  let waitingSlices = 0;
  for (const db of shards.all)
    for (const { day } of await findShardDays(db)) {
      waitingSlices += await requeueInboxSlices(db, taskRangeOfDay(day));
      printProgress(`${waitingSlices} waiting slices were found`);
    }
  return waitingSlices;
}

function printProgress(line: string): void {
  if (performance.now() - progressPrintedMs < PROGRESS_MS) return;
  progressPrintedMs = performance.now();
  process.stderr.write(`${line} …\n`);
}
