import { parseArgs } from 'node:util';
import { shardOfDevice } from '#src/domain/device.ts';
import { ALL_SHARDS } from '#src/domain/task.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import { byDatabase, type Truth } from '#src/storage/database/database.ts';
import { taskRangeOf } from '#src/storage/database/partitions.ts';
import { findShardDays } from '#src/storage/upkeep/drop-days.ts';
import {
  type DeviceLogin,
  type Expanded,
  emptyInboxes,
  endLostLogins,
  expandAgain,
  findExpanded,
  findExpandedTasks,
  findLogins,
  findLostLogins,
  findTasksInShards,
  findUnknownTasks,
  finishAgain,
  forgetTasks,
  isInUse,
  layAgain,
  skipHomeNumbers,
  skipShardNumbers,
  type TaskInShards,
} from '#src/storage/upkeep/restore-repairs.ts';
import { CommandError, runCommand } from './command.ts';

const USAGE = `Makes databases agree that were restored from backups:
  node src/bin/after-restore.ts [--dry-run] [--far-apart]
--dry-run    only tells what it would do
--far-apart  does it also if the databases are of moments that are far apart`;

/** Nothing waits for this command, and nothing of the restored disk was read before. */
const QUERY_SECONDS_MAX = 60 * 60;
const TASKS_PER_PAGE = 1_000;
const LOGINS_PER_PAGE = 5_000;
/** An archive is a minute behind at most (`archive_timeout`), so that what differs is of the last minutes. */
const APART_MINUTES_MAX = 10;
/** Whoever waits hears something now and then. */
const PROGRESS_MS = 5_000;
let toldMs = performance.now();

/**
 * Makes databases agree that were restored from backups: no two of them are of exactly the same moment. `docs/backup.md`
 * tells the steps before it. Repeating it does no harm, also after it was killed: what is done is not found again.
 */
await runCommand(
  async ({ truth }) => {
    const { dryRun, farApart } = readArguments();
    await tellOfRoles(truth);
    // Whoever named a wrong database must hear of it before anything is deleted from the right ones.
    const found = await compare(truth, false);
    if (!farApart) mustBeNear(found);
    if (!dryRun) await skipNumbers(truth);
    const { unknown, missing, finished, logins } = dryRun ? found : await compare(truth, true);
    const lines = [
      `Tasks that home does not know, deleted from the shards: ${unknown.differing}`,
      `Tasks that the shards do not know, expanded again: ${missing.differing}`,
      `Tasks that are finished at home alone, looked at again: ${finished}`,
      `Logins that their devices do not know, ended: ${logins.differing}`,
    ];
    if (dryRun) lines.unshift('Nothing was changed. This is what there is to do:');
    else {
      lines.push(`Slices that wait for devices, laid into inboxes again: ${await fillInboxes(truth)}`);
      lines.push('New people, groups, tokens and devices get numbers that nobody had.');
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

async function tellOfRoles({ home, shards }: Truth): Promise<void> {
  for (const db of [home, ...shards.all])
    if (await isInUse(db)) {
      process.stderr.write(
        'A role is connected. Stop every role, and run this again: what they do meanwhile may be missed.\n',
      );
      return;
    }
}

/** What one side has of tasks or logins, and how many of these the other side does not know. */
interface Difference {
  all: number;
  differing: number;
  oldestMs: number;
  /** Of all. */
  newestMs: number;
}

function noDifference(): Difference {
  return { all: 0, differing: 0, oldestMs: Infinity, newestMs: -Infinity };
}

function note(difference: Difference, at: Date, differs: boolean): void {
  const ms = at.getTime();
  difference.all++;
  difference.newestMs = Math.max(difference.newestMs, ms);
  if (!differs) return;
  difference.differing++;
  difference.oldestMs = Math.min(difference.oldestMs, ms);
}

interface Compared {
  /** To home, of those in the shards. */
  readonly unknown: Difference;
  /** In the shards, of those that are expanded. */
  readonly missing: Difference;
  readonly finished: number;
  /** To their devices, of those that home knows. */
  readonly logins: Difference;
}

/** Only looks, unless it is to mend. */
async function compare(truth: Truth, mend: boolean): Promise<Compared> {
  const unknown = await forgetUnknownTasks(truth, mend);
  return { unknown, ...(await openAgain(truth, mend)), logins: await endUnknownLogins(truth, mend) };
}

/** Ends the command if home and shards are not of one service, not of about one moment, or in the wrong ranges. */
function mustBeNear({ unknown, missing, logins }: Compared): void {
  const newestMs = Math.max(unknown.newestMs, missing.newestMs, logins.newestMs);
  const isFar = ({ all, differing, oldestMs }: Difference) =>
    differing > 0 && (differing === all || oldestMs < newestMs - APART_MINUTES_MAX * 60_000);
  const tell = ({ oldestMs }: Difference, what: string, goesOn: string) =>
    new CommandError(
      `Nothing was changed. ${what}. The oldest of these is of ${timeOf(oldestMs)}, the newest task or login of all of ${timeOf(newestMs)}; ` +
        `databases that were restored to one moment know each other's tasks and logins, but for the last ${APART_MINUTES_MAX} minutes.\n` +
        'Look whether CARILLON_DATABASE_URL and CARILLON_SHARD_DATABASES name the databases that were restored, each with the ranges of shards that it had, and whether all of them went to the same moment.\n' +
        `If they did, or cannot: --far-apart goes on, and ${goesOn}.`,
    );
  if (isFar(unknown)) {
    const what = `Home does not know ${unknown.differing} of the ${unknown.all} tasks in the shards`;
    throw tell(unknown, what, 'deletes these tasks from the shards');
  }
  if (isFar(missing)) {
    const what = `The shards do not know ${missing.differing} of the ${missing.all} tasks that home says are expanded`;
    throw tell(missing, what, 'sends these tasks again, and ends the logins of devices that are not there');
  }
  // Ranges that are wrong are seen here alone: tasks are looked for in all databases, a device in that of its shard.
  if (isFar(logins)) {
    const what = `The shards do not know the devices of ${logins.differing} of the ${logins.all} logins at home`;
    throw tell(logins, what, 'ends these logins, which is right for a few whose devices were erased');
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

async function skipNumbers({ home, shards }: Truth): Promise<void> {
  await skipHomeNumbers(home);
  for (const db of shards.all) await skipShardNumbers(db);
}

/** Shards are asked first: whatever is there was at home before it, unless that was restored to an earlier moment. */
async function forgetUnknownTasks(truth: Truth, mend: boolean): Promise<Difference> {
  const difference = noDifference();
  for await (const tasks of tasksInShards(truth)) {
    const unknown = new Set(await findUnknownTasks(truth.home, idsOf(tasks)));
    if (mend && unknown.size > 0) for (const db of truth.shards.all) await forgetTasks(db, [...unknown]);
    for (const { taskId, at } of tasks) note(difference, at, unknown.has(taskId));
    tellProgress(`${difference.all} tasks in the shards were looked for at home`);
  }
  return difference;
}

/** Each task once, in however many databases it is, in the order of their ids. */
async function* tasksInShards({ shards }: Truth): AsyncGenerator<TaskInShards[]> {
  for (let after = 0n; after < INT64_MAX; ) {
    const pages = await Promise.all(shards.all.map((db) => findTasksInShards(db, after, TASKS_PER_PAGE)));
    // Behind a full page there may be more.
    const full = pages.filter(({ length }) => length === TASKS_PER_PAGE);
    const upTo = full
      .map((page) => page.at(-1) as TaskInShards)
      .reduce((end, { taskId }) => (taskId < end ? taskId : end), INT64_MAX);
    const tasks = pages.flat().filter(({ taskId }) => taskId <= upTo);
    if (tasks.length > 0) yield [...new Map(tasks.map((task) => [task.taskId, task])).values()];
    after = upTo;
  }
}

/** Home is asked first: whatever it says is expanded was in the shards before, unless those are of an earlier moment. */
async function openAgain({ home, shards }: Truth, mend: boolean): Promise<Pick<Compared, 'missing' | 'finished'>> {
  const difference = noDifference();
  let finished = 0;
  for (let after = 0n, more = true; more; ) {
    const tasks = await findExpandedTasks(home, after, TASKS_PER_PAGE);
    const taskIds = idsOf(tasks);
    const found = taskIds.length > 0 ? await Promise.all(shards.all.map((db) => findExpanded(db, taskIds))) : [];
    const byTask = Map.groupBy(found.flat(), ({ taskId }) => taskId);
    const sum = (taskId: bigint, of: (part: Expanded) => number) =>
      (byTask.get(taskId) ?? []).reduce((total, part) => total + of(part), 0);
    const missing = tasks.filter(({ taskId, expansions }) => sum(taskId, ({ planned }) => planned) < expansions);
    const open = tasks.filter(
      (task) =>
        task.finished &&
        !missing.includes(task) &&
        (sum(task.taskId, ({ done }) => done) < task.expansions || sum(task.taskId, ({ open }) => Number(open)) > 0),
    );
    if (mend && missing.length > 0) await expandAgain(home, idsOf(missing));
    if (mend && open.length > 0) await finishAgain(home, idsOf(open));
    for (const task of tasks) note(difference, task.at, missing.includes(task));
    finished += open.length;
    tellProgress(`${difference.all} tasks of home were looked for in the shards`);
    after = taskIds.at(-1) ?? after;
    more = tasks.length === TASKS_PER_PAGE;
  }
  return { missing: difference, finished };
}

function idsOf(tasks: readonly { readonly taskId: bigint }[]): bigint[] {
  return tasks.map(({ taskId }) => taskId);
}

/** Home is asked first here, too: a login is in the shard before its token is at home. */
async function endUnknownLogins({ home, shards }: Truth, mend: boolean): Promise<Difference> {
  const difference = noDifference();
  for (let last: DeviceLogin | undefined, more = true; more; ) {
    const logins = await findLogins(home, last, LOGINS_PER_PAGE);
    const groups = byDatabase(shards, logins, ({ deviceId }) => shardOfDevice(deviceId));
    const found = (await Promise.all([...groups].map(([db, some]) => findLostLogins(db, some)))).flat();
    if (mend && found.length > 0) await endLostLogins(home, found);
    const lost = new Set(found.map((hash) => hash.toString('hex')));
    for (const { tokenHash, at } of logins) note(difference, at, lost.has(tokenHash.toString('hex')));
    tellProgress(`${difference.all} logins were compared with their devices`);
    last = logins.at(-1) ?? last;
    more = logins.length === LOGINS_PER_PAGE;
  }
  return difference;
}

/**
 * Everything that waits is laid into its inbox anew, after all the others are gone: an inbox may be in another database
 * than its slice, and of another moment. Answers how many slices wait.
 */
async function fillInboxes({ shards }: Truth): Promise<number> {
  for (const shard of ALL_SHARDS) {
    await emptyInboxes(shards.of(shard), shard);
    tellProgress(`the inboxes of ${shard + 1} of ${ALL_SHARDS.length} shards are empty`);
  }
  let waiting = 0;
  for (const db of shards.all)
    for (const { day } of await findShardDays(db)) {
      waiting += await layAgain(db, taskRangeOf(day));
      tellProgress(`${waiting} slices that wait were found`);
    }
  return waiting;
}

function tellProgress(line: string): void {
  if (performance.now() - toldMs < PROGRESS_MS) return;
  toldMs = performance.now();
  process.stderr.write(`${line} …\n`);
}
