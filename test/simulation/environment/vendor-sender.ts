import { reachBit } from '#src/domain/reach.ts';
import type * as real from '#src/vendors/sender.ts';
import { vendorsOf } from '../system/vendors.ts';
import { thisProcess } from './scheduler.ts';

/** The channels that a simulation has: Apple's, one for the world, two of China. */
const sendable: ReadonlySet<string> = new Set(['apns', 'fcm', 'huawei', 'xiaomi']);

export const certifiedReach: typeof real.certifiedReach = (certificates) =>
  certificates
    .filter(({ channel }) => sendable.has(channel))
    .reduce((reach, { channel, environment }) => reach | reachBit(channel, environment), 0);

/** Slices are small here, and most go out in several rounds. */
export const devicesPerRound: typeof real.devicesPerRound = () => 2;

/** Now and then an account has to wait for permits. */
export const limitsOf: typeof real.limitsOf = () => ({
  tokensPerRequest: 1,
  payloadBytesMax: 4_096,
  perSecond: { count: 100, of: 'devices' },
});
export const quotaClassOf: typeof real.quotaClassOf = () => '';
export const withAdvice: typeof real.withAdvice = (_name, reason) => reason;

export class VendorSender {
  readonly send: real.VendorSender['send'] = (name, account, attempts) =>
    vendorsOf(thisProcess().scheduler).send(name, account, attempts);

  isSilent(): boolean {
    return vendorsOf(thisProcess().scheduler).isSilent();
  }

  close(): void {}
}

/** Nobody signs anything here. */
export class ProviderTokenStore {}
