import { type Carillon, CarillonError } from '../../sdk/src/index.ts';
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

/** The error code of a task that does not exist or that the token cannot see. */
const BAD_PARAMETER = 10_002;

/**
 * Reads the state before the counters, so that the counters of an ended task are complete. The report contains all
 * channels; `/push/task/detail` contains some of them only if the app asks for it.
 */
export async function readProgress(client: Carillon, taskId: bigint): Promise<Progress> {
  // The list is in descending order, so the first entry after `taskId + 1` is the task itself.
  const { list } = await client.push.task.list({ after: taskId + 1n, limit: 1 });
  const { channels } = await client.push.task.report({ task_id: taskId }).catch((error: unknown) => {
    if (error instanceof CarillonError && error.code === BAD_PARAMETER)
      throw new CommandFailed(
        `Task ${taskId} does not exist, or this token has no access to it. \`carillon task list\` lists the accessible tasks.`,
      );
    throw error;
  });
  const taskEntry = list[0]?.task_id === taskId ? list[0] : undefined;
  return {
    taskId,
    // A task that has counters but is not listed ended long ago.
    state: taskEntry?.state ?? 'finished',
    dueAt: taskEntry && new Date(Number(taskEntry.due_at)),
    endAt: taskEntry && new Date(Number(taskEntry.end_at)),
    channels: new Map(
      channels
        .filter(({ target, sent, received }) => target + sent + received > 0n)
        .map(({ channel, target, sent, received }) => [channel, { target, sent, received }]),
    ),
  };
}

/** Returns whether a task has finished or was cancelled. */
export const hasEnded = ({ state }: Progress): boolean => state === 'finished' || state === 'cancelled';

export const haveSameCounts = (one: Counts | undefined, other: Counts): boolean =>
  one?.target === other.target && one.sent === other.sent && one.received === other.received;
