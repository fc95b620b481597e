import type { ClaimedRecall } from '#src/storage/ledger/recalls.ts';
import { claimRecall, finishRecall, isTaskFinished, postponeRecall } from '#src/storage/ledger/recalls.ts';
import type { WorkerContext } from '../context.ts';
import { type PassResult, runRecallPass } from './recall-pass.ts';

/** Maximum number of recalls that a worker continues at the same time. Others wait for their turn. */
const RECALLS_MAX = 4;
/** Maximum duration of a pass, except for its last call. It is much shorter than the lease of a recall. */
const PASS_MS_MAX = 30_000;
/** A recall ends after this time, because users have seen a notification of the previous day. */
export const RECALL_SECONDS_MAX = 24 * 3_600;

/** Returns the delay until the next pass. It grows with the age of the recall, from one second to ten minutes. */
export const passDelaySeconds = (ageSeconds: number): number => Math.min(Math.max(ageSeconds / 4, 1), 600);

/**
 * Continues the recalls of tasks. A recall is a row in the home database, and its results are bits in the shards, so any
 * worker can continue it after a crash. A repeated recall is harmless: the notification is no longer there.
 */
export class Recalls {
  readonly #context: WorkerContext;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(context: WorkerContext) {
    this.#context = context;
  }

  /** Claims recalls that are due. Does not wait for their end. */
  async start(): Promise<void> {
    while (this.#running.size < RECALLS_MAX && !this.#stopping.signal.aborted) {
      const recall = await claimRecall(this.#context.storage.home);
      if (!recall) return;
      const running = this.#continue(recall);
      this.#running.add(running);
      void running.finally(() => this.#running.delete(running));
    }
  }

  /** Ends the passes early, so that another worker can continue. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  /** Does one pass. If it fails, the recall is claimed again when its lease ends. */
  async #continue(recall: ClaimedRecall): Promise<void> {
    const { home } = this.#context.storage;
    const { taskId, ageSeconds } = recall;
    try {
      // Must be read before the pass. A call that was running during the cancellation can set its sent bit until its
      // lease ends.
      const isSettled =
        (await isTaskFinished(home, taskId)) && ageSeconds > this.#context.settings.CARILLON_LEASE_SECONDS;
      const isLast = ageSeconds > RECALL_SECONDS_MAX;
      const result = await this.#runPass(recall, isLast);
      if (result === 'complete' && (isSettled || isLast)) await finishRecall(home, taskId);
      else await postponeRecall(home, taskId, result === 'cut' ? 0 : passDelaySeconds(ageSeconds));
    } catch (error) {
      this.#context.log.warn('recall-failed', { appId: recall.appId, taskId: `${taskId}`, error });
    }
  }

  async #runPass({ appId, taskId }: ClaimedRecall, isLast: boolean): Promise<PassResult> {
    const context = this.#context;
    const task = (await context.taskCache.get([taskId])).get(taskId);
    if (!task) return 'complete'; // its data was deleted
    return runRecallPass({
      ...{ context, appId, taskId, isLast },
      messageType: task.message.type,
      endsAtMs: performance.now() + PASS_MS_MAX,
      stop: this.#stopping.signal,
    });
  }
}
