import { reachBit } from '#src/domain/reach.ts';
import type * as real from '#src/vendors/sender.ts';
import { vendorsOf } from '../system/vendors.ts';
import { currentProcess } from './scheduler.ts';

/** The channels that a simulation has: Apple's, one for the world, two of China. */
const sendable: ReadonlySet<string> = new Set(['apns', 'fcm', 'huawei', 'xiaomi']);

export const reachOfCertificates: typeof real.reachOfCertificates = (certificates) =>
  certificates
    .filter(({ channel }) => sendable.has(channel))
    .reduce((reach, { channel, environment }) => reach | reachBit(channel, environment), 0);

/** Slices are small here, and most go out in several rounds. */
export const devicesPerRound: typeof real.devicesPerRound = () => 2;

/** Now and then an account has to wait for permits. */
export const limitsOf: typeof real.limitsOf = () => ({
  tokensPerRequest: 1,
  payloadBytesMax: 4_096,
  perSecond: { count: 100, unit: 'devices' },
});
export const quotaClassOf: typeof real.quotaClassOf = () => '';
export const withAdvice: typeof real.withAdvice = (_name, reason) => reason;

export class VendorSender {
  readonly send: real.VendorSender['send'] = (name, account, sends) =>
    vendorsOf(currentProcess().scheduler).send(name, account, sends);

  isStalled(): boolean {
    return vendorsOf(currentProcess().scheduler).isStalled();
  }

  close(): void {}
}

/** Nobody signs anything here. */
export class ProviderTokenStore {}
