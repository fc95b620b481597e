import type { Attempt } from '#src/channels/vendors/send.ts';
import type { Notification } from '#src/channels/vendors/vendor.ts';
import { retryInMs } from '#src/domain/backoff.ts';
import { bitsOf, noBits } from '#src/domain/bits.ts';
import type { Vendor } from '#src/domain/channel.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { afterAttempt, afterEnd, afterOutcomes, type VendorSettled } from '#src/domain/settle.ts';
import { sliceKeyText } from '#src/domain/slice.ts';
import { moveBadges } from '#src/truth/badges.ts';
import { type Binding, endBindings, findBindings, hashVendorToken } from '#src/truth/bindings.ts';
import { byDatabase } from '#src/truth/database.ts';
import type { SliceWrite } from '#src/truth/slices.ts';
import { cancelSlices } from './cancel.ts';
import { isHeldFor, keepSent, type Work, type WorkerContext, writeAll } from './context.ts';
import { keyOf, openPlacesOf, type Place } from './devices.ts';
import { finishTasks } from './finish.ts';
import { handOver } from './hand-over.ts';
import { waitInInbox } from './wait.ts';

/** A place, the binding it is reached by, and what came of it. Without an outcome it was not called. */
interface Try {
  readonly place: Place;
  readonly binding: Binding;
  readonly badge: number | undefined;
  outcome?: Outcome | 'late';
}

/**
 * Sends slices of vendors: the intent is committed, the vendor is called, the outcome is committed. After a crash
 * between the two exactly these places are in doubt, and are sent again under the same collapse id.
 */
export async function sendVendor(context: WorkerContext, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return;
  const now = context.clock.now();
  const lasting = works.filter(({ task }) => task.notAfter > now);
  const over = works.filter((work) => !lasting.includes(work));
  await writeSettled(
    context,
    over.map((work) => ({ work, outcomes: [], settled: afterEnd(work.slice) })),
  );

  const tries = await plan(context, lasting);
  const heldSinceMs = performance.now();
  const held = await commitIntent(context, lasting, tries);
  const mine = tries.filter(({ place }) => held.includes(place.work));
  await call(context, mine, heldSinceMs);
  const byWork = Map.groupBy(mine, ({ place }) => place.work);
  // A slice of which something was not called is left as it is: whoever claims it next goes on from there.
  const called = held.filter((work) => (byWork.get(work) ?? []).every(({ outcome }) => outcome !== undefined));
  await keepAccepted(
    context,
    mine.filter(({ place }) => !called.includes(place.work)),
  );
  await writeSettled(
    context,
    called.map((work) => {
      const outcomes = new Map(
        (byWork.get(work) ?? []).map(({ place, outcome }) => [place.place, outcome as Outcome | 'late']),
      );
      return { work, outcomes: [...outcomes.values()], settled: afterOutcomes(work.slice, outcomes) };
    }),
  );
  await endDeadBindings(context, mine);
}

/** Reads the bindings as they are now, and moves the badges that Apple wants to be told. */
async function plan(context: WorkerContext, works: readonly Work[]): Promise<Try[]> {
  const places = openPlacesOf(works);
  const tries: Try[] = [];
  for (const [channel, group] of Map.groupBy(places, ({ work }) => work.slice.channel as Vendor)) {
    const byDb = byDatabase(context.truth.shards, group, (place) => keyOf(place).shard);
    for (const [db, some] of byDb) {
      const bindings = await findBindings(db, channel, some.map(keyOf));
      const byDevice = new Map(bindings.map((binding) => [binding.deviceId, binding]));
      const bound = some.filter(({ deviceId, generation }) => byDevice.get(deviceId)?.generation === generation);
      for (const [work, mine] of Map.groupBy(bound, (place) => place.work)) {
        const { taskId, message } = work.task;
        const counted = channel === 'apns' && message.type !== 'cmd';
        const badges = counted ? await moveBadges(db, taskId, message.badge, mine.map(keyOf)) : new Map();
        for (const place of mine)
          tries.push({
            place,
            binding: byDevice.get(place.deviceId) as Binding,
            badge: badges.get(place.deviceId),
          });
      }
    }
  }
  return tries;
}

/** Says which devices will be called, before they are. Answers the slices that are still ours and not cancelled. */
async function commitIntent(context: WorkerContext, works: readonly Work[], tries: readonly Try[]): Promise<Work[]> {
  const byWork = Map.groupBy(tries, ({ place }) => place.work);
  const writes = works.map(
    (work): SliceWrite => ({
      held: work.slice,
      status: afterAttempt(
        work.slice,
        (byWork.get(work) ?? []).map(({ place }) => place.place),
      ),
      sent: noBits(work.slice.n),
      state: 'leased',
      nextInMs: context.settings.CARILLON_LEASE_SECONDS * 1_000,
      attempts: work.slice.attempts + 1,
    }),
  );
  const written = await writeAll(context, writes);
  const held = works.filter(({ slice }) => written.has(sliceKeyText(slice)));
  const isCancelled = ({ slice }: Work) => written.get(sliceKeyText(slice))?.cancelled;
  await cancelSlices(context, held.filter(isCancelled));
  return held.filter((work) => !isCancelled(work));
}

/** Calls the vendors, one account at a time beside the others. */
async function call(context: WorkerContext, tries: readonly Try[], heldSinceMs: number): Promise<void> {
  const accountKey = ({ place, binding }: Try) =>
    JSON.stringify([place.work.slice.appId, place.work.slice.channel, binding.environment]);
  await Promise.all(
    [...Map.groupBy(tries, accountKey).values()].map((group) =>
      sendGroup(context, group, heldSinceMs).catch((error: unknown) => {
        const { place, binding } = group[0] as Try;
        const { appId, channel } = place.work.slice;
        // One app's broken certificate must not take the others of the group with it.
        context.log.error('vendor-not-called', { appId, channel, environment: binding.environment, error });
        for (const one of group) one.outcome = { kind: 'locked-out', reason: 'it could not be called' };
      }),
    ),
  );
}

/** Tries of one account, sent together. Looks at the time last of all, since a process may stand still anywhere before. */
async function sendGroup(context: WorkerContext, group: readonly Try[], heldSinceMs: number): Promise<void> {
  const [first] = group as [Try];
  const { appId, channel } = first.place.work.slice;
  const account = await context.accounts.accountOf(appId, channel as Vendor, first.binding.environment);
  if (!account) {
    for (const one of group) one.outcome = { kind: 'refused', reason: 'no certificate for this environment' };
    return;
  }
  if (!isHeldFor(context, heldSinceMs, context.settings.CARILLON_VENDOR_DEADLINE_SECONDS)) return;
  const now = context.clock.now();
  const inTime: Try[] = [];
  for (const one of group) {
    if (one.place.work.task.notAfter > now) inTime.push(one);
    else one.outcome = 'late';
  }
  if (inTime.length === 0) return;
  const attempts = inTime.map((one): Attempt => ({ token: one.binding.token, notification: toNotification(one) }));
  const outcomes = await context.sender.send(channel as Vendor, account, attempts, now);
  inTime.forEach((one, i) => {
    one.outcome = outcomes[i] as Outcome;
  });
}

function toNotification({ place: { work, deviceId }, badge }: Try): Notification {
  const { taskId, message, notAfter } = work.task;
  return { taskId, deviceId, reference: sliceKeyText(work.slice), message, badge, notAfter };
}

/** What a vendor has taken of slices that are left, should their time be over before anybody asks again. */
async function keepAccepted(context: WorkerContext, tries: readonly Try[]): Promise<void> {
  const accepted = tries.filter(
    ({ outcome }) => outcome !== undefined && outcome !== 'late' && outcome.kind === 'accepted',
  );
  const byWork = Map.groupBy(accepted, ({ place }) => place.work);
  await keepSent(
    context,
    [...byWork].map(([{ slice }, some]) => ({
      held: slice,
      sent: bitsOf(
        slice.n,
        some.map(({ place }) => place.place),
      ),
    })),
  );
}

async function endDeadBindings(context: WorkerContext, tries: readonly Try[]): Promise<void> {
  const dead = tries.flatMap(({ place, binding, outcome }) =>
    outcome && outcome !== 'late' && outcome.kind === 'token-dead'
      ? [
          {
            ...keyOf(place),
            channel: place.work.slice.channel as Vendor,
            tokenHash: hashVendorToken(binding.token),
            why: outcome.reason,
          },
        ]
      : [],
  );
  const groups = byDatabase(context.truth.shards, dead, ({ shard }) => shard);
  await Promise.all([...groups].map(([db, group]) => endBindings(db, group)));
}

/** What came of a slice, and what was answered. */
interface Ended {
  readonly work: Work;
  readonly outcomes: readonly (Outcome | 'late')[];
  readonly settled: VendorSettled;
}

/** Commits what came of it: tried again later, or closed. What this vendor could not serve goes on at once. */
async function writeSettled(context: WorkerContext, ended: readonly Ended[]): Promise<void> {
  if (ended.length === 0) return;
  const served: { work: Work; write: SliceWrite }[] = [];
  const handed: Promise<Work[]>[] = [];
  for (const { work, outcomes, settled } of ended) {
    const { slice, task } = work;
    const leftMs = task.notAfter.getTime() - context.clock.now().getTime();
    const write: SliceWrite = {
      held: slice,
      status: settled.status,
      sent: bitsOf(slice.n, settled.accepted),
      state: settled.state,
      nextInMs: settled.state === 'ready' ? retryInMs(slice.attempts, outcomes, leftMs, Math.random) : 0,
      attempts: slice.attempts + 1,
    };
    if (settled.unserved.length === 0) served.push({ work, write });
    else handed.push(handOver(context, work, write, settled.unserved));
  }
  const [children] = await Promise.all([Promise.all(handed), writeServed(context, served)]);
  const waits = ({ slice }: Work) => slice.channel === 'nativepush';
  await Promise.all([
    waitInInbox(context, children.flat().filter(waits)),
    sendVendor(
      context,
      children.flat().filter((child) => !waits(child)),
    ),
  ]);
  await finishTasks(
    context,
    ended.map(({ work }) => work.task.taskId),
  );
}

/** Slices that go nowhere else. One that would be tried again ends here if its task was cancelled. */
async function writeServed(
  context: WorkerContext,
  served: readonly { readonly work: Work; readonly write: SliceWrite }[],
): Promise<void> {
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
