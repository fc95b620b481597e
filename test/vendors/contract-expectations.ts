import type { Vendor as VendorName } from '#src/domain/channel.ts';
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
export interface Sheet {
  readonly goldens: readonly { readonly what: string; readonly message?: Partial<Message>; readonly badge?: number }[];
  /** Requests for 512 devices; 1, unless the vendor takes fewer in one or wants the message first. */
  readonly requestsForSlice?: number;
  /** How long a throttled one waits; the whole account, if the vendor does not speak of one device. */
  readonly busy: { readonly retryAfterSeconds: number; readonly account?: true };
  readonly throttle: { readonly retryAfterSeconds: number; readonly account?: true };
  /** Credentials that the vendor does not know. */
  readonly wrong: Partial<VendorAccount>;
  /** APNs signs its own tokens and Xiaomi and Meizu have none, so there is nobody to ask for one. */
  readonly isAsked: boolean;
  /** It has a daily quota, and says when that is spent. */
  readonly hasQuota?: true;
  /** It knows what it was given before, and gives it to a phone once. */
  readonly dropsRepeats?: true;
}

/** What the contract of vendors holds each of them to. */
export const sheets: Partial<Record<VendorName, Sheet>> = {
  apns: {
    goldens: apns,
    // Apple speaks of one device, and never says for how long.
    busy: { retryAfterSeconds: 60 },
    throttle: { retryAfterSeconds: 60 },
    wrong: { appKey: 'OTHERKEY01' },
    isAsked: false,
  },
  fcm: {
    goldens: fcm,
    busy: { retryAfterSeconds: 7, account: true },
    throttle: { retryAfterSeconds: 3, account: true },
    wrong: { vendorAppId: 'another-project' },
    isAsked: true,
  },
  flyme: {
    goldens: flyme,
    // Meizu counts by the second, and never says for how long.
    busy: { retryAfterSeconds: 5, account: true },
    throttle: { retryAfterSeconds: 5, account: true },
    wrong: { appSecret: 'another-secret' },
    // Each request is signed.
    isAsked: false,
    // A hundred at a time.
    requestsForSlice: 6,
    hasQuota: true,
  },
  vivo: {
    goldens: vivo,
    // vivo counts by the second, and never says for how long.
    busy: { retryAfterSeconds: 1, account: true },
    throttle: { retryAfterSeconds: 1, account: true },
    wrong: { appSecret: 'another-secret' },
    isAsked: true,
    // The message first, and then the list.
    requestsForSlice: 2,
    hasQuota: true,
  },
  huawei: {
    goldens: huawei,
    busy: { retryAfterSeconds: 7, account: true },
    throttle: { retryAfterSeconds: 3, account: true },
    wrong: { appSecret: 'another-secret' },
    isAsked: true,
  },
  honor: {
    goldens: honor,
    busy: { retryAfterSeconds: 7, account: true },
    throttle: { retryAfterSeconds: 3, account: true },
    wrong: { appSecret: 'another-secret' },
    isAsked: true,
  },
  oppo: {
    goldens: oppo,
    // OPPO is not known to say for how long, but would be taken at its word.
    busy: { retryAfterSeconds: 10, account: true },
    throttle: { retryAfterSeconds: 3, account: true },
    wrong: { appSecret: 'another-secret' },
    isAsked: true,
    hasQuota: true,
    dropsRepeats: true,
    // A hundred at a time.
    requestsForSlice: 6,
  },
  xiaomi: {
    goldens: xiaomi,
    // Xiaomi counts requests by the second, and never says for how long.
    busy: { retryAfterSeconds: 5, account: true },
    throttle: { retryAfterSeconds: 5, account: true },
    wrong: { appSecret: 'another-secret' },
    isAsked: false,
    hasQuota: true,
  },
};
