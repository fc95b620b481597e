import { BUCKETS } from '#src/domain/bucket.ts';
import { bucketOfTask, firstTaskIdAt, TASK_EPOCH_SECONDS } from '#src/domain/task.ts';
import { createLog } from '#src/foundation/log.ts';
import { type BucketMap, readBucketMap } from '#src/storage/database/bucket-map.ts';
import type { HomeDb, ShardDb } from '#src/storage/database/database.ts';
import type { MigrationGap } from '#src/storage/database/migrations.ts';
import { withHome, withShard } from '#src/storage/database/open-storage.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import { findShardExpansions, findUnknownTasks } from '#src/storage/upkeep/restore-repairs.ts';
import { findNewestPlannedTasks, findNewestTasksInShard, type SampledTask } from '#src/storage/upkeep/task-samples.ts';
import {
  CLOCK_ADVICE,
  CLOCK_MS_WARNING,
  CLOCK_MS_WRONG,
  type Finding,
  ok,
  reasonOf,
  warning,
  wrong,
} from '../finding.ts';

/** A database that was checked. */
export interface CheckedDatabase {
  /** The names in the bucket map that have this URL. */
  readonly names: readonly string[];
  readonly url: string;
  readonly isHome: boolean;
  /** Identifies the server, regardless of the address that is used to reach it. */
  readonly cluster: string;
  /** The difference between the clock of its server and the clock of this machine, and the maximum error. */
  readonly clock: { readonly offMs: number; readonly errorMs: number };
  /** The difference between its migrations and those of this version. `shard` is for databases with devices. */
  readonly gaps: readonly (MigrationGap & { readonly kind: 'home' | 'shard' })[];
}

/** Compares the databases of an installation that respond with each other. */
export async function* compareDatabases(
  databases: readonly CheckedDatabase[],
  map: BucketMap | Error,
  settingNames: ReadonlySet<string>,
): AsyncGenerator<Finding> {
  yield* findingsOfVersions(databases);
  yield* findingsOfClocks(databases);
  const home = databases.find(({ isHome }) => isHome);
  if (!home || !isMigrated(home, 'home')) return;
  yield* findingsOfMap(map, settingNames);
  const shards = databases.filter((database) => isMigrated(database, 'shard'));
  if (!(map instanceof Error)) yield* compareTasks(home, shards, map);
}

const isMigrated = ({ gaps }: CheckedDatabase, kind: 'home' | 'shard'): boolean =>
  gaps.some((gap) => gap.kind === kind && gap.missing.length === 0);

/** Reads the bucket map, or returns the error. */
export const readMap = (home: HomeDb): Promise<BucketMap | Error> =>
  readBucketMap(home).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));

/** Compares the bucket map with the databases in the settings. */
export function* findingsOfMap(map: BucketMap | Error, settingNames: ReadonlySet<string>): Generator<Finding> {
  if (map instanceof Error) {
    yield wrong(
      'bucket map',
      `The bucket map cannot be used: ${reasonOf(map)}.`,
      'Run `node src/bin/migrate.ts`, which creates a missing map. If the map has a gap or an overlap, correct the table bucket_map in the home database.',
    );
    return;
  }
  const bucketCounts = new Map<string, number>();
  for (const { database, firstBucket, lastBucket } of map.ranges)
    bucketCounts.set(database, (bucketCounts.get(database) ?? 0) + lastBucket - firstBucket + 1);
  const missing = [...bucketCounts].filter(([name]) => !settingNames.has(name));
  const unused = [...settingNames].filter((name) => name !== 'home' && !bucketCounts.has(name));
  for (const [name, count] of missing)
    yield wrong(
      'bucket map',
      `CARILLON_SHARD_DATABASES does not name the database ${name}, which has ${count} of ${BUCKETS} buckets.`,
      `Add \`${name}=postgres://…\` to CARILLON_SHARD_DATABASES of every process. A process does not start without it.`,
    );
  for (const name of unused)
    yield warning(
      'bucket map',
      `CARILLON_SHARD_DATABASES names the database ${name}, which has no buckets and is not used.`,
      'Check the spelling of the name, or remove it from CARILLON_SHARD_DATABASES.',
    );
  if (missing.length + unused.length === 0)
    yield ok(
      'bucket map',
      `The settings name all databases of the bucket map: ${[...bucketCounts.keys()].join(', ')}.`,
    );
}

/** Reports databases with devices whose migrations differ from each other. */
function* findingsOfVersions(databases: readonly CheckedDatabase[]): Generator<Finding> {
  const shards = databases.flatMap(({ names, gaps }) =>
    gaps.filter(({ kind }) => kind === 'shard').map((shardGap) => ({ name: nameOf(names), shardGap })),
  );
  const [first, ...others] = shards;
  const versionOf = ({ missing, unknown }: MigrationGap) => [...missing.map((name) => `-${name}`), ...unknown].join();
  const different = others.filter(({ shardGap }) => first && versionOf(shardGap) !== versionOf(first.shardGap));
  if (first && different.length > 0)
    yield wrong(
      'migrations',
      `The schema of ${different.map(({ name }) => name).join(', ')} differs from the schema of ${first.name}.`,
      'Run `node src/bin/migrate.ts` of the newest version that is installed, with the settings of the service.',
    );
}

/** Compares the clock of each database server with the clock of the home database. */
export function* findingsOfClocks(
  databases: readonly Pick<CheckedDatabase, 'names' | 'isHome' | 'cluster' | 'clock'>[],
): Generator<Finding> {
  const servers = [...new Map(databases.map((database) => [database.cluster, database])).values()];
  const home = databases.find(({ isHome }) => isHome);
  if (!home || servers.length < 2) return;
  let differences = 0;
  for (const { names, clock } of servers.filter(({ cluster }) => cluster !== home.cluster)) {
    const offMs = clock.offMs - home.clock.offMs;
    const off = Math.abs(offMs) - clock.errorMs - home.clock.errorMs;
    if (off < CLOCK_MS_WARNING) continue;
    differences++;
    const text = `The server of ${nameOf(names)} is ${(off / 1_000).toFixed(0)} s ${offMs > 0 ? 'ahead of' : 'behind'} the server of the home database.`;
    yield off < CLOCK_MS_WRONG
      ? warning('clock, databases', text, CLOCK_ADVICE)
      : wrong('clock, databases', text, CLOCK_ADVICE);
  }
  if (differences === 0) yield ok('clock, databases', `The clocks of ${servers.length} database servers agree.`);
}

const nameOf = (names: readonly string[]): string => names.join('/') || 'home';

/** Number of the newest tasks that are compared in each database. */
const TASKS_SAMPLED_MAX = 500;
/** Older tasks are not compared. No task is dropped before this time. */
const SAMPLE_DAYS_MAX = 7;
const QUERY_SECONDS_MAX = 30;

/** Compares the newest tasks of the home database with those of the databases with devices. */
async function* compareTasks(
  home: CheckedDatabase,
  shards: readonly CheckedDatabase[],
  map: BucketMap,
): AsyncGenerator<Finding> {
  const differences: Finding[] = [];
  const compared = await withHome(optionsFor(home.url), async (homeDb) => {
    const after = firstTaskIdAt(new Date((await readClock(homeDb)).getTime() - SAMPLE_DAYS_MAX * 86_400_000));
    // The home database is read first here: an expanded task is also in the shards, unless they have lost it.
    const planned = await findNewestPlannedTasks(homeDb, after, TASKS_SAMPLED_MAX);
    for (const { names, url } of shards)
      await withShard(url, optionsFor(url), async (shardDb) => {
        differences.push(
          ...(await findingsOfLostTasks(shardDb, nameOf(names), planned, hasBuckets(map, names))),
          ...(await findingsOfUnknownTasks(homeDb, shardDb, nameOf(names), after)),
        );
      });
    return planned.length;
  });
  if (differences.length > 0) yield* differences;
  else yield ok('tasks', `All databases have the newest ${compared} tasks of the home database that they need.`);
}

/** Returns whether one of these databases has a bucket. */
const hasBuckets =
  (map: BucketMap, names: readonly string[]) =>
  (bucket: number | undefined): boolean =>
    map.ranges.some(
      ({ database, firstBucket, lastBucket }) =>
        names.includes(database) && (bucket === undefined || (firstBucket <= bucket && bucket <= lastBucket)),
    );

async function findingsOfLostTasks(
  db: ShardDb,
  name: string,
  planned: readonly SampledTask[],
  hasBucket: (bucket: number | undefined) => boolean,
): Promise<Finding[]> {
  const expected = planned.filter(({ taskId, byRange }) => hasBucket(byRange ? undefined : bucketOfTask(taskId)));
  if (expected.length === 0) return [];
  const taskIds = expected.map(({ taskId }) => taskId);
  const present = new Set((await findShardExpansions(db, taskIds)).map(({ taskId }) => taskId));
  const lost = taskIds.filter((taskId) => !present.has(taskId));
  if (lost.length === 0) return [];
  return [
    wrong(
      'tasks',
      `${name} has lost ${lost.length} of the newest ${expected.length} tasks that the home database has expanded there. ${newestOf(lost)}`,
      `The database has lost commits, or the URL of ${name} is wrong. Check CARILLON_SHARD_DATABASES. Workers send unfinished tasks again within 10 minutes. \`node src/bin/after-restore.ts --dry-run\` lists all differences, and docs/operate/restore.md explains the repair.`,
    ),
  ];
}

async function findingsOfUnknownTasks(home: HomeDb, db: ShardDb, name: string, after: bigint): Promise<Finding[]> {
  // The shard is read first: a task in a shard is also in the home database, unless the home database has lost it.
  const taskIds = await findNewestTasksInShard(db, after, TASKS_SAMPLED_MAX);
  const unknown = taskIds.length > 0 ? await findUnknownTasks(home, taskIds) : [];
  if (unknown.length === 0) return [];
  return [
    wrong(
      'tasks',
      `The home database does not have ${unknown.length} of the newest ${taskIds.length} tasks in ${name}. ${newestOf(unknown)}`,
      `The home database has lost commits, or ${name} belongs to another installation. Check CARILLON_DATABASE_URL and CARILLON_SHARD_DATABASES. These tasks are not sent. \`node src/bin/after-restore.ts --dry-run\` lists all differences, and docs/operate/restore.md explains the repair.`,
    ),
  ];
}

/** Returns a sentence with the newest of these tasks. The first part of a task ID is its time. */
function newestOf(taskIds: readonly bigint[]): string {
  const newest = taskIds.reduce((a, b) => (a > b ? a : b));
  const acceptedAt = new Date((Number(newest >> 22n) + TASK_EPOCH_SECONDS) * 1_000);
  return `The newest is ${newest}, accepted at ${acceptedAt.toISOString().slice(0, 19)}Z.`;
}

const optionsFor = (url: string) => ({
  settings: {
    CARILLON_DATABASE_URL: url,
    CARILLON_SHARD_DATABASES: '',
    CARILLON_DATABASE_QUERY_SECONDS_MAX: QUERY_SECONDS_MAX,
  },
  connections: 1,
  log: createLog({ level: 'error', fields: { role: 'doctor' } }),
});
