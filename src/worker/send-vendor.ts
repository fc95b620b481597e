import type { Attempt } from '#src/channels/vendors/send.ts';
import type { Notification } from '#src/channels/vendors/vendor.ts';
import { backoffMs } from '#src/domain/backoff.ts';
import { bitsOf, noBits } from '#src/domain/bits.ts';
import type { Vendor } from '#src/domain/channel.ts';
import { isUnserved, openPlaces, statusAfter, withArrivals } from '#src/domain/ledger.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { isOpen, placeStatus, sliceKeyText } from '#src/domain/slice.ts';
import { byDatabase } from '#src/truth/database.ts';
import { moveBadges } from '#src/truth/badges.ts';
import { type Binding, endBindings, findBindings, hashVendorToken } from '#src/truth/bindings.ts';
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
  await writeOutcomes(context, held, mine, placeStatus.dead);
  await endDeadBindings(context, mine);
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
      const outcomes = await sendGroup(context, group).catch((error: unknown): Outcome[] => {
        // One app's broken certificate must not take the others of the group with it.
        context.log.error('vendor-not-called', { appId, channel, environment: first.binding.environment, error });
        return group.map(() => ({ kind: 'locked-out', reason: 'it could not be called' }));
      });
      group.forEach((one, i) => {
        one.outcome = outcomes[i] as Outcome;
      });
    }),
  );
}

/** Tries of one account, sent together. */
async function sendGroup(context: WorkerContext, group: readonly Try[]): Promise<Outcome[]> {
  const [first] = group as [Try];
  const { appId, channel } = first.place.work.slice;
  const account = await context.accounts.accountOf(appId, channel as Vendor, first.binding.environment);
  if (!account) return group.map(() => ({ kind: 'refused', reason: 'no certificate for this environment' }));
  const attempts = group.map((one): Attempt => ({ token: one.binding.token, notification: toNotification(one) }));
  return context.sender.send(channel as Vendor, account, attempts, context.clock.now());
}

function toNotification({ place: { work, deviceId }, badge }: Try): Notification {
  const { taskId, message, notAfter } = work.task;
  return { taskId, deviceId, reference: sliceKeyText(work.slice), message, badge, notAfter };
}

async function endDeadBindings(context: WorkerContext, tries: readonly Try[]): Promise<void> {
  const dead = tries.flatMap(({ place, binding, outcome }) =>
    outcome?.kind === 'token-dead'
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

/**
 * Commits what came of it: tried again later, or closed. A place without a try has no binding any more (or the time is
 * over) and becomes `otherwise`. What this vendor could not serve goes on at once, even while others are tried again.
 */
async function writeOutcomes(
  context: WorkerContext,
  works: readonly Work[],
  tries: readonly Try[],
  otherwise: typeof placeStatus.dead | typeof placeStatus.expired,
): Promise<void> {
  const byWork = Map.groupBy(tries, ({ place }) => place.work);
  const served: SliceWrite[] = [];
  const handed: Promise<Work[]>[] = [];
  for (const work of works) {
    const { slice } = work;
    const mine = byWork.get(work) ?? [];
    const tried = new Map(mine.map(({ place, outcome }) => [place.place, outcome as Outcome]));
    const status = withArrivals(slice.status, slice.received);
    const open = openPlaces(slice.status, slice.received);
    for (const place of open) {
      const outcome = tried.get(place);
      status[place] = outcome ? statusAfter(outcome) : otherwise;
    }
    const accepted = mine.filter(({ outcome }) => outcome?.kind === 'accepted').map(({ place }) => place.place);
    const again = status.some(isOpen);
    const attempts = slice.attempts + 1;
    const write: SliceWrite = {
      held: slice,
      status,
      sent: bitsOf(slice.n, accepted),
      state: again ? 'ready' : 'closed',
      nextInMs: again ? retryInMs(context, work, mine) : 0,
      attempts,
    };
    const unserved = open.filter((place) => isUnserved(status[place] as number));
    if (unserved.length === 0) served.push(write);
    else handed.push(handOver(context, work, write, unserved));
  }
  await writeAll(context, served);
  const children = (await Promise.all(handed)).flat();
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

/** The slice is looked at again when the last of its places may be tried; the vendor's own time wins, but not the end. */
function retryInMs(context: WorkerContext, { slice, task }: Work, tries: readonly Try[]): number {
  const asked = tries.map(({ outcome }) => (outcome?.kind === 'throttled' ? outcome.retryAfterSeconds * 1_000 : 0));
  const left = task.notAfter.getTime() - context.clock.now().getTime();
  return Math.min(Math.max(backoffMs(slice.attempts, Math.random), ...asked), Math.max(left, 0));
}
