import type { PushTaskListResponse } from '../../../../sdk/src/index.ts';
import type { Counters } from './funnel-rows.ts';

type Task = Pick<PushTaskListResponse['list'][number], 'state' | 'due_at' | 'cancelled_at'>;

const LIVE_MS = 1_000;
/** Also for the report, which reads more data. The sending rate needs two samples within ten seconds. */
export const SLOW_MS = 5_000;

const MINUTE_MS = 60_000;
/** Later receipts are rare, because notifications expire after a day by default. */
export const RECEIPTS_MS = 24 * 60 * MINUTE_MS;

/** Returns how often the state of a task is loaded again, or false after its end. `nowMs` is the time of the server. */
export function stateRefreshMs({ state, due_at }: Omit<Task, 'cancelled_at'>, nowMs: number): number | false {
  if (state === 'held') return Number(due_at) - nowMs > MINUTE_MS ? SLOW_MS : LIVE_MS;
  return state === 'sending' ? SLOW_MS : false;
}

interface Progress extends Pick<Counters, 'sent' | 'received'> {
  /** Whether devices wait in inboxes, and nothing was sent in the last seconds. */
  readonly isWaiting: boolean;
}

/** Returns how often the counters of a task are loaded again, or false if they no longer change. */
export function countersRefreshMs(
  { state, due_at, cancelled_at }: Task,
  { sent, received, isWaiting }: Progress,
  nowMs: number,
): number | false {
  if (state === 'held') return false;
  if (state === 'sending') return isWaiting ? SLOW_MS : LIVE_MS;
  // Requests in progress still count after a cancellation.
  const isStopping = cancelled_at !== null && nowMs - Number(cancelled_at) < MINUTE_MS;
  const isReceiving = sent > received && nowMs - Number(due_at) < RECEIPTS_MS;
  return isStopping || isReceiving ? SLOW_MS : false;
}
