import type { AccountKey } from '#src/domain/vendor-account/breaker.ts';
import type { UsageSum } from '#src/storage/accounts/quota-usage.ts';
import { dailyQuotaOf } from '#src/vendors/sender.ts';

/** The use of the daily quota of an account on the vendor's current day, for one message class. */
export interface QuotaUse {
  readonly class: string;
  readonly resetsAt: Date;
  readonly accepted: bigint;
  /** Undefined if the limit is unknown. */
  readonly limit: number | undefined;
}

/** Returns the use of each message class. Empty if the vendor has no daily quota for this environment. */
export function quotaUseOf(
  { channel, environment }: Omit<AccountKey, 'appId'>,
  usage: readonly UsageSum[],
  now: Date,
): readonly QuotaUse[] {
  const quota = dailyQuotaOf(channel, environment);
  if (!quota) return [];
  const resetsAt = quota.endOfDay(now);
  return quota.classes.map((messageClass) => {
    const sum = usage.find(
      (row) =>
        row.channel === channel &&
        row.environment === environment &&
        row.class === messageClass &&
        row.resetsAt.getTime() === resetsAt.getTime(),
    );
    const limit = environment === 0 ? quota.testLimits?.[messageClass] : undefined;
    return { class: messageClass, resetsAt, accepted: sum?.accepted ?? 0n, limit };
  });
}
