import { setTimeout as sleep } from 'node:timers/promises';
import type { Carillon, PushTaskTraceResponse } from '../../sdk/src/index.ts';
import { isTransient } from '../watch/watch.ts';

const POLL_MS = 500;

/** The trace of a notification to one device. */
export type Trace = PushTaskTraceResponse['list'][number];

export interface FollowedTask {
  readonly taskId: bigint;
  readonly pushToken: string;
}

/** Polls the trace of a task until a condition holds or the time is over. Returns the last trace. */
export async function followTask(
  client: Carillon,
  { taskId, pushToken }: FollowedTask,
  options: {
    readonly seconds: number;
    readonly stop: AbortSignal;
    readonly until: (trace: Trace) => boolean;
    readonly onWait: (elapsedSeconds: number) => void;
  },
): Promise<Trace | undefined> {
  const startedAt = performance.now();
  const elapsedSeconds = () => (performance.now() - startedAt) / 1_000;
  let last: Trace | undefined;
  for (;;) {
    try {
      const { list } = await client.push.task.trace({ task_id: taskId, push_token: pushToken });
      last = list[0] ?? last;
      if (last && options.until(last)) return last;
    } catch (error) {
      options.stop.throwIfAborted();
      if (!isTransient(error) || elapsedSeconds() >= options.seconds) throw error;
    }
    if (elapsedSeconds() >= options.seconds) return last;
    options.onWait(Math.floor(elapsedSeconds()));
    await sleep(POLL_MS, undefined, { signal: options.stop }).catch(() => undefined);
    options.stop.throwIfAborted();
  }
}
