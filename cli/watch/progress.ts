import { type Carillon, CarillonError } from '../../sdk/src/index.ts';
import { CommandFailed } from '../failure.ts';
import { printChannel } from '../vendor-names.ts';

export interface Counts {
  readonly target: bigint;
  readonly sent: bigint;
  readonly received: bigint;
}

/** The progress of a task. */
export interface Progress {
  readonly taskId: bigint;
  readonly state: 'held' | 'sending' | 'finished' | 'cancelled';
  /** Undefined for old tasks that are no longer listed. */
  readonly dueAt: Date | undefined;
  /** Channels with a counter above zero. */
  readonly channels: ReadonlyMap<string, Counts>;
  /** Number of devices whose inbox contains the notification, and the time until which it stays there. */
  readonly waiting: bigint;
  readonly waitingUntil: Date | undefined;
}

/** The error code of a task that does not exist or that the token cannot see. */
const NO_SUCH_TASK = 12_011;

/**
 * Reads the state before the counters, so that the counters of an ended task are complete. The report contains all
 * channels; `/push/task/detail` contains some of them only if the app asks for it.
 */
export async function readProgress(client: Carillon, taskId: bigint): Promise<Progress> {
  // The list is in descending order, so the first entry after `taskId + 1` is the task itself.
  const { list } = await client.push.task.list({ after: taskId + 1n, limit: 1 });
  const report = await client.push.task.report({ task_id: taskId }).catch((error: unknown) => {
    if (error instanceof CarillonError && error.code === NO_SUCH_TASK)
      throw new CommandFailed(
        `Task ${taskId} does not exist, or this token has no access to it. \`carillon task list\` lists the accessible tasks.`,
      );
    throw error;
  });
  const taskEntry = list[0]?.task_id === taskId ? list[0] : undefined;
  // A task that has counters but is not listed ended long ago.
  const state = taskEntry?.state ?? 'finished';
  return {
    taskId,
    state,
    dueAt: taskEntry && new Date(Number(taskEntry.due_at)),
    channels: new Map(
      report.channels
        .filter(({ target, sent, received }) => target + sent + received > 0n)
        .sort((one, other) => printChannel(one.channel).localeCompare(printChannel(other.channel)))
        .map(({ channel, target, sent, received }) => [channel, { target, sent, received }]),
    ),
    // Inboxes are cleared shortly after the end of a task. A service of an older version returns no number.
    waiting: state === 'sending' ? (report.waiting ?? 0n) : 0n,
    waitingUntil: report.waiting_until ? new Date(Number(report.waiting_until)) : undefined,
  };
}

/** Returns whether a task has finished or was cancelled. */
export const hasEnded = ({ state }: Progress): boolean => state === 'finished' || state === 'cancelled';

/** Returns whether a task has finished without a recipient. */
export const hasNoRecipient = ({ state, channels }: Progress): boolean => state === 'finished' && channels.size === 0;

/** Describes a task in a few words. The description of an ended task contains its result. */
export function describeState(progress: Progress): string {
  const { state, dueAt, channels } = progress;
  const sum = (key: keyof Counts) => [...channels.values()].reduce((total, counts) => total + counts[key], 0n);
  if (state === 'held') return dueAt ? `held until ${printTime(dueAt)}` : 'held';
  if (state === 'cancelled') return describeCancelled(sum('sent'));
  if (state === 'finished') return `finished; ${sum('sent')} sent, ${sum('received')} received`;
  return 'sending';
}

export const describeCancelled = (sent: bigint): string =>
  `cancelled; ${sent} ${sent === 1n ? 'was' : 'were'} already sent`;

/** Explains that a task without a recipient sent nothing. */
export const explainNoRecipient = ({ taskId }: Progress): string =>
  `No device could be reached. Either no device matches the audience, or none of them has a channel. To check a device: carillon task trace ${taskId} --user-id <id>`;

/** Describes the notifications in inboxes. Undefined if there are none. */
export function describeWaiting({ waiting, waitingUntil }: Progress): string | undefined {
  if (waiting === 0n) return undefined;
  const inboxes = waiting === 1n ? 'the inbox of 1 device' : `the inboxes of ${waiting} devices`;
  const until = waitingUntil ? ` until ${printTime(waitingUntil)}` : '';
  return `The notification waits in ${inboxes}${until}. A device receives it when it connects.`;
}

/** Returns the command that explains why a notification waits. */
export const traceHint = (taskId: bigint): string => `To see why: carillon task trace ${taskId} --user-id <id>`;

const printTime = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z');

export const haveSameCounts = (one: Counts | undefined, other: Counts): boolean =>
  one?.target === other.target && one.sent === other.sent && one.received === other.received;
