import type { Carillon } from '../../sdk/src/index.ts';
import { CommandFailed } from '../failure.ts';

export interface Counts {
  readonly target: bigint;
  readonly sent: bigint;
  readonly received: bigint;
}

/** The progress of a task. */
export interface Progress {
  readonly taskId: bigint;
  readonly state: 'held' | 'sending' | 'finished' | 'cancelled';
  /** Due time and end time. Undefined for old tasks that are no longer listed. */
  readonly dueAt: Date | undefined;
  readonly endAt: Date | undefined;
  /** Channels with a counter above zero. */
  readonly channels: ReadonlyMap<string, Counts>;
}

/** Reads the state before the counters, so that the counters of an ended task are complete. */
export async function readProgress(client: Carillon, taskId: bigint): Promise<Progress> {
  // The list is in descending order, so the first entry after `taskId + 1` is the task itself.
  const { list } = await client.push.task.list({ after: taskId + 1n, limit: 1 });
  const [statistics] = await client.push.task.detail({ list: [taskId] });
  if (!statistics)
    throw new CommandFailed(
      `Task ${taskId} does not exist, or this token has no access to it. \`carillon task list\` lists the accessible tasks.`,
    );
  const taskEntry = list[0]?.task_id === taskId ? list[0] : undefined;
  return {
    taskId,
    // A task that has counters but is not listed ended long ago.
    state: taskEntry?.state ?? 'finished',
    dueAt: taskEntry && new Date(Number(taskEntry.due_at)),
    endAt: taskEntry && new Date(Number(taskEntry.end_at)),
    channels: activeChannels(statistics as unknown as Readonly<Record<string, bigint>>),
  };
}

/**
 * Groups the counters `apns_target`, `apns_sent`, `apns_received` and so on by channel. Channels whose counters are all
 * zero are omitted.
 */
function activeChannels(record: Readonly<Record<string, bigint>>): Map<string, Counts> {
  const channels = Object.keys(record).flatMap((name) => /^(.+)_target$/.exec(name)?.[1] ?? []);
  const counts = channels.map((channel) => {
    const [target = 0n, sent = 0n, received = 0n] = ['target', 'sent', 'received'].map(
      (counter) => record[`${channel}_${counter}`],
    );
    return [channel, { target, sent, received }] as const;
  });
  return new Map(counts.filter(([, { target, sent, received }]) => target + sent + received > 0n));
}

/** Returns whether a task has finished or was cancelled. */
export const hasEnded = ({ state }: Progress): boolean => state === 'finished' || state === 'cancelled';

export const haveSameCounts = (one: Counts | undefined, other: Counts): boolean =>
  one?.target === other.target && one.sent === other.sent && one.received === other.received;
