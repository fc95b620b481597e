import { adminChannelList } from '#src/contract/admin/channel/list.ts';
import { providerByVendor } from '#src/domain/channel.ts';
import type { AccountKey } from '#src/domain/vendor-account/breaker.ts';
import { rateLimitOf } from '#src/domain/vendor-account/rate-limit.ts';
import { findTrippedBreakers } from '#src/storage/accounts/breakers.ts';
import { findCertificates } from '#src/storage/accounts/certificates.ts';
import { findLastReceipts } from '#src/storage/accounts/last-receipts.ts';
import { findLastResponses } from '#src/storage/accounts/last-responses.ts';
import { findQuotaUsage } from '#src/storage/accounts/quota-usage.ts';
import { findExhaustedQuotas } from '#src/storage/accounts/quotas.ts';
import { findRates, perSecondOf } from '#src/storage/accounts/rates.ts';
import { limitsOf } from '#src/vendors/sender.ts';
import { translateAdvice } from '#src/vendors/translate-advice.ts';
import type { Route } from '../../../context.ts';
import { quotaUseOf } from '../../../records/quota-use.ts';

export const adminChannelListRoute: Route<typeof adminChannelList> = {
  operation: adminChannelList,
  handle: async ({ storage: { home }, clock }, { app: { appId }, language }) => {
    const now = clock.now();
    const [certificates, breakers, spentQuotas, quotaUsage, rates, responses, receipts] = await Promise.all([
      findCertificates(home, appId),
      findTrippedBreakers(home, appId),
      findExhaustedQuotas(home, appId),
      findQuotaUsage(home, appId, now),
      findRates(home, appId),
      findLastResponses(home, appId),
      findLastReceipts(home, appId),
    ]);
    return certificates.map(({ channel, environment, name, expiresAt, perSecond, version }) => {
      const isSameAccount = (row: AccountKey) => row.channel === channel && row.environment === environment;
      // A circuit breaker that tripped under an older version of the credentials does not apply to this one.
      const breaker = breakers.find((candidate) => isSameAccount(candidate) && candidate.version === version);
      const limit = rateLimitOf(limitsOf(channel).perSecond, perSecond);
      const quotaUse = quotaUseOf({ channel, environment }, quotaUsage, now);
      const rate = rates.find(isSameAccount);
      // A response to older credentials says nothing about these.
      const response = responses.find((candidate) => isSameAccount(candidate) && candidate.version === version);
      return {
        provider: providerByVendor[channel],
        environment,
        name,
        expire: millisecondsOf(expiresAt),
        open: !breaker,
        reason: breaker ? translateAdvice(channel, breaker.reason, language) : '',
        closed_at: millisecondsOf(breaker?.trippedAt ?? null),
        probe_at: millisecondsOf(breaker?.probeAt ?? null),
        spent: spentQuotas.filter(isSameAccount).map(({ class: messageClass, exhaustedUntil }) => ({
          class: messageClass,
          until: BigInt(exhaustedUntil.getTime()),
        })),
        usage: quotaUse.map(({ class: messageClass, accepted }) => ({ class: messageClass, accepted })),
        resets_at: millisecondsOf(quotaUse[0]?.resetsAt ?? null),
        per_second: limit ? BigInt(Math.round(perSecondOf(limit.count, rate))) : null,
        throttled_at: millisecondsOf(rate?.throttledAt ?? null),
        last_response: response
          ? { at: BigInt(response.at.getTime()), result: response.kind, reason: response.reason }
          : null,
        last_receipt_at: millisecondsOf(receipts.find((row) => row.channel === channel)?.at ?? null),
      };
    });
  },
};

const millisecondsOf = (date: Date | null): bigint | null => date && BigInt(date.getTime());
