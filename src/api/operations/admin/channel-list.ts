import { limitsOf } from '#src/channels/vendors/send.ts';
import { adminChannelList } from '#src/contract/admin/channel-list.ts';
import { providerByVendor } from '#src/domain/channel.ts';
import type { GateKey } from '#src/domain/gate.ts';
import { rateLimitOf } from '#src/domain/pace.ts';
import { findCertificates } from '#src/truth/certificates.ts';
import { findGates } from '#src/truth/gates.ts';
import { findSpentQuotas } from '#src/truth/quotas.ts';
import { findRates, perSecondOf } from '#src/truth/rates.ts';
import type { Route } from '../../context.ts';

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
