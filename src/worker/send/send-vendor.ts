import { bitsOf } from '#src/domain/bits.ts';
import type { VendorName } from '#src/domain/channel.ts';
import { openPlaces } from '#src/domain/ledger.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { isAccepted } from '#src/domain/place-outcome.ts';
import { markAttempting } from '#src/domain/settle.ts';
import { placeStatus, sliceKeyText } from '#src/domain/slice.ts';
import type { Lane } from '#src/domain/task.ts';
import { interruptedEvent, vendorEvents } from '#src/domain/trace/trace-events.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import type { SliceWrite } from '#src/storage/ledger/slices.ts';
import { devicesPerRound } from '#src/vendors/sender.ts';
import type { WorkerContext } from '../context.ts';
import { renewDuring } from '../pacing/lease.ts';
import { cancelSlices, closeCancelled } from './cancel.ts';
import { handleClosedSlices } from './finish.ts';
import { planCalls } from './plan-calls.ts';
import { type SliceInFlight, settleVendor } from './settle-vendor.ts';
import { type CallResults, callVendors, recordCallResults } from './vendor-calls.ts';
import { waitInInbox } from './wait-in-inbox.ts';
import { type Place, type PlannedCall, placeOf, type Work } from './work.ts';
import { addSentBits, renewSlicesOfAllShards, writeSlicesOfAllShards } from './write-slices.ts';

/**
 * Sends vendor slices in rounds: the intent is committed, the vendor is called, and the outcome is committed together
 * with the next intent. After a crash, only the places of the current round are in doubt. They are sent again under the
 * same collapse ID.
 */
export async function sendVendor(context: WorkerContext, works: readonly Work[]): Promise<void> {
  // Vendors are called independently, so that an unresponsive vendor does not delay writing the results of another
  // vendor.
  const groups = [...Map.groupBy(works, ({ slice }) => slice.channel).values()].flatMap(groupIntoRounds);
  await settleAll(groups.map((group) => sendAllRounds(context, group)));
}

/** Groups small slices until they fill a round. A larger slice is sent alone, in several rounds. */
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

/** Sends a group of slices. Calls and writes can be slow, so the leases of the slices are renewed until the end. */
function sendAllRounds(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const slices = works.map(({ slice }) => slice);
  return renewDuring(
    context,
    () => renewSlicesOfAllShards(context, slices),
    () => sendRounds(context, works),
  );
}

async function sendRounds(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const lane = works[0]?.task.lane ?? 'prompt';
  const settlements: Promise<void>[] = [];
  let inFlight: SliceInFlight[] = works.map((work) => ({ work, outcomes: new Map(), rateLimitedMs: 0 }));
  try {
    while (inFlight.length > 0) {
      const { done, remaining, results } = await context.bulkThrottle.runRound(lane, async () => {
        inFlight = await leaveCancelled(context, inFlight);
        return sendRound(context, lane, inFlight);
      });
      const settlement = settleAndContinue(context, done);
      settlement.catch(() => undefined); // the error is thrown below, after the other settlements have ended
      settlements.push(settlement);
      inFlight = remaining;
      await recordCallResults(context, results);
    }
  } catch (error) {
    settlements.push(addAcceptedBits(context, inFlight), Promise.reject(error));
  }
  await settleAll(settlements);
}

/** Closes slices whose task was cancelled, and returns the others. */
async function leaveCancelled(context: WorkerContext, inFlight: readonly SliceInFlight[]): Promise<SliceInFlight[]> {
  const works = inFlight.map(({ work }) => work);
  const open = new Set(await closeCancelled(context, works));
  if (open.size === works.length) return [...inFlight];
  await addAcceptedBits(
    context,
    inFlight.filter(({ work }) => !open.has(work)),
  );
  return inFlight.filter(({ work }) => open.has(work));
}

interface Round {
  /** Slices whose places all have an outcome. */
  readonly done: SliceInFlight[];
  readonly remaining: SliceInFlight[];
  readonly results: CallResults;
}

/** Sends the next places of each slice, from planning the calls to recording their outcomes. */
async function sendRound(context: WorkerContext, lane: Lane, inFlight: readonly SliceInFlight[]): Promise<Round> {
  const now = context.clock.now();
  for (const sending of inFlight)
    if (sending.work.task.notAfter <= now)
      for (const place of placesWithoutOutcome(sending)) sending.outcomes.set(place, 'expired');
  const calls = await planRound(context, inFlight);
  const { stillLeased, acquiredAtMs } = await commitIntent(context, inFlight, calls);
  const bySlice = Map.groupBy(calls, ({ place }) => sliceKeyText(place.work.slice));
  const callsOf = ({ work }: SliceInFlight) => bySlice.get(sliceKeyText(work.slice)) ?? [];
  const calling = callVendors(context, stillLeased.flatMap(callsOf), acquiredAtMs);
  const results = await context.slots[lane].freeDuring(calling);
  const round = { done: [] as SliceInFlight[], remaining: [] as SliceInFlight[], results };
  for (const sending of stillLeased) {
    const answeredCalls = callsOf(sending).filter((call) => recordOutcome(sending, call, results.outcomes));
    // A slice with a place that was not called is left unchanged. The next worker that claims the slice continues with
    // it.
    if (answeredCalls.length < callsOf(sending).length) await addAcceptedBits(context, [sending]);
    else if (placesWithoutOutcome(sending).length > 0) round.remaining.push(sending);
    else round.done.push(sending);
  }
  return round;
}

/** Records the outcome of a call. Returns false if the call has no outcome. */
function recordOutcome(
  { outcomes }: SliceInFlight,
  call: PlannedCall,
  outcomeByCall: ReadonlyMap<PlannedCall, Outcome | 'expired'>,
): boolean {
  const outcome = outcomeByCall.get(call);
  if (outcome === undefined) return false;
  outcomes.set(call.place.index, outcome);
  // The vendor responds again, so places that waited for this probe are sent immediately.
  const vendorRecovered =
    call.probe && outcome !== 'expired' && outcome.kind !== 'unreachable' && outcome.kind !== 'locked-out';
  if (vendorRecovered)
    for (const [place, otherOutcome] of outcomes) if (otherOutcome === 'breaker-open') outcomes.delete(place);
  return true;
}

const placesWithoutOutcome = ({ work: { slice }, outcomes }: SliceInFlight): number[] =>
  openPlaces(slice.status, slice.received).filter((place) => !outcomes.has(place));

const acceptedPlaces = ({ outcomes }: SliceInFlight): number[] =>
  [...outcomes].flatMap(([place, outcome]) => (isAccepted(outcome) ? [place] : []));

/** Returns the calls of this round, and sets the outcomes of places that need no call. */
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
      if (outcome === 'rate-limited') sending.rateLimitedMs = callPlan.rateLimitedMs;
    }
  }
  return calls;
}

/**
 * Commits the devices that will be called, before they are called, and the places that the vendor has accepted so far.
 * Returns the slices that this worker still holds and that are not cancelled. Slices without a call in this round are
 * not written.
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

/**
 * Adds the sent bits of accepted places to slices that this worker stops processing, because these slices may expire
 * before another worker claims them.
 */
function addAcceptedBits(context: WorkerContext, inFlight: readonly SliceInFlight[]): Promise<void> {
  return addSentBits(
    context,
    inFlight.map((sending) => {
      const { slice } = sending.work;
      return { claimed: slice, sent: bitsOf(slice.placeCount, acceptedPlaces(sending)) };
    }),
  );
}

/**
 * Settles slices whose places all have an outcome, and continues immediately with the places that were handed over. If
 * this fails, the accepted places of each slice are recorded, so that they are not sent again.
 */
async function settleAndContinue(context: WorkerContext, done: readonly SliceInFlight[]): Promise<void> {
  if (done.length === 0) return;
  try {
    await settleAndSendChildren(context, done);
  } catch (error) {
    await Promise.allSettled(done.map((sending) => addAcceptedBits(context, [sending])));
    throw error;
  }
}

async function settleAndSendChildren(context: WorkerContext, done: readonly SliceInFlight[]): Promise<void> {
  const { values: children, throwFailure } = await settleVendor(context, done);
  const waitsInInbox = ({ slice }: Work) => slice.channel === 'nativepush';
  await settleAll([
    waitInInbox(context, children.filter(waitsInInbox)),
    sendVendor(
      context,
      children.filter((child) => !waitsInInbox(child)),
    ),
  ]);
  await handleClosedSlices(
    context,
    done.map(({ work }) => work.task),
  );
  throwFailure();
}
