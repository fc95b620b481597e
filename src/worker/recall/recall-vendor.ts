import type { VendorName } from '#src/domain/channel.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { type Binding, findBindings } from '#src/storage/devices/bindings.ts';
import { limitsOf } from '#src/vendors/sender.ts';
import type { VendorAccount } from '#src/vendors/vendor.ts';
import type { BreakerAccount } from '../accounts/breakers.ts';
import type { RateLimitedAccount } from '../accounts/rates.ts';
import {
  type PlaceToRecall,
  pauseWithin,
  type RecallPass,
  readPlaces,
  remainingMs,
  type SliceRecall,
} from './recall-places.ts';

/**
 * Recalls a notification from the devices of a slice, with the current vendor tokens. A place fails if its device has
 * another owner or no vendor token by now, or if the vendor rejects the recall.
 */
export async function recallVendorSlice(
  pass: RecallPass,
  channel: VendorName,
  places: readonly PlaceToRecall[],
): Promise<SliceRecall> {
  const found = await readPlaces(pass, places, (db, group) => findBindings(db, channel, group));
  const bindingOf = ({ deviceId, generation }: PlaceToRecall): Binding | undefined => {
    const binding = found.rows.get(deviceId);
    return binding?.generation === generation ? binding : undefined;
  };
  const bound = found.readPlaces.flatMap((place) => {
    const binding = bindingOf(place);
    return binding ? [{ place, binding }] : [];
  });
  const result = {
    recalled: [] as number[],
    failed: found.readPlaces.filter((place) => !bindingOf(place)).map(({ index }) => index),
    isBlocked: false,
  };
  const accounts = await pass.context.accounts.accountsOf(pass.appId, channel);
  for (const [environment, group] of Map.groupBy(bound, ({ binding }) => binding.environment)) {
    const account = accounts.find((each) => each.environment === environment);
    const secrets = account && (await pass.context.accounts.accountOf(pass.appId, channel, environment));
    if (!account || !secrets) result.failed.push(...group.map(({ place }) => place.index));
    else if (!(await canCall(pass, account, secrets))) result.isBlocked = true;
    else await recallFromAccount(pass, account, secrets, group, result);
  }
  return result;
}

interface BoundPlace {
  readonly place: PlaceToRecall;
  readonly binding: Binding;
}

/** Calls the vendor within its rate limit, until the pass ends or the vendor cannot be used. */
async function recallFromAccount(
  pass: RecallPass,
  account: BreakerAccount & RateLimitedAccount,
  secrets: VendorAccount,
  group: readonly BoundPlace[],
  result: { recalled: number[]; failed: number[]; isBlocked: boolean },
): Promise<void> {
  const { rates, sender, clock } = pass.context;
  const limits = limitsOf(account.channel);
  for (let rest = group; rest.length > 0; ) {
    if (remainingMs(pass) <= 0) return;
    const wanted = Math.min(rest.length, limits.tokensPerRequest);
    const { counts, retryAfterMs } = await rates.admit(account, limits, 'bulk', [wanted]);
    const [count = 0] = counts;
    if (count === 0) {
      await pauseWithin(pass, retryAfterMs);
      continue;
    }
    const batch = rest.slice(0, count);
    rest = rest.slice(count);
    const tokens = batch.map(({ binding }) => binding.token);
    const outcomes = await sender.recall(account.channel, secrets, pass.taskId, tokens, clock.now());
    await rates.recordOutcomes(account, outcomes);
    for (const [i, { place }] of batch.entries()) {
      const { kind } = outcomes[i] as Outcome;
      if (kind === 'accepted') result.recalled.push(place.index);
      else if (kind === 'refused' || kind === 'token-dead') result.failed.push(place.index);
      else result.isBlocked = true;
    }
    if (result.isBlocked) return;
  }
}

/**
 * Returns whether the account can be called. A recall must not pause the channel for notifications, so its outcomes do
 * not affect the circuit breaker. If the breaker is tripped and its probe is due, the probe is a check of the credentials:
 * without new notifications, nothing else would reset the breaker.
 */
async function canCall({ context }: RecallPass, account: BreakerAccount, secrets: VendorAccount): Promise<boolean> {
  const { breakers, sender, clock } = context;
  if (sender.isStalled(account.channel, account)) return false;
  const { allowedCalls, probe } = await breakers.admit(account, 1, () => false);
  if (!probe) return allowedCalls > 0;
  await breakers.recordOutcomes(account, [await sender.check(account.channel, secrets, clock.now())]);
  return false;
}
