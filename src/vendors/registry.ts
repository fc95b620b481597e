import type { VendorName } from '#src/domain/channel.ts';
import { apns } from './apns/apns.ts';
import { fcm } from './fcm/fcm.ts';
import { flyme } from './flyme/flyme.ts';
import { honor } from './honor/honor.ts';
import { huawei } from './huawei/huawei.ts';
import { oppo } from './oppo/oppo.ts';
import type { Vendor } from './vendor.ts';
import { vivo } from './vivo/vivo.ts';
import { xiaomi } from './xiaomi/xiaomi.ts';

/** The supported vendors. */
export const vendorRegistry: Readonly<Record<VendorName, Vendor<unknown>>> = {
  apns: apns as Vendor<unknown>,
  fcm: fcm as Vendor<unknown>,
  flyme: flyme as Vendor<unknown>,
  vivo: vivo as Vendor<unknown>,
  honor: honor as Vendor<unknown>,
  huawei: huawei as Vendor<unknown>,
  oppo: oppo as Vendor<unknown>,
  xiaomi: xiaomi as Vendor<unknown>,
};
