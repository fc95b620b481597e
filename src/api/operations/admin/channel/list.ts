import { adminChannelList } from '#src/contract/admin/channel/list.ts';
import { providerByVendor } from '#src/domain/channel.ts';
import type { GateKey } from '#src/domain/vendor-account/breaker.ts';
import { rateLimitOf } from '#src/domain/vendor-account/rate-limit.ts';
import { findGates } from '#src/storage/accounts/breakers.ts';
import { findCertificates } from '#src/storage/accounts/certificates.ts';
import { findSpentQuotas } from '#src/storage/accounts/quotas.ts';
import { findRates, perSecondOf } from '#src/storage/accounts/rates.ts';
import { limitsOf } from '#src/vendors/sender.ts';
import type { Route } from '../../../context.ts';

export const adminChannelListRoute: Route<typeof adminChannelList> = {
  operation: adminChannelList,
  handle: async ({ truth: { home } }, { app: { appId } }) => {
    const [certificates, gates, spent, rates] = await Promise.all([
      findCertificates(home, appId),
      findGates(home, appId),
      findSpentQuotas(home, appId),
      findRates(home, appId),
    ]);
    return certificates.map(({ channel, environment, name, expiresAt, perSecond, version }) => {
      const isHere = (row: GateKey) => row.channel === channel && row.environment === environment;
      // A gate that was closed under an older certificate is open for this one.
      const gate = gates.find((one) => isHere(one) && one.version === version);
      const limit = rateLimitOf(limitsOf(channel).perSecond, perSecond);
      const rate = rates.find(isHere);
      return {
        provider: providerByVendor[channel],
        environment,
        name,
        expire: millisecondsOf(expiresAt),
        open: !gate,
        reason: gate?.reason ?? '',
        closed_at: millisecondsOf(gate?.closedAt ?? null),
        spent: spent
          .filter(isHere)
          .map(({ class: messageClass, spentUntil }) => ({ class: messageClass, until: BigInt(spentUntil.getTime()) })),
        per_second: limit ? BigInt(Math.round(perSecondOf(limit.count, rate))) : null,
        throttled_at: millisecondsOf(rate?.throttledAt ?? null),
      };
    });
  },
};

const millisecondsOf = (date: Date | null): bigint | null => date && BigInt(date.getTime());
