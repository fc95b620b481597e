import type { Carillon } from '../../sdk/src/index.ts';
import { CommandFailed } from '../failure.ts';

export interface Counts {
  readonly target: bigint;
  readonly sent: bigint;
  readonly received: bigint;
}

/** How far a task has come. */
export interface Progress {
  readonly taskId: bigint;
  readonly state: 'held' | 'sending' | 'finished' | 'cancelled';
  /** When it is sent, or was, and when nothing of it is sent any more; unknown of tasks that are not kept any more. */
  readonly dueAt: Date | undefined;
  readonly endAt: Date | undefined;
  /** The channels that had something to do. */
  readonly channels: ReadonlyMap<string, Counts>;
}

/** Asks for the state first: what is counted after a task has ended is all there was to send. */
export async function readProgress(client: Carillon, taskId: bigint): Promise<Progress> {
  // The list goes from the latest to the first, so what follows the number above is the task itself.
  const { list } = await client.push.task.list({ after: taskId + 1n, limit: 1 });
  const [statistics] = await client.push.task.detail({ list: [taskId] });
  if (!statistics)
    throw new CommandFailed(
      `There is no task ${taskId}, or this token may not see it. \`carillon task list\` shows those it may see.`,
    );
  const taskEntry = list[0]?.task_id === taskId ? list[0] : undefined;
  return {
    taskId,
    // Only what has ended long ago is counted but listed no more.
    state: taskEntry?.state ?? 'finished',
    dueAt: taskEntry && new Date(Number(taskEntry.due_at)),
    endAt: taskEntry && new Date(Number(taskEntry.end_at)),
    channels: activeChannels(statistics as unknown as Readonly<Record<string, bigint>>),
  };
}

/** `apns_target`, `apns_sent`, `apns_received` and so on, by channel. */
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

/** Whether there is nothing left to wait for. */
export const hasEnded = ({ state }: Progress): boolean => state === 'finished' || state === 'cancelled';

export const haveSameCounts = (one: Counts | undefined, other: Counts): boolean =>
  one?.target === other.target && one.sent === other.sent && one.received === other.received;
