import { retryInMs } from '#src/domain/backoff.ts';
import { bitsOf } from '#src/domain/bits.ts';
import type { Vendor } from '#src/domain/channel.ts';
import { openPlaces, statusAfter } from '#src/domain/ledger.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { type Answer, afterAnswers, afterAttempt, isAccepted } from '#src/domain/settle.ts';
import { placeStatus, sliceKeyText } from '#src/domain/slice.ts';
import type { Lane } from '#src/domain/task.ts';
import { saidByVendor, saidOfInterrupted } from '#src/domain/trace/trace-events.ts';
import type { SliceWrite } from '#src/storage/ledger/slices.ts';
import { devicesPerRound } from '#src/vendors/sender.ts';
import { keepSent, type Work, type WorkerContext, writeAll } from '../context.ts';
import { settleAll } from '../pacing/group-by-database.ts';
import { cancelSlices } from './cancel.ts';
import { noteClosed } from './finish.ts';
import { handOver } from './hand-over.ts';
import { type Called, callTries, learnAnswers, moveTriedBadges, planTries, type Try } from './vendor-calls.ts';
import { waitInInbox } from './wait-in-inbox.ts';
import { type Place, placeOf } from './work.ts';

/** A slice on its way, as its last write left it, and what is known of its places since. */
interface Sending {
  readonly work: Work;
  readonly answers: Map<number, Answer>;
  /** When those that are paced may go on. */
  readonly pace: { againInMs: number };
}

/**
 * Sends slices of vendors, round by round: the intent is committed, the vendor is called, and the outcome is committed
 * together with the next intent. After a crash between the two exactly the places of that round are in doubt, and are
 * sent again under the same collapse id.
 */
export async function sendVendor(context: WorkerContext, works: readonly Work[]): Promise<void> {
  // Vendors are apart: what one of them has taken is not written later because another does not answer.
  const groups = [...Map.groupBy(works, ({ slice }) => slice.channel).values()].flatMap(inRounds);
  await settleAll(groups.map((some) => sendTogether(context, some)));
}

/** Small slices go together, as many as fill a round; a larger one goes by itself, round after round. */
function inRounds(works: readonly Work[]): Work[][] {
  const groups: Work[][] = [];
  let room = 0;
  for (const work of works) {
    const { n, channel } = work.slice;
    if (n > room) {
      groups.push([]);
      room = devicesPerRound(channel as Vendor);
    }
    groups.at(-1)?.push(work);
    room -= n;
  }
  return groups;
}

async function sendTogether(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const lane = works[0]?.task.lane ?? 'prompt';
  const ends: Promise<void>[] = [];
  let going: Sending[] = works.map((work) => ({ work, answers: new Map(), pace: { againInMs: 0 } }));
  try {
    while (going.length > 0) {
      const { done, left, called } = await context.courtesy.round(lane, () => sendRound(context, lane, going));
      const end = writeSettled(context, done);
      end.catch(() => undefined); // it is told below, when the others have ended
      ends.push(end);
      going = left;
      await learnAnswers(context, called);
    }
  } catch (error) {
    ends.push(keepAccepted(context, going), Promise.reject(error));
  }
  await settleAll(ends);
}

interface Round {
  /** Everything of them is answered. */
  readonly done: Sending[];
  readonly left: Sending[];
  readonly called: Called;
}

/** The next places of each slice, from looking at them to their answers. */
async function sendRound(context: WorkerContext, lane: Lane, going: readonly Sending[]): Promise<Round> {
  const now = context.clock.now();
  for (const sending of going)
    if (sending.work.task.notAfter <= now) for (const place of unanswered(sending)) sending.answers.set(place, 'late');
  const tries = await plan(context, going);
  // Neither needs the other, and both come before the call.
  const [badges, { held, heldSinceMs }] = await Promise.all([
    moveTriedBadges(context, tries),
    commitIntent(context, going, tries),
  ]);
  const bySlice = Map.groupBy(tries, ({ place }) => sliceKeyText(place.work.slice));
  const triesOf = ({ work }: Sending) => bySlice.get(sliceKeyText(work.slice)) ?? [];
  const calling = callTries(context, held.flatMap(triesOf), badges, heldSinceMs);
  const called = await context.lentSlots.during(lane, calling);
  const round = { done: [] as Sending[], left: [] as Sending[], called };
  for (const sending of held) {
    const answered = triesOf(sending).filter((one) => take(sending, one, called.answers));
    // One of which something was not called is left as it is: whoever claims it next goes on from there.
    if (answered.length < triesOf(sending).length) await keepAccepted(context, [sending]);
    else if (unanswered(sending).length > 0) round.left.push(sending);
    else round.done.push(sending);
  }
  return round;
}

/** Notes the answer of a try. False: there is none. */
function take({ answers }: Sending, one: Try, given: ReadonlyMap<Try, Outcome | 'late'>): boolean {
  const answer = given.get(one);
  if (answer === undefined) return false;
  answers.set(one.place.place, answer);
  // The vendor is back: what was held behind this probe goes on at once.
  const back = one.probe && answer !== 'late' && answer.kind !== 'unreachable' && answer.kind !== 'locked-out';
  if (back) for (const [place, other] of answers) if (other === 'gated') answers.delete(place);
  return true;
}

const unanswered = ({ work: { slice }, answers }: Sending): number[] =>
  openPlaces(slice.status, slice.received).filter((place) => !answers.has(place));

const acceptedOf = ({ answers }: Sending): number[] =>
  [...answers].flatMap(([place, answer]) => (isAccepted(answer) ? [place] : []));

/** Whom to call this time. What needs no call is answered here. */
async function plan(context: WorkerContext, going: readonly Sending[]): Promise<Try[]> {
  const tries: Try[] = [];
  const byWork = new Map(going.map((sending) => [sending.work, sending]));
  for (const [channel, group] of Map.groupBy(going, ({ work }) => work.slice.channel as Vendor)) {
    const asked: Place[] = [];
    for (const sending of group) {
      const places = unanswered(sending);
      if (places.length === 0) continue;
      const accounts = await context.accounts.accountsOf(sending.work.slice.appId, channel);
      if (await context.gates.areShut(accounts)) for (const place of places) sending.answers.set(place, 'gated');
      else asked.push(...places.slice(0, devicesPerRound(channel)).map((place) => placeOf(sending.work, place)));
    }
    const planned = await planTries(context, channel, asked);
    tries.push(...planned.tries);
    for (const { place, answer } of planned.answers) {
      const sending = byWork.get(place.work) as Sending;
      sending.answers.set(place.place, answer);
      if (answer === 'paced') sending.pace.againInMs = planned.pacedMs;
    }
  }
  return tries;
}

/**
 * Says which devices will be called, before they are, and what the vendor has taken by then. Answers the slices that are
 * still ours and not cancelled. One that calls nobody this time is not written.
 */
async function commitIntent(
  context: WorkerContext,
  going: readonly Sending[],
  tries: readonly Try[],
): Promise<{ held: Sending[]; heldSinceMs: number }> {
  const byWork = Map.groupBy(tries, ({ place }) => place.work);
  const writes = going.flatMap((sending): SliceWrite[] => {
    const { slice } = sending.work;
    const places = byWork.get(sending.work)?.map(({ place }) => place.place);
    if (!places) return [];
    const accepted = acceptedOf(sending);
    return [
      {
        held: slice,
        status: afterAttempt(slice, places, accepted),
        sent: bitsOf(slice.n, accepted),
        state: 'leased',
        nextInMs: context.settings.CARILLON_LEASE_SECONDS * 1_000,
        attempts: slice.attempts + 1,
        said: [
          saidOfInterrupted(slice, places),
          ...saidByVendor(
            sending.answers,
            accepted.filter((place) => slice.status[place] !== placeStatus.sent),
          ),
        ],
      },
    ];
  });
  const heldSinceMs = performance.now();
  const written = await writeAll(context, writes);
  const statuses = new Map(writes.map(({ held, status }) => [sliceKeyText(held), status]));
  const held: Sending[] = [];
  const cancelled: Work[] = [];
  for (const { work, ...known } of going) {
    const key = sliceKeyText(work.slice);
    const status = statuses.get(key);
    const row = written.get(key);
    if (!status) held.push({ work, ...known });
    else if (row) {
      const renewed = { ...work, slice: { ...work.slice, status, received: row.received }, heldSinceMs };
      if (row.cancelled) cancelled.push(renewed);
      else held.push({ work: renewed, ...known });
    }
  }
  await cancelSlices(context, cancelled);
  return { held, heldSinceMs };
}

/** What a vendor has taken of slices that are left, should their time be over before anybody asks again. */
function keepAccepted(context: WorkerContext, sendings: readonly Sending[]): Promise<void> {
  return keepSent(
    context,
    sendings.map((sending) => {
      const { slice } = sending.work;
      return { held: slice, sent: bitsOf(slice.n, acceptedOf(sending)) };
    }),
  );
}

/** Commits what came of it: tried again later, or closed. What this vendor could not serve goes on at once. */
async function writeSettled(context: WorkerContext, done: readonly Sending[]): Promise<void> {
  if (done.length === 0) return;
  const settled = await Promise.all(done.map((sending) => settle(context, sending)));
  const [handed, served] = [settled.filter(isHanded), settled.filter((one) => !isHanded(one))];
  const [children] = await Promise.all([
    Promise.all(handed.map(({ work, write, unserved }) => handOver(context, work, write, unserved))),
    writeServed(context, served),
  ]);
  const waits = ({ slice }: Work) => slice.channel === 'nativepush';
  await Promise.all([
    waitInInbox(context, children.flat().filter(waits)),
    sendVendor(
      context,
      children.flat().filter((child) => !waits(child)),
    ),
  ]);
  await noteClosed(
    context,
    done.map(({ work }) => work.task),
  );
}

interface Settled {
  readonly work: Work;
  readonly write: SliceWrite;
  /** These places go on elsewhere. */
  readonly unserved: readonly number[];
}

const isHanded = ({ unserved }: Settled): boolean => unserved.length > 0;

async function settle(context: WorkerContext, sending: Sending): Promise<Settled> {
  const { work, answers } = sending;
  const { slice } = work;
  const { status, accepted, unserved, state, said } = afterAnswers(slice, answers);
  const asked = [...answers.values()].some((answer) => typeof answer === 'object');
  const write: SliceWrite = {
    held: slice,
    status,
    sent: bitsOf(slice.n, accepted),
    state,
    nextInMs: state === 'ready' ? await againInMs(context, sending) : 0,
    attempts: slice.attempts + (asked ? 1 : 0),
    said,
  };
  return { work, write, unserved };
}

/** When a slice is looked at again that has something left to try. */
async function againInMs(context: WorkerContext, { work: { slice, task }, ...sending }: Sending): Promise<number> {
  const answers = [...sending.answers.values()];
  const leftMs = Math.max(task.notAfter.getTime() - context.clock.now().getTime(), 0);
  const waits = [answers.includes('paced') ? sending.pace.againInMs : 0];
  // What is only paced was not tried in vain, and need not wait longer each time.
  if (answers.some((answer) => answer === 'gated' || isTriedAgain(answer)))
    waits.push(retryInMs(slice.attempts, answers, leftMs, Math.random));
  if (answers.includes('gated'))
    waits.push(await context.gates.waitMs(await context.accounts.accountsOf(slice.appId, slice.channel as Vendor)));
  return Math.min(Math.max(...waits), leftMs);
}

const isTriedAgain = (answer: Answer): boolean =>
  typeof answer === 'object' && statusAfter(answer) === placeStatus.retrying;

/** Slices that go nowhere else. One that would be tried again ends here if its task was cancelled. */
async function writeServed(context: WorkerContext, served: readonly Settled[]): Promise<void> {
  const written = await writeAll(
    context,
    served.map(({ write }) => write),
  );
  const cancelled = served.flatMap(({ work, write }): Work[] => {
    const { slice } = work;
    const row = written.get(sliceKeyText(slice));
    const again = write.state === 'ready' && row?.cancelled;
    return again ? [{ ...work, slice: { ...slice, status: write.status, received: row.received } }] : [];
  });
  await cancelSlices(context, cancelled);
}
