import { retryInMs } from '#src/domain/backoff.ts';
import { bitsOf } from '#src/domain/bits.ts';
import type { VendorName } from '#src/domain/channel.ts';
import { statusAfter } from '#src/domain/ledger.ts';
import type { PlaceOutcome } from '#src/domain/place-outcome.ts';
import { applyOutcomes } from '#src/domain/settle.ts';
import { placeStatus, sliceKeyText } from '#src/domain/slice.ts';
import { type Settled, settleEach } from '#src/foundation/settle-all.ts';
import type { SliceWrite } from '#src/storage/ledger/slices.ts';
import type { WorkerContext } from '../context.ts';
import { cancelSlices } from './cancel.ts';
import { handOver } from './hand-over.ts';
import type { Work } from './work.ts';
import { writeSlicesOfAllShards } from './write-slices.ts';

/** A slice that is being sent, as of its last write, with the outcomes of its places since then. */
export interface SliceInFlight {
  readonly work: Work;
  readonly outcomes: Map<number, PlaceOutcome>;
  /** The delay until rate-limited places can be sent. */
  rateLimitedMs: number;
}

/**
 * Commits the outcomes: slices are closed or retried later, and places that this vendor could not serve move to their next
 * channel. Returns the new slices, held by this worker. If a write fails, the others are completed.
 */
export async function settleVendor(context: WorkerContext, done: readonly SliceInFlight[]): Promise<Settled<Work>> {
  const settlements = await Promise.all(done.map((sending) => settleSlice(context, sending)));
  const [handOvers, finalSettlements] = [
    settlements.filter(needsHandOver),
    settlements.filter((settlement) => !needsHandOver(settlement)),
  ];
  const { values, throwFailure } = await settleEach([
    ...handOvers.map(({ work, write, toHandOver }) => handOver(context, work, write, toHandOver)),
    writeFinalSettlements(context, finalSettlements).then(() => []),
  ]);
  return { values: values.flat(), throwFailure };
}

interface SettledSlice {
  readonly work: Work;
  readonly write: SliceWrite;
  /** Places that move to another channel. */
  readonly toHandOver: readonly number[];
}

const needsHandOver = ({ toHandOver }: SettledSlice): boolean => toHandOver.length > 0;

async function settleSlice(context: WorkerContext, sending: SliceInFlight): Promise<SettledSlice> {
  const { work, outcomes } = sending;
  const { slice } = work;
  const { status, accepted, toHandOver, state, events } = applyOutcomes(slice, outcomes);
  const wasCalled = [...outcomes.values()].some((outcome) => typeof outcome === 'object');
  const write: SliceWrite = {
    claimed: slice,
    status,
    sent: bitsOf(slice.placeCount, accepted),
    state,
    dueInMs: state === 'ready' ? await nextAttemptInMs(context, sending) : 0,
    attempts: slice.attempts + (wasCalled ? 1 : 0),
    historyEntries: events,
  };
  return { work, write, toHandOver };
}

/** Returns the delay until a slice with places to retry is due again. */
async function nextAttemptInMs(
  context: WorkerContext,
  { work: { slice, task }, ...sending }: SliceInFlight,
): Promise<number> {
  const outcomes = [...sending.outcomes.values()];
  const remainingMs = Math.max(task.notAfter.getTime() - context.clock.now().getTime(), 0);
  const delaysMs = [outcomes.includes('rate-limited') ? sending.rateLimitedMs : 0];
  // A rate-limited place was not tried, so it needs no exponential backoff.
  if (outcomes.some((outcome) => outcome === 'breaker-open' || isRetryable(outcome)))
    delaysMs.push(retryInMs(slice.attempts, outcomes, remainingMs, Math.random));
  if (outcomes.includes('breaker-open'))
    delaysMs.push(
      await context.breakers.retryDelayMs(await context.accounts.accountsOf(slice.appId, slice.channel as VendorName)),
    );
  return Math.min(Math.max(...delaysMs), remainingMs);
}

const isRetryable = (outcome: PlaceOutcome): boolean =>
  typeof outcome === 'object' && statusAfter(outcome) === placeStatus.retrying;

/** Writes slices without a hand-over. A slice that would be retried is closed if its task was cancelled. */
async function writeFinalSettlements(context: WorkerContext, settlements: readonly SettledSlice[]): Promise<void> {
  const written = await writeSlicesOfAllShards(
    context,
    settlements.map(({ write }) => write),
  );
  const cancelled = settlements.flatMap(({ work, write }): Work[] => {
    const { slice } = work;
    const row = written.get(sliceKeyText(slice));
    const isRetryCancelled = write.state === 'ready' && row?.cancelled;
    return isRetryCancelled ? [{ ...work, slice: { ...slice, status: write.status, received: row.received } }] : [];
  });
  await cancelSlices(context, cancelled);
}
