import type { VendorName } from '#src/domain/channel.ts';
import type { Message } from '#src/domain/message.ts';
import type { VendorAccount } from '#src/vendors/vendor.ts';
import { goldens as apns } from './goldens/apns.ts';
import { goldens as fcm } from './goldens/fcm.ts';
import { goldens as flyme } from './goldens/flyme.ts';
import { goldens as honor } from './goldens/honor.ts';
import { goldens as huawei } from './goldens/huawei.ts';
import { goldens as oppo } from './goldens/oppo.ts';
import { goldens as vivo } from './goldens/vivo.ts';
import { goldens as xiaomi } from './goldens/xiaomi.ts';

/** What is different at each vendor, and why. */
export interface VendorExpectations {
  readonly goldens: readonly { readonly what: string; readonly message?: Partial<Message>; readonly badge?: number }[];
  /** Requests for 512 devices; 1, unless the vendor takes fewer in one or wants the message first. */
  readonly requestsForSlice?: number;
  /** How long a throttled one waits; the whole account, if the vendor does not speak of one device. */
  readonly throttledToken: { readonly retryAfterSeconds: number; readonly account?: true };
  readonly throttledAccount: { readonly retryAfterSeconds: number; readonly account?: true };
  /** Credentials that the vendor does not know. */
  readonly wrongCredentials: Partial<VendorAccount>;
  /** APNs signs its own tokens and Xiaomi and Meizu have none, so there is nobody to ask for one. */
  readonly hasTokenEndpoint: boolean;
  /** It has a daily quota, and says when that is spent. */
  readonly hasQuota?: true;
  /** It knows what it was given before, and gives it to a phone once. */
  readonly dropsRepeats?: true;
}

/** What the contract of vendors holds each of them to. */
export const expectationsByVendor: Partial<Record<VendorName, VendorExpectations>> = {
  apns: {
    goldens: apns,
    // Apple speaks of one device, and never says for how long.
    throttledToken: { retryAfterSeconds: 60 },
    throttledAccount: { retryAfterSeconds: 60 },
    wrongCredentials: { appKey: 'OTHERKEY01' },
    hasTokenEndpoint: false,
  },
  fcm: {
    goldens: fcm,
    throttledToken: { retryAfterSeconds: 7, account: true },
    throttledAccount: { retryAfterSeconds: 3, account: true },
    wrongCredentials: { vendorAppId: 'another-project' },
    hasTokenEndpoint: true,
  },
  flyme: {
    goldens: flyme,
    // Meizu counts by the second, and never says for how long.
    throttledToken: { retryAfterSeconds: 5, account: true },
    throttledAccount: { retryAfterSeconds: 5, account: true },
    wrongCredentials: { appSecret: 'another-secret' },
    // Each request is signed.
    hasTokenEndpoint: false,
    // A hundred at a time.
    requestsForSlice: 6,
    hasQuota: true,
  },
  vivo: {
    goldens: vivo,
    // vivo counts by the second, and never says for how long.
    throttledToken: { retryAfterSeconds: 1, account: true },
    throttledAccount: { retryAfterSeconds: 1, account: true },
    wrongCredentials: { appSecret: 'another-secret' },
    hasTokenEndpoint: true,
    // The message first, and then the list.
    requestsForSlice: 2,
    hasQuota: true,
  },
  huawei: {
    goldens: huawei,
    throttledToken: { retryAfterSeconds: 7, account: true },
    throttledAccount: { retryAfterSeconds: 3, account: true },
    wrongCredentials: { appSecret: 'another-secret' },
    hasTokenEndpoint: true,
  },
  honor: {
    goldens: honor,
    throttledToken: { retryAfterSeconds: 7, account: true },
    throttledAccount: { retryAfterSeconds: 3, account: true },
    wrongCredentials: { appSecret: 'another-secret' },
    hasTokenEndpoint: true,
  },
  oppo: {
    goldens: oppo,
    // OPPO is not known to say for how long, but would be taken at its word.
    throttledToken: { retryAfterSeconds: 10, account: true },
    throttledAccount: { retryAfterSeconds: 3, account: true },
    wrongCredentials: { appSecret: 'another-secret' },
    hasTokenEndpoint: true,
    hasQuota: true,
    dropsRepeats: true,
    // A hundred at a time.
    requestsForSlice: 6,
  },
  xiaomi: {
    goldens: xiaomi,
    // Xiaomi counts requests by the second, and never says for how long.
    throttledToken: { retryAfterSeconds: 5, account: true },
    throttledAccount: { retryAfterSeconds: 5, account: true },
    wrongCredentials: { appSecret: 'another-secret' },
    hasTokenEndpoint: false,
    hasQuota: true,
  },
};
