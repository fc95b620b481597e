import { ALL_SHARDS, SHARDS } from '#src/domain/task.ts';
import { atTask, type VerifyCursor } from '#src/domain/verify-cursor.ts';
import type { Truth } from '#src/storage/database/database.ts';
import {
  checkRequestKeys,
  countScope,
  findLawTasks,
  findOldInboxRows,
  type LawScope,
  type LawTask,
  type Violation,
} from '#src/storage/ledger/invariants.ts';
import { verifyCounts, verifyExpansions, verifyScope } from './verify-scope.ts';

export interface VerifiedPage {
  readonly laws: readonly string[];
  readonly tasks: number;
  readonly slices: bigint;
  readonly places: bigint;
  readonly broken: readonly Violation[];
  readonly next: VerifyCursor | null;
}

const KEYS_PER_PAGE = 5_000;
const TASKS_PER_PAGE = 200;
/** About as much as is looked through in a second. One shard of one task may have more, and is looked at in parts. */
const PLACES_PER_PAGE = 200_000;

/** One part of an app's ledger, held to the laws. */
export async function verifyPage(truth: Truth, appId: string, cursor: VerifyCursor): Promise<VerifiedPage> {
  return cursor.kind === 'keys' ? verifyKeys(truth, appId, cursor) : verifyTasks(truth, appId, cursor);
}

async function verifyKeys(
  truth: Truth,
  appId: string,
  cursor: VerifyCursor & { readonly kind: 'keys' },
): Promise<VerifiedPage> {
  const { broken, last } = await checkRequestKeys(truth.home, appId, cursor, KEYS_PER_PAGE);
  const isFirst = cursor.author === '';
  const old = isFirst ? await Promise.all(truth.shards.all.map((db) => findOldInboxRows(db, appId))) : [];
  return {
    laws: isFirst ? ['L1', 'L9'] : ['L1'],
    tasks: 0,
    slices: 0n,
    places: 0n,
    broken: [...broken, ...old.flat()],
    next: last ? { kind: 'keys', author: last.author, requestId: last.requestId } : atTask(0n),
  };
}

async function verifyTasks(
  truth: Truth,
  appId: string,
  cursor: VerifyCursor & { readonly kind: 'tasks' },
): Promise<VerifiedPage> {
  const laws = ['L2', 'L3', 'L4', 'L7', 'L8', 'L10'];
  // One more than a page has, to know where the next begins.
  const tasks = await findLawTasks(truth.home, appId, cursor.taskId, TASKS_PER_PAGE + 1);
  const page = await cutToPage(truth, tasks.slice(0, TASKS_PER_PAGE), cursor);
  if (!page) return { laws, tasks: 0, slices: 0n, places: 0n, broken: [], next: null };
  const { scope, slices, places } = page;
  const next = nextAfter(scope, tasks[scope.tasks.length]);
  // What is asked of a whole task is asked with its last part.
  const last = scope.tasks.at(-1) as LawTask;
  const ended = next?.kind === 'tasks' && next.taskId === last.taskId ? [] : scope.tasks;
  const broken = [
    ...(await verifyScope(truth, scope)),
    ...(await verifyExpansions(truth, ended)),
    ...(await verifyCounts(truth, appId, ended)),
  ];
  return { laws, tasks: ended.length, slices, places, broken, next };
}

function nextAfter({ tasks, shards, part, parts }: LawScope, following: LawTask | undefined): VerifyCursor | null {
  const { taskId } = tasks.at(-1) as LawTask;
  const shard = shards.at(-1) as number;
  if (part + 1 < parts) return { kind: 'tasks', taskId, shard, part: part + 1, parts };
  if (shard + 1 < SHARDS) return atTask(taskId, shard + 1);
  return following ? atTask(following.taskId) : null;
}

/** What a page has, and how much of it there is. */
interface Cut {
  readonly scope: LawScope;
  readonly slices: bigint;
  readonly places: bigint;
}

/** As many whole tasks as a page takes; of one that is more than that alone, or is begun, the next shards or a part. */
async function cutToPage(
  truth: Truth,
  tasks: readonly LawTask[],
  cursor: VerifyCursor & { readonly kind: 'tasks' },
): Promise<Cut | undefined> {
  const [first] = tasks;
  if (!first) return undefined;
  const begun = first.taskId === cursor.taskId ? cursor : undefined;
  const shards = ALL_SHARDS.slice(begun?.shard);
  const counts = (await Promise.all(truth.shards.all.map((db) => countScope(db, { tasks, shards })))).flat();
  const ofTask = Map.groupBy(counts, ({ taskId }) => taskId);
  const mine = Map.groupBy(ofTask.get(first.taskId) ?? [], ({ shard }) => shard);

  const whole = takeWhileRoom(tasks, ({ taskId }) => ofTask.get(taskId) ?? []);
  if (whole.length > 0 && shards.length === SHARDS && (begun?.parts ?? 1) === 1)
    return cutOf({ tasks: whole, shards, part: 0, parts: 1 }, counts);
  const some = takeWhileRoom(shards, (shard) => mine.get(shard) ?? []);
  if (some.length > 0 && (begun?.parts ?? 1) === 1)
    return cutOf({ tasks: [first], shards: some, part: 0, parts: 1 }, counts);
  const [shard] = shards as [number];
  const parts = begun && begun.parts > 1 ? begun.parts : partsOf(sumOf(mine.get(shard) ?? [], 'places'));
  return cutOf({ tasks: [first], shards: [shard], part: begun?.part ?? 0, parts }, counts);
}

function cutOf(scope: LawScope, counts: readonly Count[]): Cut {
  const taskIds = new Set(scope.tasks.map(({ taskId }) => taskId));
  const within = counts.filter(({ taskId, shard }) => taskIds.has(taskId) && scope.shards.includes(shard));
  // Told with the first part, so that the sum over all pages is right.
  const told = scope.part === 0 ? within : [];
  return { scope, slices: sumOf(told, 'slices'), places: sumOf(told, 'places') };
}

interface Count {
  readonly taskId: bigint;
  readonly shard: number;
  readonly slices: bigint;
  readonly places: bigint;
}

const sumOf = (counts: readonly Count[], name: 'slices' | 'places'): bigint =>
  counts.reduce((sum, count) => sum + count[name], 0n);

const partsOf = (places: bigint): number => Number(places / BigInt(PLACES_PER_PAGE)) + 1;

function takeWhileRoom<T>(items: readonly T[], countsOf: (item: T) => readonly Count[]): T[] {
  let room = BigInt(PLACES_PER_PAGE);
  const end = items.findIndex((item) => {
    room -= sumOf(countsOf(item), 'places');
    return room < 0n;
  });
  return items.slice(0, end < 0 ? items.length : end);
}
