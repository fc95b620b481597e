import type { Vendor as VendorName } from '#src/domain/channel.ts';
import { apns } from './apns/apns.ts';
import { fcm } from './fcm/fcm.ts';
import { honor } from './honor/honor.ts';
import { huawei } from './huawei/huawei.ts';
import type { Vendor } from './vendor.ts';

/** The vendors we speak to. */
export const everyVendor: Readonly<Partial<Record<VendorName, Vendor<unknown>>>> = {
  apns: apns as Vendor<unknown>,
  fcm: fcm as Vendor<unknown>,
  honor: honor as Vendor<unknown>,
  huawei: huawei as Vendor<unknown>,
};
