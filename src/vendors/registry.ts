import type { Channel, VendorName } from '#src/domain/channel.ts';
import type { Message } from '#src/domain/message.ts';
import { apns } from './apns/apns.ts';
import { fcm } from './fcm/fcm.ts';
import { flyme } from './flyme/flyme.ts';
import { harmony } from './harmony/harmony.ts';
import { honor } from './honor/honor.ts';
import { huawei } from './huawei/huawei.ts';
import { oppo } from './oppo/oppo.ts';
import type { Vendor } from './vendor.ts';
import { vivo } from './vivo/vivo.ts';
import { webpush } from './webpush/webpush.ts';
import { xiaomi } from './xiaomi/xiaomi.ts';

/** The supported vendors. */
export const vendorRegistry: Readonly<Record<VendorName, Vendor<unknown>>> = {
  apns: apns as Vendor<unknown>,
  fcm: fcm as Vendor<unknown>,
  flyme: flyme as Vendor<unknown>,
  vivo: vivo as Vendor<unknown>,
  harmony: harmony as Vendor<unknown>,
  honor: honor as Vendor<unknown>,
  huawei: huawei as Vendor<unknown>,
  oppo: oppo as Vendor<unknown>,
  webpush: webpush as Vendor<unknown>,
  xiaomi: xiaomi as Vendor<unknown>,
};

/**
 * Returns whether a notification can be recalled from devices that received it through this channel. Vendors display
 * no data-only message, and so have nothing to remove.
 */
export function canRecall(channel: Channel, type: Message['type']): boolean {
  if (channel === 'nativepush') return true;
  return type !== 'cmd' && vendorRegistry[channel].toRecallRequest !== undefined;
}
