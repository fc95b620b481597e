import { BUCKETS, type BucketRange } from '#src/domain/bucket.ts';
import { taskCursor, type VerifyCursor } from '#src/domain/verification/verify-cursor.ts';
import type { Storage } from '#src/storage/database/database.ts';
import {
  type CheckedTask,
  type CheckScope,
  checkRequestKeys,
  countSlicesAndPlaces,
  findExpiredInboxRows,
  findTasksToCheck,
  type Violation,
} from '#src/storage/ledger/invariants.ts';
import { verifyCounts, verifyExpansions, verifyScope } from './verify-scope.ts';

export interface VerifiedPage {
  readonly laws: readonly string[];
  readonly tasks: number;
  readonly slices: bigint;
  readonly places: bigint;
  readonly violations: readonly Violation[];
  readonly next: VerifyCursor | null;
}

const KEYS_PER_PAGE = 5_000;
const TASKS_PER_PAGE = 200;
/**
 * Approximate number of places that can be checked in a second. A bucket of a task that has more places is checked in
 * parts.
 */
const PLACES_PER_PAGE = 200_000;

/** Checks one page of an app's ledger against the invariants. */
export async function verifyPage(storage: Storage, appId: string, cursor: VerifyCursor): Promise<VerifiedPage> {
  return cursor.kind === 'keys' ? verifyKeys(storage, appId, cursor) : verifyTasks(storage, appId, cursor);
}

async function verifyKeys(
  storage: Storage,
  appId: string,
  cursor: VerifyCursor & { readonly kind: 'keys' },
): Promise<VerifiedPage> {
  const { violations, last } = await checkRequestKeys(storage.home, appId, cursor, KEYS_PER_PAGE);
  const isFirstPage = cursor.bucket === 0 && cursor.author === '';
  const oldInboxRows = isFirstPage
    ? await Promise.all(storage.shards.all.map((db) => findExpiredInboxRows(db, appId)))
    : [];
  return {
    laws: isFirstPage ? ['L1', 'L9'] : ['L1'],
    tasks: 0,
    slices: 0n,
    places: 0n,
    violations: [...violations, ...oldInboxRows.flat()],
    next: last ? { kind: 'keys', bucket: last.bucket, author: last.author, requestId: last.requestId } : taskCursor(0n),
  };
}

async function verifyTasks(
  storage: Storage,
  appId: string,
  cursor: VerifyCursor & { readonly kind: 'tasks' },
): Promise<VerifiedPage> {
  const laws = ['L2', 'L3', 'L4', 'L7', 'L8', 'L10', 'L11'];
  // One task more than the page size, to find the start of the next page.
  const tasks = await findTasksToCheck(storage.home, appId, cursor.taskId, TASKS_PER_PAGE + 1);
  const page = await selectPageScope(storage, tasks.slice(0, TASKS_PER_PAGE), cursor);
  if (!page) return { laws, tasks: 0, slices: 0n, places: 0n, violations: [], next: null };
  const { scope, slices, places } = page;
  const next = nextCursor(scope, tasks[scope.tasks.length]);
  // Invariants of a whole task are checked with its last part.
  const lastTask = scope.tasks.at(-1) as CheckedTask;
  const completedTasks = next?.kind === 'tasks' && next.taskId === lastTask.taskId ? [] : scope.tasks;
  const violations = [
    ...(await verifyScope(storage, scope)),
    ...(await verifyExpansions(storage, completedTasks)),
    ...(await verifyCounts(storage, appId, completedTasks)),
  ];
  return { laws, tasks: completedTasks.length, slices, places, violations, next };
}

function nextCursor(
  { tasks, buckets, part, parts }: CheckScope,
  nextTask: CheckedTask | undefined,
): VerifyCursor | null {
  const { taskId } = tasks.at(-1) as CheckedTask;
  const { lastBucket: bucket } = buckets;
  if (part + 1 < parts) return { kind: 'tasks', taskId, bucket, part: part + 1, parts };
  if (bucket + 1 < BUCKETS) return taskCursor(taskId, bucket + 1);
  return nextTask ? taskCursor(nextTask.taskId) : null;
}

/** The content of a page, and the number of its slices and places. */
interface PageScope {
  readonly scope: CheckScope;
  readonly slices: bigint;
  readonly places: bigint;
}

/**
 * Selects as many whole tasks as fit on a page. If the first task alone is too large or already started, selects its
 * next buckets or a part of one bucket. Returns undefined if no tasks are left.
 */
async function selectPageScope(
  storage: Storage,
  tasks: readonly CheckedTask[],
  cursor: VerifyCursor & { readonly kind: 'tasks' },
): Promise<PageScope | undefined> {
  const [first] = tasks;
  if (!first) return undefined;
  const resumedCursor = first.taskId === cursor.taskId ? cursor : undefined;
  const firstBucket = resumedCursor?.bucket ?? 0;
  const buckets = { firstBucket, lastBucket: BUCKETS - 1 };
  const counts = (
    await Promise.all(storage.shards.all.map((db) => countSlicesAndPlaces(db, { tasks, buckets })))
  ).flat();
  const countsByTask = Map.groupBy(counts, ({ taskId }) => taskId);
  const isWhole = (resumedCursor?.parts ?? 1) === 1;

  const wholeTasks = takeWhileRoom(tasks, ({ taskId }) => countsByTask.get(taskId) ?? []);
  if (wholeTasks.length > 0 && firstBucket === 0 && isWhole)
    return pageScopeOf({ tasks: wholeTasks, buckets, part: 0, parts: 1 }, counts);
  const countsOfFirst = (countsByTask.get(first.taskId) ?? []).toSorted((a, b) => a.bucket - b.bucket);
  const wholeBuckets = takeWhileRoom(countsOfFirst, (count) => [count]);
  const nextBucket = countsOfFirst[wholeBuckets.length]?.bucket ?? BUCKETS;
  if (nextBucket > firstBucket && isWhole)
    return pageScopeOf(
      { tasks: [first], buckets: { firstBucket, lastBucket: nextBucket - 1 }, part: 0, parts: 1 },
      counts,
    );
  const parts = isWhole
    ? partCountOf(countsOfFirst.find(({ bucket }) => bucket === firstBucket)?.places ?? 0n)
    : (resumedCursor?.parts as number);
  const part = resumedCursor?.part ?? 0;
  return pageScopeOf({ tasks: [first], buckets: { firstBucket, lastBucket: firstBucket }, part, parts }, counts);
}

function pageScopeOf(scope: CheckScope, counts: readonly ScopeCount[]): PageScope {
  const taskIds = new Set(scope.tasks.map(({ taskId }) => taskId));
  const countsInScope = counts.filter(({ taskId, bucket }) => taskIds.has(taskId) && contains(scope.buckets, bucket));
  // Reported with the first part only, so that the sum over all pages is correct.
  const countsToReport = scope.part === 0 ? countsInScope : [];
  return { scope, slices: sumOf(countsToReport, 'slices'), places: sumOf(countsToReport, 'places') };
}

const contains = ({ firstBucket, lastBucket }: BucketRange, bucket: number): boolean =>
  firstBucket <= bucket && bucket <= lastBucket;

interface ScopeCount {
  readonly taskId: bigint;
  readonly bucket: number;
  readonly slices: bigint;
  readonly places: bigint;
}

const sumOf = (counts: readonly ScopeCount[], name: 'slices' | 'places'): bigint =>
  counts.reduce((sum, count) => sum + count[name], 0n);

const partCountOf = (places: bigint): number => Number(places / BigInt(PLACES_PER_PAGE)) + 1;

function takeWhileRoom<T>(items: readonly T[], countsOf: (item: T) => readonly ScopeCount[]): T[] {
  let room = BigInt(PLACES_PER_PAGE);
  const end = items.findIndex((item) => {
    room -= sumOf(countsOf(item), 'places');
    return room < 0n;
  });
  return items.slice(0, end < 0 ? items.length : end);
}
