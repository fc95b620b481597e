import type { Lane } from '#src/domain/task.ts';
import type { WorkerContext } from '../context.ts';

/**
 * Runs the work on claimed rows. Every claim passes through this function, which decides how it shares the worker:
 *
 * - Prompt lane (lists of users, aliases and push tokens): the work starts immediately and never waits. The bulk throttle
 *   holds bulk rounds back while it runs.
 * - Bulk lane (all devices and tags): the work also starts immediately, but each round waits for its turn in
 *   `bulkThrottle.runRound`. A round is one round of vendor calls or one expansion.
 * - Backlog: a full claim means that more work is due. Until a claim of that database is no longer full, the next rows
 *   come from the app with the least work in progress, which is counted here. Without a backlog, a claim takes the rows
 *   that have been due the longest, of any app.
 * - Databases: rows that need different databases are processed in separate groups (`IndependentWork`). A group that
 *   waits for a silent database continues in the background.
 * - Database failure: if a database becomes unavailable, the claimed tasks and slices that need it are queued, and a
 *   later sweep releases them (`ReleaseQueue`). Expansions stay claimed until their lease ends, as do all rows after a
 *   timeout or a lock conflict.
 * - Any other failure: the rows of the group are processed again, each alone. A row that fails alone is retried after a
 *   pause, and quarantined after too many failures (`failed-work.ts`).
 *
 * The caller occupies one slot of its lane until the work ends, except while it waits for a vendor
 * (`Slots.freeDuring`).
 */
export function runClaimed(
  { appTurns, bulkThrottle }: WorkerContext,
  lane: Lane,
  items: readonly { readonly appId: string }[],
  work: () => Promise<void>,
): Promise<void> {
  const runCounted = () => appTurns[lane].trackDuring(items, work);
  return lane === 'prompt' ? bulkThrottle.runPrompt(runCounted) : runCounted();
}
