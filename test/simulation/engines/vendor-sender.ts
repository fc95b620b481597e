import type * as real from '#src/channels/vendors/send.ts';
import { vendorsOf } from '../world/vendors.ts';
import { thisProcess } from './scheduler.ts';

/** The channels that a simulation has: Apple's, one for the world, two of China. */
export const sendableVendors: ReadonlySet<string> = new Set(['apns', 'fcm', 'huawei', 'xiaomi']);

export class VendorSender {
  readonly send: real.VendorSender['send'] = (name, account, attempts) =>
    vendorsOf(thisProcess().scheduler).send(name, account, attempts);

  close(): void {}
}
