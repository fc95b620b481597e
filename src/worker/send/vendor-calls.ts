import type { Vendor } from '#src/domain/channel.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { referenceOf } from '#src/domain/reference.ts';
import { pacedInMs } from '#src/domain/vendor-account/rate-limit.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { callbackPath } from '#src/storage/accounts/callbacks.ts';
import { byDatabase } from '#src/storage/database/database.ts';
import { type BadgeMove, badgeKey, type MovedBadges, moveBadges } from '#src/storage/devices/badges.ts';
import { type Binding, endBindings, findBindings, hashVendorToken } from '#src/storage/devices/bindings.ts';
import { type Attempt, limitsOf, quotaClassOf } from '#src/vendors/sender.ts';
import type { Notification } from '#src/vendors/vendor.ts';
import type { GatedAccount } from '../accounts/breakers.ts';
import type { Dead } from '../accounts/suspect-tokens.ts';
import { isHeldFor, type WorkerContext } from '../context.ts';
import { countSent, countTaken } from '../upkeep/record-metrics.ts';
import { keyOf, type Place } from './work.ts';

/** A place that is about to be called, and by which token. */
export interface Try {
  readonly place: Place;
  readonly binding: Binding;
  readonly account: GatedAccount;
  /** It is the one call that a closed gate lets through. */
  readonly probe: boolean;
}

/** What comes of looking at places before they are called. */
export interface Plan {
  readonly tries: readonly Try[];
  readonly answers: readonly { readonly place: Place; readonly answer: Outcome | 'unbound' | 'gated' | 'paced' }[];
  /** When what is paced may go on. */
  readonly pacedMs: number;
}

/** Reads the bindings as they are now, and asks the gates. All places are of one channel. */
export async function planTries(context: WorkerContext, channel: Vendor, places: readonly Place[]): Promise<Plan> {
  const answers: Plan['answers'][number][] = [];
  const bound: { place: Place; binding: Binding }[] = [];
  for (const [db, some] of byDatabase(context.truth.shards, places, (place) => keyOf(place).shard)) {
    const bindings = await findBindings(db, channel, some.map(keyOf));
    const byDevice = new Map(bindings.map((binding) => [binding.deviceId, binding]));
    for (const place of some) {
      const binding = byDevice.get(place.deviceId);
      if (binding?.generation === place.generation) bound.push({ place, binding });
      else answers.push({ place, answer: 'unbound' });
    }
  }
  const tries: Try[] = [];
  let pacedMs = 0;
  const groups = Map.groupBy(bound, ({ place, binding }) => `${binding.environment} ${place.work.slice.appId}`);
  for (const group of groups.values()) {
    const [first] = group as [(typeof group)[number]];
    const accounts = await context.accounts.accountsOf(first.place.work.slice.appId, channel);
    const account = accounts.find(({ environment }) => environment === first.binding.environment);
    if (!account) {
      answers.push(...group.map(({ place }) => ({ place, answer: NO_CERTIFICATE })));
      continue;
    }
    const unspent: typeof group = [];
    const byClass = Map.groupBy(group, ({ place }) => quotaClassOf(channel, place.work.task.message));
    for (const [messageClass, some] of byClass) {
      const until = await context.quotas.spentUntil(account, messageClass);
      if (until) answers.push(...some.map(({ place }) => ({ place, answer: { kind: 'quota-spent', until } as const })));
      else unspent.push(...some);
    }
    if (unspent.length === 0) continue;
    if (context.sender.isSilent(channel, account)) {
      answers.push(...unspent.map(({ place }) => ({ place, answer: 'paced' as const })));
      pacedMs = Math.max(pacedMs, pacedInMs(SILENT_SECONDS, 1, Math.random));
      continue;
    }
    const { calls, probe } = await context.gates.admit(account, unspent.length);
    answers.push(...unspent.slice(calls).map(({ place }) => ({ place, answer: 'gated' as const })));
    // In the order of their slices, each of which is a request of its own where many tokens go together.
    const bySlice = [...Map.groupBy(unspent.slice(0, calls), ({ place }) => place.work).values()];
    const lane = first.place.work.task.lane;
    const sizes = bySlice.map((some) => some.length);
    // A probe needs no permit: were it held back, the gate would stay closed until the next one.
    const { counts, againInMs } = probe
      ? { counts: sizes, againInMs: 0 }
      : await context.rates.admit(account, limitsOf(channel), lane, sizes);
    pacedMs = Math.max(pacedMs, againInMs);
    for (const [i, some] of bySlice.entries()) {
      const count = counts[i] as number;
      tries.push(...some.slice(0, count).map((one) => ({ ...one, account, probe })));
      answers.push(...some.slice(count).map(({ place }) => ({ place, answer: 'paced' as const })));
    }
  }
  return { tries, answers, pacedMs };
}

/** When a vendor that answers nothing just now is asked again, at the earliest. */
const SILENT_SECONDS = 2;

const NO_CERTIFICATE: Outcome = { kind: 'refused', reason: 'no certificate for this environment' };

/** The numbers on the icons that Apple wants to be told, moved once per task. */
export async function moveTriedBadges({ truth }: WorkerContext, tries: readonly Try[]): Promise<MovedBadges> {
  const moves = tries.flatMap(({ place }): BadgeMove[] => {
    const { slice, task } = place.work;
    const counted = slice.channel === 'apns' && task.message.type !== 'cmd';
    return counted ? [{ ...keyOf(place), taskId: task.taskId, badge: task.message.badge }] : [];
  });
  const groups = byDatabase(truth.shards, moves, ({ shard }) => shard);
  const moved = await Promise.all([...groups].map(([db, some]) => moveBadges(db, some)));
  return new Map(moved.flatMap((values) => [...values]));
}

/** What came of calling vendors. */
export interface Called {
  /** One without an answer was not called. */
  readonly answers: ReadonlyMap<Try, Outcome | 'late'>;
  /** Whose tokens are dead, some of them of earlier calls. */
  readonly dead: readonly Dead<Try>[];
}

/** Calls the vendors, one account at a time beside the others. */
export async function callTries(
  context: WorkerContext,
  tries: readonly Try[],
  badges: MovedBadges,
  heldSinceMs: number,
): Promise<Called> {
  const answers = new Map<Try, Outcome | 'late'>();
  const dead: Dead<Try>[] = [];
  await Promise.all(
    byAccount(tries).map(async (group) => {
      const outcomes = await sendGroup(context, group, badges, heldSinceMs).catch((error: unknown) => {
        const { appId, channel, environment } = (group[0] as Try).account;
        const fields = { appId, channel, environment, error };
        if (error instanceof Unavailable) {
          // The certificate cannot be read just now. Nobody was called, so the slices are left to the next claim.
          context.log.warn('vendor-not-called', fields);
          return [];
        }
        // One app's broken certificate must not take the others of the group with it.
        context.log.error('vendor-not-called', fields);
        return group.map((): Outcome => ({ kind: 'unreachable', reason: 'it could not be called' }));
      });
      const answered = outcomes.flatMap((outcome, i) =>
        outcome === 'late' ? [] : [{ one: group[i] as Try, outcome }],
      );
      for (const [i, outcome] of outcomes.entries()) if (outcome === 'late') answers.set(group[i] as Try, outcome);
      countAnswers(context, answered);
      const asked = answered.map(({ one }) => one);
      const weighed = context.doubts.weigh(
        (group[0] as Try).account,
        asked,
        answered.map(({ outcome }) => outcome),
      );
      for (const [i, outcome] of weighed.outcomes.entries()) answers.set(asked[i] as Try, outcome);
      dead.push(...weighed.dead);
    }),
  );
  return { answers, dead };
}

/** All of them are of one account. */
function countAnswers(
  context: WorkerContext,
  answered: readonly { readonly one: Try; readonly outcome: Outcome }[],
): void {
  const [first] = answered;
  if (!first) return;
  const { channel } = first.one.account;
  const byKind = Map.groupBy(answered, ({ outcome }) => outcome.kind);
  countSent(channel, Object.fromEntries([...byKind].map(([kind, some]) => [kind, some.length])));
  countTaken(context, channel, [...new Set(byKind.get('accepted')?.map(({ one }) => one.place.work))]);
}

/**
 * Tries of one account, sent together; none if the lease does not last. Looks at the time last of all, since a process
 * may stand still anywhere before.
 */
async function sendGroup(
  context: WorkerContext,
  group: readonly Try[],
  badges: MovedBadges,
  heldSinceMs: number,
): Promise<(Outcome | 'late')[]> {
  const { appId, channel, environment } = (group[0] as Try).account;
  const account = await context.accounts.accountOf(appId, channel, environment);
  const callback = await context.accounts.callbackOf(appId, channel);
  if (!account) return group.map(() => NO_CERTIFICATE);
  if (!isHeldFor(context, heldSinceMs, context.settings.CARILLON_VENDOR_DEADLINE_SECONDS)) return [];
  const publicUrl = context.settings.CARILLON_PUBLIC_URL.replace(/\/$/, '');
  const told = {
    referenceKey: callback?.referenceKey,
    callbackUrl: callback && publicUrl !== '' ? publicUrl + callbackPath(channel, callback) : undefined,
  };
  const now = context.clock.now();
  const inTime = group.filter(({ place }) => place.work.task.notAfter > now);
  const attempts = inTime.map(
    (one): Attempt => ({ token: one.binding.token, notification: toNotification(one, badges, told) }),
  );
  const outcomes = attempts.length > 0 ? await context.sender.send(channel, account, attempts, now) : [];
  const byTry = new Map(inTime.map((one, i) => [one, outcomes[i] as Outcome]));
  return group.map((one) => byTry.get(one) ?? 'late');
}

function toNotification(
  { place: { work, deviceId } }: Try,
  badges: MovedBadges,
  {
    referenceKey,
    callbackUrl,
  }: { readonly referenceKey: string | undefined; readonly callbackUrl: string | undefined },
): Notification {
  const { taskId, message, notAfter } = work.task;
  const badge = badges.get(badgeKey({ taskId, deviceId }));
  return { taskId, deviceId, reference: referenceOf(work.slice, referenceKey), callbackUrl, message, badge, notAfter };
}

/** What the answers mean for the gates, and for tokens that a vendor calls dead. */
export async function learnAnswers(context: WorkerContext, { answers, dead }: Called): Promise<void> {
  for (const group of byAccount([...answers.keys()])) {
    const outcomes = group.map((one) => answers.get(one)).filter((answer) => typeof answer === 'object');
    const { account } = group[0] as Try;
    await context.gates.learn(account, outcomes);
    await context.rates.learn(account, outcomes);
    const byClass = Map.groupBy(group, ({ place }) => quotaClassOf(account.channel, place.work.task.message));
    for (const [messageClass, some] of byClass) {
      const said = some.map((one) => answers.get(one)).filter((answer) => typeof answer === 'object');
      await context.quotas.learn(account, messageClass, said);
    }
  }
  const ended = dead.map(({ who: { place, binding, account }, outcome: { reason, since } }) => ({
    ...keyOf(place),
    channel: account.channel,
    tokenHash: hashVendorToken(binding.token),
    boundAt: binding.boundAt,
    since,
    why: reason,
  }));
  const groups = byDatabase(context.truth.shards, ended, ({ shard }) => shard);
  await Promise.all([...groups].map(([db, group]) => endBindings(db, group)));
}

/** Accounts are compared by what they are: each try may carry a copy. */
const byAccount = (tries: readonly Try[]): Try[][] => [
  ...Map.groupBy(tries, ({ account: { appId, channel, environment } }) =>
    JSON.stringify([appId, channel, environment]),
  ).values(),
];
