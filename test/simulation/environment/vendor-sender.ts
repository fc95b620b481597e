import { reachBit } from '#src/domain/reach.ts';
import type * as real from '#src/vendors/sender.ts';
import { vendorsOf } from '../system/vendors.ts';
import { currentProcess } from './scheduler.ts';

/** The vendor channels of a simulation: APNs, FCM and two Chinese vendors. */
const sendable: ReadonlySet<string> = new Set(['apns', 'fcm', 'huawei', 'xiaomi']);

export const reachOfCertificates: typeof real.reachOfCertificates = (certificates) =>
  certificates
    .filter(({ channel }) => sendable.has(channel))
    .reduce((reach, { channel, environment }) => reach | reachBit(channel, environment), 0);

/** Small, so that most slices need several rounds. */
export const devicesPerRound: typeof real.devicesPerRound = () => 2;

/** A rate limit, so that accounts sometimes wait for permits. */
export const limitsOf: typeof real.limitsOf = () => ({
  tokensPerRequest: 1,
  payloadBytesMax: 4_096,
  perSecond: { count: 100, unit: 'devices' },
});
export const dailyQuotaOf: typeof real.dailyQuotaOf = () => undefined;
export const hasQuotaClasses: typeof real.hasQuotaClasses = () => false;
export const quotaClassOf: typeof real.quotaClassOf = () => '';
export const withAdvice: typeof real.withAdvice = (_name, reason) => reason;

export class VendorSender {
  readonly send: real.VendorSender['send'] = (name, account, sends) =>
    vendorsOf(currentProcess().scheduler).send(name, account, sends);

  readonly check: real.VendorSender['check'] = (name, { appId }) =>
    vendorsOf(currentProcess().scheduler).check(name, appId);

  isStalled(): boolean {
    return vendorsOf(currentProcess().scheduler).isStalled();
  }

  close(): void {}
}

/** Provider tokens are not simulated. */
export class ProviderTokenStore {}
