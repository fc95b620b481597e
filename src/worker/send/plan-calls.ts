import type { VendorName } from '#src/domain/channel.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import type { PlaceOutcome } from '#src/domain/place-outcome.ts';
import { rateLimitDelayMs } from '#src/domain/vendor-account/rate-limit.ts';
import { byDatabase } from '#src/storage/database/database.ts';
import { type Binding, findBindings } from '#src/storage/devices/bindings.ts';
import { endsTooSoon } from '#src/vendors/previews.ts';
import { hasQuotaClasses, limitsOf, quotaClassOf } from '#src/vendors/sender.ts';
import type { BreakerAccount } from '../accounts/breakers.ts';
import type { WorkerContext } from '../context.ts';
import { countedUserOf, deviceKey, type Place, type PlannedCall } from './work.ts';

/** The calls to make, and the outcomes of places that need no call. */
interface CallPlan {
  readonly calls: readonly PlannedCall[];
  readonly outcomes: readonly { readonly place: Place; readonly outcome: PlaceOutcome }[];
  /** The delay until rate-limited places can be sent. */
  readonly rateLimitedMs: number;
}

/** Reads the current bindings, and checks quotas, breakers and rate limits. All places must belong to one channel. */
export async function planCalls(
  context: WorkerContext,
  channel: VendorName,
  places: readonly Place[],
): Promise<CallPlan> {
  const outcomes: CallPlan['outcomes'][number][] = [];
  const placesWithBinding: PlaceWithBinding[] = [];
  const { true: tooLate = [], false: inTime = [] } = Object.groupBy(
    places,
    (place) => `${endsTooSoon(channel, place.work.task, context.clock.now())}`,
  );
  outcomes.push(...tooLate.map((place) => ({ place, outcome: TOO_LATE })));
  for (const [db, batch] of byDatabase(context.storage.shards, inTime, (place) => deviceKey(place).bucket)) {
    const bindings = await findBindings(db, channel, batch.map(deviceKey));
    const bindingByDevice = new Map(bindings.map((binding) => [binding.deviceId, binding]));
    for (const place of batch) {
      const binding = bindingByDevice.get(place.deviceId);
      if (binding?.generation === place.generation) placesWithBinding.push({ place, binding });
      else outcomes.push({ place, outcome: 'unbound' });
    }
  }
  const plannedCalls: PlannedCall[] = [];
  let rateLimitedMs = 0;
  const groups = Map.groupBy(
    placesWithBinding,
    ({ place, binding }) => `${binding.environment} ${place.work.slice.appId}`,
  );
  for (const group of groups.values()) {
    const [first] = group as [(typeof group)[number]];
    const accounts = await context.accounts.accountsOf(first.place.work.slice.appId, channel);
    const account = accounts.find(({ environment }) => environment === first.binding.environment);
    if (!account) {
      outcomes.push(...group.map(({ place }) => ({ place, outcome: NO_CERTIFICATE })));
      continue;
    }
    const withinQuota: Unadmitted[] = [];
    for (const [messageClass, batch] of await groupByQuotaClass(context, account, group)) {
      const until = await context.quotas.exhaustedUntil(account, messageClass);
      if (until)
        outcomes.push(...batch.map(({ place }) => ({ place, outcome: { kind: 'quota-spent', until } as const })));
      else withinQuota.push(...batch.map((placeWithBinding) => ({ ...placeWithBinding, messageClass })));
    }
    if (withinQuota.length === 0) continue;
    if (context.sender.isStalled(channel, account)) {
      outcomes.push(...withinQuota.map(({ place }) => ({ place, outcome: 'rate-limited' as const })));
      rateLimitedMs = Math.max(rateLimitedMs, rateLimitDelayMs(STALLED_RETRY_SECONDS, 1, Math.random));
      continue;
    }
    const { allowedCalls, probe } = await context.breakers.admit(account, withinQuota.length, () =>
      withinQuota.some((call) => countedUserOf(call) !== undefined),
    );
    const ordered = probe ? bestProbeFirst(context, account, withinQuota) : withinQuota;
    outcomes.push(...ordered.slice(allowedCalls).map(({ place }) => ({ place, outcome: 'breaker-open' as const })));
    // Grouped by slice, because each slice is a separate request at vendors that accept many tokens per request.
    const bySlice = [...Map.groupBy(ordered.slice(0, allowedCalls), ({ place }) => place.work).values()];
    const lane = first.place.work.task.lane;
    const sizes = bySlice.map((batch) => batch.length);
    // A probe needs no permit: if it had to wait, the breaker would stay tripped until the next probe.
    const { counts, retryAfterMs } = probe
      ? { counts: sizes, retryAfterMs: 0 }
      : await context.rates.admit(account, limitsOf(channel), lane, sizes);
    rateLimitedMs = Math.max(rateLimitedMs, retryAfterMs);
    for (const [i, batch] of bySlice.entries()) {
      const count = counts[i] as number;
      plannedCalls.push(...batch.slice(0, count).map((placeWithBinding) => ({ ...placeWithBinding, account, probe })));
      outcomes.push(...batch.slice(count).map(({ place }) => ({ place, outcome: 'rate-limited' as const })));
    }
  }
  return { calls: plannedCalls, outcomes, rateLimitedMs };
}

const TOO_LATE: Outcome = { kind: 'refused', reason: "show_end_time is nearer than the vendor's shortest lifetime" };

interface PlaceWithBinding {
  readonly place: Place;
  readonly binding: Binding;
}

/** A call that the breaker and the rate limit have not admitted yet. */
type Unadmitted = Omit<PlannedCall, 'account' | 'probe'>;

/** Groups places of one account by the class whose daily quota applies to their messages. */
async function groupByQuotaClass(
  { accounts }: WorkerContext,
  { appId, channel, environment }: BreakerAccount,
  group: readonly PlaceWithBinding[],
): Promise<Map<string, PlaceWithBinding[]>> {
  const account = hasQuotaClasses(channel) ? await accounts.accountOf(appId, channel, environment) : undefined;
  return Map.groupBy(group, ({ place }) => (account ? quotaClassOf(channel, place.work.task.message, account) : ''));
}

/**
 * Orders calls by how likely the vendor accepts the token: first those of users without a suspect token, last those of
 * tasks that users created. The order is otherwise random, so that no token is the probe each time.
 */
function bestProbeFirst<T extends Pick<PlannedCall, 'place' | 'binding'>>(
  { suspectTokens }: WorkerContext,
  account: BreakerAccount,
  calls: readonly T[],
): T[] {
  const rankOf = (user: string | undefined) => {
    if (user === undefined) return 2;
    return suspectTokens.includesUser(account, user) ? 1 : 0;
  };
  return calls
    .map((call) => ({ call, rank: rankOf(countedUserOf(call)) + Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ call }) => call);
}

/** The shortest delay until an account whose vendor does not respond is called again. */
const STALLED_RETRY_SECONDS = 2;

export const NO_CERTIFICATE: Outcome = { kind: 'refused', reason: 'no credentials for this environment' };
