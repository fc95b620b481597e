import type { Attempt } from '#src/channels/vendors/send.ts';
import type { Notification } from '#src/channels/vendors/vendor.ts';
import { backoffMs } from '#src/domain/backoff.ts';
import { bitsOf, noBits } from '#src/domain/bits.ts';
import type { Environment, Vendor } from '#src/domain/channel.ts';
import { openPlaces, statusAfter, unservedPlaces, withArrivals } from '#src/domain/ledger.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { isOpen, placeStatus } from '#src/domain/slice.ts';
import { byDatabase } from '#src/truth/database.ts';
import { moveBadges } from '#src/truth/badges.ts';
import { type Binding, endBinding, findBindings, hashVendorToken } from '#src/truth/devices.ts';
import type { SliceWrite } from '#src/truth/slices.ts';
import { type Work, type WorkerContext, wasWritten, writeAll } from './context.ts';
import { keyOf, type Place, placeOf } from './devices.ts';
import { finishTasks } from './finish.ts';
import { handOver } from './hand-over.ts';
import { waitInInbox } from './wait.ts';

/** A place, the binding it is reached by, and what came of it. */
interface Try {
  readonly place: Place;
  readonly binding: Binding;
  readonly badge: number | undefined;
  outcome?: Outcome;
}

/**
 * Sends slices of vendors: the intent is committed, the vendor is called, the outcome is committed. After a crash
 * between the two exactly these places are in doubt, and are sent again under the same collapse id.
 */
export async function sendVendor(context: WorkerContext, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return;
  const now = context.clock.now();
  const lasting = works.filter(({ task }) => task.notAfter > now);
  await writeOutcomes(
    context,
    works.filter((work) => !lasting.includes(work)),
    [],
    placeStatus.expired,
  );

  const tries = await plan(context, lasting);
  const held = await commitIntent(context, lasting, tries);
  const mine = tries.filter(({ place }) => held.includes(place.work));
  await call(context, mine);
  await endDeadBindings(context, mine);
  await writeOutcomes(context, held, mine, placeStatus.dead);
}

/** Reads the bindings as they are now, and moves the badges that Apple wants to be told. */
async function plan(context: WorkerContext, works: readonly Work[]): Promise<Try[]> {
  const places = works.flatMap((work) =>
    openPlaces(work.slice.status, work.slice.received).map((place) => placeOf(work, place)),
  );
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

/** Says which devices will be called, before they are. Answers the slices that are still ours. */
async function commitIntent(context: WorkerContext, works: readonly Work[], tries: readonly Try[]): Promise<Work[]> {
  const byWork = Map.groupBy(tries, ({ place }) => place.work);
  const writes = works.map((work): SliceWrite => {
    const status = withArrivals(work.slice.status, work.slice.received);
    for (const { place } of byWork.get(work) ?? []) status[place.place] = placeStatus.attempting;
    return {
      held: work.slice,
      status,
      sent: noBits(work.slice.n),
      state: 'leased',
      nextInMs: context.settings.CARILLON_LEASE_SECONDS * 1_000,
      attempts: work.slice.attempts + 1,
    };
  });
  const written = await writeAll(context, writes);
  return works.filter(({ slice }) => wasWritten(written, slice));
}

/** Calls the vendors, one account at a time beside the others. */
async function call(context: WorkerContext, tries: readonly Try[]): Promise<void> {
  const accountKey = ({ place, binding }: Try) =>
    JSON.stringify([place.work.slice.appId, place.work.slice.channel, binding.environment]);
  await Promise.all(
    [...Map.groupBy(tries, accountKey).values()].map(async (group) => {
      const [first] = group as [Try];
      const { appId, channel } = first.place.work.slice;
      const environment: Environment = first.binding.environment;
      const account = await context.accounts.accountOf(appId, channel as Vendor, environment);
      if (!account) {
        for (const one of group) one.outcome = { kind: 'refused', reason: 'no certificate for this environment' };
        return;
      }
      const attempts = group.map((one): Attempt => ({ token: one.binding.token, notification: toNotification(one) }));
      const outcomes = await context.sender.send(channel as Vendor, account, attempts, context.clock.now());
      group.forEach((one, i) => {
        one.outcome = outcomes[i] as Outcome;
      });
    }),
  );
}

function toNotification({ place: { work, deviceId }, badge }: Try): Notification {
  const { taskId, message, notAfter } = work.task;
  return { taskId, deviceId, message, badge, notAfter };
}

async function endDeadBindings(context: WorkerContext, tries: readonly Try[]): Promise<void> {
  for (const { place, binding, outcome } of tries) {
    if (outcome?.kind !== 'token-dead') continue;
    const key = keyOf(place);
    await endBinding(context.truth.shards.of(key.shard), key, {
      channel: place.work.slice.channel as Vendor,
      tokenHash: hashVendorToken(binding.token),
      why: outcome.reason,
    });
  }
}

/**
 * Commits what came of it: tried again later, or closed with the rest handed over. A place without a try has no
 * binding any more (or the time is over) and becomes `otherwise`.
 */
async function writeOutcomes(
  context: WorkerContext,
  works: readonly Work[],
  tries: readonly Try[],
  otherwise: typeof placeStatus.dead | typeof placeStatus.expired,
): Promise<void> {
  const byWork = Map.groupBy(tries, ({ place }) => place.work);
  const ended: Work[] = [];
  const unserved: Work[] = [];
  const writes: SliceWrite[] = [];
  for (const work of works) {
    const { slice } = work;
    const mine = byWork.get(work) ?? [];
    const tried = new Map(mine.map(({ place, outcome }) => [place.place, outcome as Outcome]));
    const status = withArrivals(slice.status, slice.received);
    for (const place of openPlaces(slice.status, slice.received)) {
      const outcome = tried.get(place);
      status[place] = outcome ? statusAfter(outcome) : otherwise;
    }
    const accepted = mine.filter(({ outcome }) => outcome?.kind === 'accepted').map(({ place }) => place.place);
    const attempts = slice.attempts + 1;
    const write = { held: slice, status, sent: bitsOf(slice.n, accepted), attempts };
    if (status.some(isOpen)) writes.push({ ...write, state: 'ready', nextInMs: retryInMs(attempts, mine) });
    else if (unservedPlaces(status).length === 0) {
      writes.push({ ...write, state: 'closed', nextInMs: 0 });
      ended.push(work);
    } else {
      writes.push({ ...write, state: 'leased', nextInMs: context.settings.CARILLON_LEASE_SECONDS * 1_000 });
      unserved.push({ ...work, slice: { ...slice, status, attempts } });
    }
  }
  const written = await writeAll(context, writes);
  await handOverAll(
    context,
    unserved.filter(({ slice }) => wasWritten(written, slice)),
  );
  await finishTasks(
    context,
    ended.map(({ task }) => task.taskId),
  );
}

/** Closes slices and goes on at once with the slices that their devices are handed to. */
export async function handOverAll(context: WorkerContext, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return;
  const children = (await Promise.all(works.map((work) => handOver(context, work)))).flat();
  const waits = ({ slice }: Work) => slice.channel === 'nativepush';
  await Promise.all([
    waitInInbox(context, children.filter(waits)),
    sendVendor(
      context,
      children.filter((child) => !waits(child)),
    ),
  ]);
  await finishTasks(
    context,
    works.map(({ task }) => task.taskId),
  );
}

/** The slice is looked at again when the last of its places may be tried; the vendor's own time wins. */
function retryInMs(attempts: number, tries: readonly Try[]): number {
  const asked = tries.map(({ outcome }) => (outcome?.kind === 'throttled' ? outcome.retryAfterSeconds * 1_000 : 0));
  return Math.max(backoffMs(attempts, Math.random), ...asked);
}
