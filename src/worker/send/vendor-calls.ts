import { badgeVendors } from '#src/domain/channel.ts';
import { applyBadge, isImageWithoutText, vendorMessage } from '#src/domain/message.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { referenceOf } from '#src/domain/reference.ts';
import { accountKey } from '#src/domain/vendor-account/account-key.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { callbackUrl } from '#src/storage/accounts/callbacks.ts';
import { byDatabase } from '#src/storage/database/database.ts';
import { endBindings, hashVendorToken } from '#src/storage/devices/bindings.ts';
import { isFailedCheck } from '#src/vendors/check-account.ts';
import type { VendorSend } from '#src/vendors/sender.ts';
import type { Notification } from '#src/vendors/vendor.ts';
import type { DeadTokenReport } from '../accounts/suspect-tokens.ts';
import type { WorkerContext } from '../context.ts';
import { leaseStillCovers } from '../pacing/lease.ts';
import { recordSendLatency, recordSendOutcomes } from '../record-metrics.ts';
import { NO_CERTIFICATE } from './plan-calls.ts';
import { deviceKey, type PlannedCall } from './work.ts';

/** The outcomes of calling vendors. */
export interface CallResults {
  /** A call without an outcome was not made. */
  readonly outcomes: ReadonlyMap<PlannedCall, Outcome | 'expired'>;
  /** Targets whose tokens are dead, some of them from earlier calls. */
  readonly deadTokens: readonly DeadTokenReport<PlannedCall>[];
}

/** Calls the vendors, all accounts at the same time. */
export async function callVendors(
  context: WorkerContext,
  calls: readonly PlannedCall[],
  acquiredAtMs: number,
): Promise<CallResults> {
  const outcomeByCall = new Map<PlannedCall, Outcome | 'expired'>();
  const deadTokens: DeadTokenReport<PlannedCall>[] = [];
  await Promise.all(
    groupByAccount(calls).map(async (group) => {
      const [{ account, probe }] = group as [PlannedCall, ...PlannedCall[]];
      const { outcomes, version } = await sendAccountCalls(context, group, acquiredAtMs).catch((error: unknown) => {
        const { appId, channel, environment } = account;
        const fields = { appId, channel, environment, error };
        if (error instanceof Unavailable) {
          // The credentials cannot be read at present. No vendor was called, so the slices are left to the next claim.
          context.log.warn('vendor-not-called', fields);
          return { outcomes: [], version: account.version };
        }
        // Invalid credentials of one app must not affect the other apps in this round.
        context.log.error('vendor-not-called', fields);
        const outcomes = group.map((): Outcome => ({ kind: 'unreachable', reason: 'the vendor could not be called' }));
        return { outcomes, version: account.version };
      });
      const results = outcomes.flatMap((outcome, i) =>
        outcome === 'expired' ? [] : [{ call: group[i] as PlannedCall, outcome }],
      );
      for (const [i, outcome] of outcomes.entries())
        if (outcome === 'expired') outcomeByCall.set(group[i] as PlannedCall, outcome);
      recordCallOutcomes(context, results);
      const answeredCalls = results.map(({ call }) => call);
      const evaluation = context.suspectTokens.evaluate(
        { ...account, version },
        answeredCalls,
        results.map(({ outcome }) => outcome),
        { isProbe: probe },
      );
      for (const [i, outcome] of evaluation.outcomes.entries())
        outcomeByCall.set(answeredCalls[i] as PlannedCall, outcome);
      deadTokens.push(...evaluation.dead);
    }),
  );
  return { outcomes: outcomeByCall, deadTokens };
}

/** Records the metrics of calls, which must all belong to one account. */
function recordCallOutcomes(
  context: WorkerContext,
  results: readonly { readonly call: PlannedCall; readonly outcome: Outcome }[],
): void {
  const [first] = results;
  if (!first) return;
  const { channel } = first.call.account;
  const byKind = Map.groupBy(results, ({ outcome }) => outcome.kind);
  recordSendOutcomes(channel, Object.fromEntries([...byKind].map(([kind, batch]) => [kind, batch.length])));
  recordSendLatency(context.clock, channel, [...new Set(byKind.get('accepted')?.map(({ call }) => call.place.work))]);
}

/**
 * Sends the calls of one account together, or none if the lease would end too soon. The lease and the expiry are
 * checked last, because the process may have been paused at any earlier point. Returns the version of the credentials
 * too, because they may have been replaced since the calls were planned. Before a probe, the credentials are checked
 * with a request that reaches no device, so that the tokens of users do not decide whether the credentials are valid.
 */
async function sendAccountCalls(
  context: WorkerContext,
  group: readonly PlannedCall[],
  acquiredAtMs: number,
): Promise<{ outcomes: (Outcome | 'expired')[]; version: number }> {
  const [{ account: plannedAccount, probe }] = group as [PlannedCall, ...PlannedCall[]];
  const { appId, channel, environment, version: plannedVersion } = plannedAccount;
  const account = await context.accounts.accountOf(appId, channel, environment);
  const callback = await context.accounts.callbackOf(appId, channel);
  if (!account) return { outcomes: group.map(() => NO_CERTIFICATE), version: plannedVersion };
  const { version } = account;
  const check = probe ? await context.sender.check(channel, account, context.clock.now()) : undefined;
  if (check && isFailedCheck(check)) return { outcomes: group.map(() => check), version };
  const appName = group.some(({ place }) => isImageWithoutText(place.work.task.message))
    ? await context.accounts.nameOf(appId)
    : '';
  if (!leaseStillCovers(context, acquiredAtMs, context.settings.CARILLON_VENDOR_DEADLINE_SECONDS))
    return { outcomes: [], version };
  const receiptOptions = {
    referenceKey: callback?.referenceKey,
    callbackUrl: callback && callbackUrl(context.settings.CARILLON_PUBLIC_URL, channel, callback),
  };
  const now = context.clock.now();
  const unexpired = group.filter(({ place }) => place.work.task.notAfter > now);
  const sends = unexpired.map(
    (call): VendorSend => ({
      token: call.binding.token,
      notification: toNotification(call, { ...receiptOptions, appName }),
    }),
  );
  const outcomes = sends.length > 0 ? await context.sender.send(channel, account, sends, now) : [];
  const outcomeByCall = new Map(unexpired.map((call, i) => [call, outcomes[i] as Outcome]));
  return { outcomes: group.map((call) => outcomeByCall.get(call) ?? 'expired'), version };
}

function toNotification(
  { place: { work, deviceId }, binding }: PlannedCall,
  {
    referenceKey,
    callbackUrl,
    appName,
  }: {
    readonly referenceKey: string | undefined;
    readonly callbackUrl: string | undefined;
    readonly appName: string;
  },
): Notification {
  const { taskId, notAfter } = work.task;
  const message = vendorMessage(work.task.message, appName);
  const hasBadge = badgeVendors.some((vendor) => vendor === work.slice.channel) && message.type !== 'cmd';
  // The number already contains the badge of this task, unless the app has reported 0 since.
  const badge = hasBadge ? binding.badge || applyBadge(0, message.badge) : undefined;
  return { taskId, deviceId, reference: referenceOf(work.slice, referenceKey), callbackUrl, message, badge, notAfter };
}

/**
 * Updates breakers, rate limits, quotas, their usage and last responses from the outcomes, and ends the bindings of dead
 * tokens.
 */
export async function recordCallResults(
  context: WorkerContext,
  { outcomes: outcomeByCall, deadTokens }: CallResults,
): Promise<void> {
  for (const group of groupByAccount([...outcomeByCall.keys()])) {
    const outcomesOf = (calls: readonly PlannedCall[]) =>
      calls.map((call) => outcomeByCall.get(call)).filter((outcome) => typeof outcome === 'object');
    const outcomes = outcomesOf(group);
    const byClass = Map.groupBy(group, ({ messageClass }) => messageClass);
    const { account } = group[0] as PlannedCall;
    context.lastResponses.recordOutcomes(account, outcomes);
    for (const [messageClass, batch] of byClass)
      context.quotaUsage.recordOutcomes(account, messageClass, outcomesOf(batch));
    await context.breakers.recordOutcomes(account, outcomes);
    await context.rates.recordOutcomes(account, outcomes);
    for (const [messageClass, batch] of byClass)
      await context.quotas.recordOutcomes(account, messageClass, outcomesOf(batch));
  }
  const endedBindings = deadTokens.map(({ target: { place, binding, account }, outcome: { reason, since } }) => ({
    ...deviceKey(place),
    channel: account.channel,
    tokenHash: hashVendorToken(binding.token, account.channel),
    boundAt: binding.boundAt,
    boundBefore: since,
    endReason: reason,
  }));
  const groups = byDatabase(context.storage.shards, endedBindings, ({ bucket }) => bucket);
  await Promise.all([...groups].map(([db, group]) => endBindings(db, group)));
}

/** Groups calls by account. Accounts are compared by value, because each call may have its own copy. */
const groupByAccount = (calls: readonly PlannedCall[]): PlannedCall[][] => [
  ...Map.groupBy(calls, ({ account }) => accountKey(account)).values(),
];
