import { retryInMs } from '#src/domain/backoff.ts';
import { bitsOf } from '#src/domain/bits.ts';
import type { VendorName } from '#src/domain/channel.ts';
import { openPlaces, statusAfter } from '#src/domain/ledger.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { applyOutcomes, isAccepted, markAttempting, type PlaceOutcome } from '#src/domain/settle.ts';
import { placeStatus, sliceKeyText } from '#src/domain/slice.ts';
import type { Lane } from '#src/domain/task.ts';
import { interruptedEvent, vendorEvents } from '#src/domain/trace/trace-events.ts';
import type { SliceWrite } from '#src/storage/ledger/slices.ts';
import { devicesPerRound } from '#src/vendors/sender.ts';
import { addSentBits, type Work, type WorkerContext, writeSlicesOfAllShards } from '../context.ts';
import { settleAll } from '../pacing/group-by-database.ts';
import { cancelSlices } from './cancel.ts';
import { handleClosedSlices } from './finish.ts';
import { handOver } from './hand-over.ts';
import {
  type CallResults,
  callVendors,
  moveBadgesForCalls,
  type PlannedCall,
  planCalls,
  recordCallResults,
} from './vendor-calls.ts';
import { waitInInbox } from './wait-in-inbox.ts';
import { type Place, placeOf } from './work.ts';

/** A slice on its way, as its last write left it, and what is known of its places since. */
interface SliceInFlight {
  readonly work: Work;
  readonly outcomes: Map<number, PlaceOutcome>;
  /** When those that are paced may go on. */
  readonly rateLimit: { retryAfterMs: number };
}

/**
 * Sends slices of vendors, round by round: the intent is committed, the vendor is called, and the outcome is committed
 * together with the next intent. After a crash between the two exactly the places of that round are in doubt, and are
 * sent again under the same collapse id.
 */
export async function sendVendor(context: WorkerContext, works: readonly Work[]): Promise<void> {
  // Vendors are apart: what one of them has taken is not written later because another does not answer.
  const groups = [...Map.groupBy(works, ({ slice }) => slice.channel).values()].flatMap(groupIntoRounds);
  await settleAll(groups.map((group) => sendAllRounds(context, group)));
}

/** Small slices go together, as many as fill a round; a larger one goes by itself, round after round. */
function groupIntoRounds(works: readonly Work[]): Work[][] {
  const groups: Work[][] = [];
  let freePlaces = 0;
  for (const work of works) {
    const { placeCount, channel } = work.slice;
    if (placeCount > freePlaces) {
      groups.push([]);
      freePlaces = devicesPerRound(channel as VendorName);
    }
    groups.at(-1)?.push(work);
    freePlaces -= placeCount;
  }
  return groups;
}

async function sendAllRounds(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const lane = works[0]?.task.lane ?? 'prompt';
  const settlements: Promise<void>[] = [];
  let inFlight: SliceInFlight[] = works.map((work) => ({ work, outcomes: new Map(), rateLimit: { retryAfterMs: 0 } }));
  try {
    while (inFlight.length > 0) {
      const { done, remaining, results } = await context.bulkThrottle.runRound(lane, () =>
        sendRound(context, lane, inFlight),
      );
      const settlement = writeSettlements(context, done);
      settlement.catch(() => undefined); // it is told below, when the others have ended
      settlements.push(settlement);
      inFlight = remaining;
      await recordCallResults(context, results);
    }
  } catch (error) {
    settlements.push(addAcceptedBits(context, inFlight), Promise.reject(error));
  }
  await settleAll(settlements);
}

interface Round {
  /** Everything of them is answered. */
  readonly done: SliceInFlight[];
  readonly remaining: SliceInFlight[];
  readonly results: CallResults;
}

/** The next places of each slice, from looking at them to their answers. */
async function sendRound(context: WorkerContext, lane: Lane, inFlight: readonly SliceInFlight[]): Promise<Round> {
  const now = context.clock.now();
  for (const sending of inFlight)
    if (sending.work.task.notAfter <= now)
      for (const place of placesWithoutOutcome(sending)) sending.outcomes.set(place, 'late');
  const calls = await planRound(context, inFlight);
  // Neither needs the other, and both come before the call.
  const [badges, { stillLeased, acquiredAtMs }] = await Promise.all([
    moveBadgesForCalls(context, calls),
    commitIntent(context, inFlight, calls),
  ]);
  const bySlice = Map.groupBy(calls, ({ place }) => sliceKeyText(place.work.slice));
  const callsOf = ({ work }: SliceInFlight) => bySlice.get(sliceKeyText(work.slice)) ?? [];
  const calling = callVendors(context, stillLeased.flatMap(callsOf), badges, acquiredAtMs);
  const results = await context.extraSlots.grantDuring(lane, calling);
  const round = { done: [] as SliceInFlight[], remaining: [] as SliceInFlight[], results };
  for (const sending of stillLeased) {
    const answeredCalls = callsOf(sending).filter((call) => recordOutcome(sending, call, results.outcomes));
    // One of which something was not called is left as it is: whoever claims it next goes on from there.
    if (answeredCalls.length < callsOf(sending).length) await addAcceptedBits(context, [sending]);
    else if (placesWithoutOutcome(sending).length > 0) round.remaining.push(sending);
    else round.done.push(sending);
  }
  return round;
}

/** Notes the answer of a try. False: there is none. */
function recordOutcome(
  { outcomes }: SliceInFlight,
  call: PlannedCall,
  outcomeByCall: ReadonlyMap<PlannedCall, Outcome | 'late'>,
): boolean {
  const outcome = outcomeByCall.get(call);
  if (outcome === undefined) return false;
  outcomes.set(call.place.index, outcome);
  // The vendor is back: what was held behind this probe goes on at once.
  const vendorRecovered =
    call.probe && outcome !== 'late' && outcome.kind !== 'unreachable' && outcome.kind !== 'locked-out';
  if (vendorRecovered)
    for (const [place, otherOutcome] of outcomes) if (otherOutcome === 'breaker-open') outcomes.delete(place);
  return true;
}

const placesWithoutOutcome = ({ work: { slice }, outcomes }: SliceInFlight): number[] =>
  openPlaces(slice.status, slice.received).filter((place) => !outcomes.has(place));

const acceptedPlaces = ({ outcomes }: SliceInFlight): number[] =>
  [...outcomes].flatMap(([place, outcome]) => (isAccepted(outcome) ? [place] : []));

/** Whom to call this time. What needs no call is answered here. */
async function planRound(context: WorkerContext, inFlight: readonly SliceInFlight[]): Promise<PlannedCall[]> {
  const calls: PlannedCall[] = [];
  const sendingByWork = new Map(inFlight.map((sending) => [sending.work, sending]));
  for (const [channel, group] of Map.groupBy(inFlight, ({ work }) => work.slice.channel as VendorName)) {
    const placesToPlan: Place[] = [];
    for (const sending of group) {
      const places = placesWithoutOutcome(sending);
      if (places.length === 0) continue;
      const accounts = await context.accounts.accountsOf(sending.work.slice.appId, channel);
      if (await context.breakers.areAllTripped(accounts))
        for (const place of places) sending.outcomes.set(place, 'breaker-open');
      else placesToPlan.push(...places.slice(0, devicesPerRound(channel)).map((place) => placeOf(sending.work, place)));
    }
    const callPlan = await planCalls(context, channel, placesToPlan);
    calls.push(...callPlan.calls);
    for (const { place, outcome } of callPlan.outcomes) {
      const sending = sendingByWork.get(place.work) as SliceInFlight;
      sending.outcomes.set(place.index, outcome);
      if (outcome === 'rate-limited') sending.rateLimit.retryAfterMs = callPlan.rateLimitedMs;
    }
  }
  return calls;
}

/**
 * Says which devices will be called, before they are, and what the vendor has taken by then. Answers the slices that are
 * still ours and not cancelled. One that calls nobody this time is not written.
 */
async function commitIntent(
  context: WorkerContext,
  inFlight: readonly SliceInFlight[],
  calls: readonly PlannedCall[],
): Promise<{ stillLeased: SliceInFlight[]; acquiredAtMs: number }> {
  const callsByWork = Map.groupBy(calls, ({ place }) => place.work);
  const writes = inFlight.flatMap((sending): SliceWrite[] => {
    const { slice } = sending.work;
    const places = callsByWork.get(sending.work)?.map(({ place }) => place.index);
    if (!places) return [];
    const accepted = acceptedPlaces(sending);
    return [
      {
        claimed: slice,
        status: markAttempting(slice, places, accepted),
        sent: bitsOf(slice.placeCount, accepted),
        state: 'leased',
        dueInMs: context.settings.CARILLON_LEASE_SECONDS * 1_000,
        attempts: slice.attempts + 1,
        historyEntries: [
          interruptedEvent(slice, places),
          ...vendorEvents(
            sending.outcomes,
            accepted.filter((place) => slice.status[place] !== placeStatus.sent),
          ),
        ],
      },
    ];
  });
  const acquiredAtMs = performance.now();
  const written = await writeSlicesOfAllShards(context, writes);
  const statuses = new Map(writes.map(({ claimed, status }) => [sliceKeyText(claimed), status]));
  const stillLeased: SliceInFlight[] = [];
  const cancelled: Work[] = [];
  for (const { work, ...progress } of inFlight) {
    const key = sliceKeyText(work.slice);
    const status = statuses.get(key);
    const row = written.get(key);
    if (!status) stillLeased.push({ work, ...progress });
    else if (row) {
      const renewedWork = { ...work, slice: { ...work.slice, status, received: row.received }, acquiredAtMs };
      if (row.cancelled) cancelled.push(renewedWork);
      else stillLeased.push({ work: renewedWork, ...progress });
    }
  }
  await cancelSlices(context, cancelled);
  return { stillLeased, acquiredAtMs };
}

/** What a vendor has taken of slices that are left, should their time be over before anybody asks again. */
function addAcceptedBits(context: WorkerContext, inFlight: readonly SliceInFlight[]): Promise<void> {
  return addSentBits(
    context,
    inFlight.map((sending) => {
      const { slice } = sending.work;
      return { claimed: slice, sent: bitsOf(slice.placeCount, acceptedPlaces(sending)) };
    }),
  );
}

/** Commits what came of it: tried again later, or closed. What this vendor could not serve goes on at once. */
async function writeSettlements(context: WorkerContext, done: readonly SliceInFlight[]): Promise<void> {
  if (done.length === 0) return;
  const settlements = await Promise.all(done.map((sending) => settleSlice(context, sending)));
  const [handOvers, finalSettlements] = [
    settlements.filter(needsHandOver),
    settlements.filter((settlement) => !needsHandOver(settlement)),
  ];
  const [children] = await Promise.all([
    Promise.all(handOvers.map(({ work, write, toHandOver }) => handOver(context, work, write, toHandOver))),
    writeFinalSettlements(context, finalSettlements),
  ]);
  const waitsInInbox = ({ slice }: Work) => slice.channel === 'nativepush';
  await Promise.all([
    waitInInbox(context, children.flat().filter(waitsInInbox)),
    sendVendor(
      context,
      children.flat().filter((child) => !waitsInInbox(child)),
    ),
  ]);
  await handleClosedSlices(
    context,
    done.map(({ work }) => work.task),
  );
}

interface Settlement {
  readonly work: Work;
  readonly write: SliceWrite;
  /** These places go on elsewhere. */
  readonly toHandOver: readonly number[];
}

const needsHandOver = ({ toHandOver }: Settlement): boolean => toHandOver.length > 0;

async function settleSlice(context: WorkerContext, sending: SliceInFlight): Promise<Settlement> {
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

/** When a slice is looked at again that has something left to try. */
async function nextAttemptInMs(
  context: WorkerContext,
  { work: { slice, task }, ...sending }: SliceInFlight,
): Promise<number> {
  const outcomes = [...sending.outcomes.values()];
  const remainingMs = Math.max(task.notAfter.getTime() - context.clock.now().getTime(), 0);
  const delaysMs = [outcomes.includes('rate-limited') ? sending.rateLimit.retryAfterMs : 0];
  // What is only paced was not tried in vain, and need not wait longer each time.
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

/** Slices that go nowhere else. One that would be tried again ends here if its task was cancelled. */
async function writeFinalSettlements(context: WorkerContext, settlements: readonly Settlement[]): Promise<void> {
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
