import type { Message } from './message.ts';

export type Strategy = 'combined' | 'nativepush_only' | 'ospush_only';
/** `prompt` for lists of devices and people, `bulk` for everyone and tags: fairness is decided between the two. */
export type Lane = 'prompt' | 'bulk';
export const lanes = ['prompt', 'bulk'] as const satisfies Lane[];

export type Audience =
  | { readonly kind: 'all' }
  | { readonly kind: 'tag' | 'alias'; readonly names: readonly string[] }
  | { readonly kind: 'user_id'; readonly userIds: readonly bigint[] }
  | { readonly kind: 'push_token'; readonly pushTokens: readonly string[] };

/** One accepted notify request, as every stage after accept sees it. Nothing in it ever changes. */
export interface Task {
  readonly taskId: bigint;
  readonly appId: string;
  readonly lane: Lane;
  readonly audience: Audience;
  /** The audience is cut to the members of this group. */
  readonly groupId: bigint | null;
  readonly strategy: Strategy;
  readonly ospushSequence: readonly string[];
  readonly message: Message;
  /** The message as JSON text, just as it was stored. */
  readonly messageText: string;
  readonly dueAt: Date;
  /** Nothing is sent after this instant. */
  readonly notAfter: Date;
}

export const SHARDS = 64;
export const ALL_SHARDS: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

/** Where the slices of a list live. */
export const homeShardOf = (taskId: bigint): number => Number(taskId & BigInt(SHARDS - 1));

/** Everything of a list is in one shard; a task to everyone or to tags is in all of them. */
export function shardsOf({ taskId, expansions }: { taskId: bigint; expansions: number }): readonly number[] {
  return expansions === 1 ? [homeShardOf(taskId)] : ALL_SHARDS;
}

/** Task ids begin with time: seconds since 2026-01-01, then 22 bits of a sequence. The home database mints them. */
export const TASK_EPOCH_SECONDS = Date.UTC(2026, 0, 1) / 1_000;
const SEQUENCE_BITS = 22n;

export function firstTaskIdAt(instant: Date): bigint {
  return BigInt(Math.floor(instant.getTime() / 1_000) - TASK_EPOCH_SECONDS) << SEQUENCE_BITS;
}

/** Task ids from and to, both inclusive: lets the planner look at the partitions of these days only. */
export type TaskRange = readonly [bigint, bigint];

export function rangeOfTaskIds(taskIds: readonly bigint[]): TaskRange {
  let low = taskIds[0] ?? 0n;
  let high = low;
  for (const id of taskIds) {
    if (id < low) low = id;
    if (id > high) high = id;
  }
  return [low, high];
}

/** A notification lives until its `show_end_time`, else for a day after it was due. */
export const LIFETIME_SECONDS = 24 * 60 * 60;

/** How far ahead a message may be held. */
export const AHEAD_SECONDS_MAX = 30 * LIFETIME_SECONDS;
/** How long it may be shown after it is due; vendors keep a message four weeks at most. */
export const SHOWN_SECONDS_MAX = 30 * LIFETIME_SECONDS;

const DAY_MS = LIFETIME_SECONDS * 1_000;
/** What a doorbell rings for is not older. Nor is a database's clock so far from what we know of it. */
const FRESH_MS = 10 * 60 * 1_000;
const OPEN_MS_MAX = (AHEAD_SECONDS_MAX + SHOWN_SECONDS_MAX + LIFETIME_SECONDS) * 1_000;

/** The ids of nearly all tasks that anything is to be done for: few partitions to look at. */
export function recentTaskRange(now: Date): TaskRange {
  // A day more at the end, since a database's clock may be ahead of what we know of it.
  return [firstTaskIdAt(new Date(now.getTime() - 2 * DAY_MS)), firstTaskIdAt(new Date(now.getTime() + DAY_MS))];
}

/** The ids of tasks that were just accepted. */
export function freshTaskRange(now: Date): TaskRange {
  return [firstTaskIdAt(new Date(now.getTime() - FRESH_MS)), firstTaskIdAt(new Date(now.getTime() + FRESH_MS))];
}

/** The ids that open tasks can have: the oldest was held as long and is shown as long as can be. Many partitions. */
export function openTaskRange(now: Date): TaskRange {
  return [firstTaskIdAt(new Date(now.getTime() - OPEN_MS_MAX)), recentTaskRange(now)[1]];
}

/** The ids of each older day, up to `before`, of which tasks can be open. */
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
