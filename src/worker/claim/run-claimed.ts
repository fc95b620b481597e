import type { Lane } from '#src/domain/task.ts';
import type { ClaimedExpansion } from '#src/storage/ledger/expansions.ts';
import type { ClaimedSlice } from '#src/storage/ledger/slices.ts';
import type { ClaimedTask } from '#src/storage/ledger/tasks.ts';
import type { WorkerContext } from '../context.ts';

/** Rows of one lane that this worker has claimed together. */
interface Claims {
  readonly lane: Lane;
  readonly tasks?: readonly ClaimedTask[];
  readonly slices?: readonly ClaimedSlice[];
  readonly expansions?: readonly ClaimedExpansion[];
}

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
 * - Database failure: if a database becomes unavailable, the claimed tasks and slices are queued, and a later sweep
 *   releases them. After any other failure they stay claimed until their lease ends, which delays the next attempt.
 *   Expansions always stay claimed until then.
 *
 * The caller occupies one slot of its lane until the work ends, except while it waits for a vendor
 * (`Slots.freeDuring`).
 */
export function runClaimed(
  { appTurns, bulkThrottle, releaseQueue }: WorkerContext,
  { lane, tasks = [], slices = [], expansions = [] }: Claims,
  work: () => Promise<void>,
): Promise<void> {
  const items = [...tasks.map(({ task }) => task), ...slices, ...expansions];
  const runCounted = () => appTurns[lane].trackDuring(items, work);
  return releaseQueue.releaseIfUnavailable({ tasks, slices }, () =>
    lane === 'prompt' ? bulkThrottle.runPrompt(runCounted) : runCounted(),
  );
}
