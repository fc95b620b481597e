import { INT64_MAX } from '#src/foundation/int64.ts';
import type { ListOrder } from '#src/foundation/lists/list-page.ts';
import { BUCKET_BITS, BUCKETS } from './bucket.ts';
import type { Message } from './message.ts';

export type Strategy = 'combined' | 'nativepush_only' | 'ospush_only';
/**
 * `prompt` is for lists of users, aliases or push tokens, `bulk` for all devices and tags. Workers share their capacity
 * between the two.
 */
export type Lane = 'prompt' | 'bulk';
export const lanes = ['prompt', 'bulk'] as const satisfies Lane[];

/** The kinds of rows that a worker claims: tasks, parts of audiences to expand, and slices to send. */
export type WorkKind = 'tasks' | 'expansions' | 'slices';
export const workKinds = ['tasks', 'expansions', 'slices'] as const satisfies WorkKind[];

export type Audience =
  | { readonly kind: 'all' }
  | { readonly kind: 'tag' | 'alias'; readonly names: readonly string[] }
  | { readonly kind: 'user_id'; readonly userIds: readonly bigint[] }
  | { readonly kind: 'push_token'; readonly pushTokens: readonly string[] };

export const audienceKinds = ['all', 'tag', 'alias', 'user_id', 'push_token'] as const satisfies Audience['kind'][];

/** The states of a task in lists. */
export const taskStates = ['held', 'sending', 'finished', 'cancelled'] as const;
export type TaskState = (typeof taskStates)[number];

/** The kinds of tokens that can send a task. The token of an operator is a session. */
export const tokenKinds = ['admin', 'operator', 'user'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** An accepted notify request, as all later stages use it. It never changes. */
export interface Task {
  readonly taskId: bigint;
  readonly appId: string;
  readonly lane: Lane;
  readonly audience: Audience;
  /** If set, the audience is limited to the members of this group. */
  readonly groupId: bigint | null;
  /** A user created the task, or an admin on behalf of a user. */
  readonly byUser: boolean;
  readonly strategy: Strategy;
  readonly ospushSequence: readonly string[];
  readonly message: Message;
  /** The message as JSON, exactly as stored. */
  readonly messageText: string;
  readonly dueAt: Date;
  /** Nothing is sent after this time. */
  readonly notAfter: Date;
  /** Why the stored audience or message is invalid. Such a task can only be cancelled. */
  readonly defect?: string;
}

/**
 * A task ID has 53 bits: 41 bits of time in units of 1/1024 s since 2026-01-01, and 12 bits of the bucket. The home
 * database generates it (`mint_task_id` in its migrations). If IDs of a bucket are taken, the time is up to 512 s ahead
 * of the clock.
 */
export const TASK_EPOCH_SECONDS = Date.UTC(2026, 0, 1) / 1_000;
const FRACTION_BITS = 10n;
const SECONDS_SHIFT = FRACTION_BITS + BUCKET_BITS;

/** Returns the bucket of a task, which contains its slices unless the task is expanded by ranges. */
export const bucketOfTask = (taskId: bigint): number => Number(taskId & BigInt(BUCKETS - 1));

export function firstTaskIdAt(instant: Date): bigint {
  return BigInt(Math.floor(instant.getTime() / 1_000) - TASK_EPOCH_SECONDS) << SECONDS_SHIFT;
}

/** Returns the first ID of tasks that are accepted at a time in Unix epoch milliseconds. Every int64 is allowed. */
function firstTaskIdAtMs(ms: bigint): bigint {
  const fractions = (ms << FRACTION_BITS) / 1_000n - (BigInt(TASK_EPOCH_SECONDS) << FRACTION_BITS);
  const id = fractions << BUCKET_BITS;
  return id < 0n ? 0n : id > INT64_MAX ? INT64_MAX : id;
}

/** Returns the range of IDs of tasks that are accepted from one time until before another, in milliseconds. */
export const taskRangeOfTimes = (fromMs: bigint | undefined, toMs: bigint | undefined): TaskRange => [
  fromMs === undefined ? 0n : firstTaskIdAtMs(fromMs),
  toMs === undefined ? INT64_MAX : firstTaskIdAtMs(toMs) - 1n,
];

/** The first and last task ID, both inclusive. With this range, the planner reads only the partitions of these days. */
export type TaskRange = readonly [bigint, bigint];

/** Most pages of a list end within these days. */
const FIRST_DAYS = BigInt(3 * 24 * 60 * 60) << SECONDS_SHIFT;

/**
 * Divides a range of task IDs into the days with which a list begins and the others, in the order of the list. Planning
 * a query takes longer with every partition in its range. A list from the beginning is not divided, because the oldest
 * day with tasks is unknown.
 */
export function splitAfterFirstDays([first, last]: TaskRange, order: ListOrder, now: Date): TaskRange[] {
  if (order === 'newest') {
    const latest = firstTaskIdAt(now);
    const split = (last < latest ? last : latest) - FIRST_DAYS;
    if (split > first)
      return [
        [split, last],
        [first, split - 1n],
      ];
  } else if (first > 0n) {
    const split = first + FIRST_DAYS;
    if (split <= last)
      return [
        [first, split - 1n],
        [split, last],
      ];
  }
  return [[first, last]];
}

export function rangeOfTaskIds(taskIds: readonly bigint[]): TaskRange {
  let low = taskIds[0] ?? 0n;
  let high = low;
  for (const id of taskIds) {
    if (id < low) low = id;
    if (id > high) high = id;
  }
  return [low, high];
}

const DAY_SECONDS = 24 * 60 * 60;

/** Returns the day of a task, counted from the task epoch. */
export const dayOfTask = (taskId: bigint): number => Math.floor(Number(taskId >> SECONDS_SHIFT) / DAY_SECONDS);

/**
 * Groups items by the day of their tasks. A statement for one group uses the partitions of one day. Otherwise, one item
 * of an old task would make PostgreSQL plan over the partitions of all days in between. Items are almost always of the
 * same day.
 */
export function groupByDay<T>(items: readonly T[], taskIdOf: (item: T) => bigint): readonly (readonly T[])[] {
  return [...Map.groupBy(items, (item) => dayOfTask(taskIdOf(item))).values()];
}

/** A notification expires at its `show_end_time`, or one day after it is due. */
export const LIFETIME_SECONDS = DAY_SECONDS;

/** A notification can be scheduled at most 30 days ahead. */
export const AHEAD_SECONDS_MAX = 30 * LIFETIME_SECONDS;
/** A notification can be shown for at most 30 days after it is due. Vendors keep a message for at most four weeks. */
export const SHOWN_SECONDS_MAX = 30 * LIFETIME_SECONDS;

/** A task can be held for at most this time after it is accepted, so that its author can still cancel it. */
export const HOLD_SECONDS_MAX = 300;

const DAY_MS = LIFETIME_SECONDS * 1_000;
/**
 * Maximum age of a task that a wake-up signal announces. It is also larger than the error of the estimated database
 * clock, and than the time by which a task ID can be ahead.
 */
const FRESH_MS = 10 * 60 * 1_000;
const OPEN_MS_MAX = (AHEAD_SECONDS_MAX + SHOWN_SECONDS_MAX + LIFETIME_SECONDS) * 1_000;

/** Returns the range of IDs of nearly all tasks with pending work, which spans only a few partitions. */
export function recentTaskRange(now: Date): TaskRange {
  // One more day at the end, because the clock of a database may be ahead of the estimate.
  return [firstTaskIdAt(new Date(now.getTime() - 2 * DAY_MS)), firstTaskIdAt(new Date(now.getTime() + DAY_MS))];
}

/** Returns the range of IDs of tasks that were just accepted. */
export function freshTaskRange(now: Date): TaskRange {
  return [firstTaskIdAt(new Date(now.getTime() - FRESH_MS)), firstTaskIdAt(new Date(now.getTime() + FRESH_MS))];
}

/**
 * Returns the range of IDs that open tasks can have. The oldest possible task was scheduled and is shown for the
 * maximum time, so the range covers many partitions.
 */
export function openTaskRange(now: Date): TaskRange {
  return [firstTaskIdAt(new Date(now.getTime() - OPEN_MS_MAX)), recentTaskRange(now)[1]];
}

/** Returns the range of IDs of each older day, up to `before`, that can have open tasks. */
export function taskDaysBefore(now: Date, before: bigint): TaskRange[] {
  const epochMs = TASK_EPOCH_SECONDS * 1_000;
  const days: TaskRange[] = [];
  for (let day = Math.max(0, Math.floor((now.getTime() - OPEN_MS_MAX - epochMs) / DAY_MS)); ; day++) {
    const first = firstTaskIdAt(new Date(epochMs + day * DAY_MS));
    if (first >= before) return days;
    const next = firstTaskIdAt(new Date(epochMs + (day + 1) * DAY_MS));
    days.push([first, (next < before ? next : before) - 1n]);
  }
}
