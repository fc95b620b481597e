import type { VendorName } from '#src/domain/channel.ts';
import type { Message } from '#src/domain/message.ts';
import type { VendorAccount } from '#src/vendors/vendor.ts';
import { goldens as apns } from './goldens/apns.ts';
import { goldens as fcm } from './goldens/fcm.ts';
import { goldens as flyme } from './goldens/flyme.ts';
import { goldens as harmony } from './goldens/harmony.ts';
import { goldens as honor } from './goldens/honor.ts';
import { goldens as huawei } from './goldens/huawei.ts';
import { goldens as oppo } from './goldens/oppo.ts';
import { goldens as vivo } from './goldens/vivo.ts';
import { goldens as webpush } from './goldens/webpush.ts';
import { goldens as xiaomi } from './goldens/xiaomi.ts';

/** Expectations that differ between vendors. */
export interface VendorExpectations {
  readonly goldens: readonly { readonly what: string; readonly message?: Partial<Message>; readonly badge?: number }[];
  /**
   * Number of requests for 512 devices. The default is 1. It is higher if a request accepts fewer devices or the
   * message must be saved first.
   */
  readonly requestsForSlice?: number;
  /**
   * The time for which a throttled device waits. The whole account waits if the vendor does not throttle single
   * devices.
   */
  readonly throttledToken: { readonly retryAfterSeconds: number; readonly account?: true };
  readonly throttledAccount: { readonly retryAfterSeconds: number; readonly account?: true };
  /** Credentials that the vendor rejects as unknown. */
  readonly wrongCredentials: Partial<VendorAccount>;
  /** False for APNs and HarmonyOS, whose provider tokens Carillon signs, and for Xiaomi and Meizu, which have no provider tokens. */
  readonly hasTokenEndpoint: boolean;
  /** The vendor has a daily quota and reports when it is exhausted. */
  readonly hasQuota?: true;
  /** The credentials cannot be checked without a vendor token, so every check succeeds. */
  readonly isUnchecked?: true;
  /** Maximum number of connections for single requests. The default is 4. */
  readonly connectionsMax?: number;
  /** The vendor recognizes repeated notifications and delivers them to a phone once. */
  readonly dropsRepeats?: true;
}

/** The expectations of the contract tests by vendor. */
export const expectationsByVendor: Partial<Record<VendorName, VendorExpectations>> = {
  apns: {
    goldens: apns,
    // Apple throttles single devices and never specifies a delay.
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
  webpush: {
    goldens: webpush,
    // Push services throttle single subscriptions.
    throttledToken: { retryAfterSeconds: 7 },
    throttledAccount: { retryAfterSeconds: 60 },
    // Apple rejects this subject. Carillon does not accept it when it is saved.
    wrongCredentials: { vendorAppId: 'mailto:push@localhost' },
    hasTokenEndpoint: false,
    isUnchecked: true,
    // HTTP/1.1 through a reverse proxy.
    connectionsMax: 32,
  },
  flyme: {
    goldens: flyme,
    // Meizu limits requests per second and never specifies a delay.
    throttledToken: { retryAfterSeconds: 5, account: true },
    throttledAccount: { retryAfterSeconds: 5, account: true },
    wrongCredentials: { appSecret: 'another-secret' },
    // Each request is signed.
    hasTokenEndpoint: false,
    // At most 100 devices per request.
    requestsForSlice: 6,
    hasQuota: true,
  },
  vivo: {
    goldens: vivo,
    // vivo limits messages per second and never specifies a delay.
    throttledToken: { retryAfterSeconds: 1, account: true },
    throttledAccount: { retryAfterSeconds: 1, account: true },
    wrongCredentials: { appSecret: 'another-secret' },
    hasTokenEndpoint: true,
    // The first request saves the message, and the second sends the list.
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
  harmony: {
    goldens: harmony,
    throttledToken: { retryAfterSeconds: 7, account: true },
    throttledAccount: { retryAfterSeconds: 7, account: true },
    wrongCredentials: { vendorAppId: '736430079244000109' },
    // Carillon signs the tokens.
    hasTokenEndpoint: false,
    dropsRepeats: true,
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
    // OPPO is not known to specify a delay, but Carillon would use the value.
    throttledToken: { retryAfterSeconds: 10, account: true },
    throttledAccount: { retryAfterSeconds: 3, account: true },
    wrongCredentials: { appSecret: 'another-secret' },
    hasTokenEndpoint: true,
    hasQuota: true,
    dropsRepeats: true,
    // At most 100 devices per request.
    requestsForSlice: 6,
  },
  xiaomi: {
    goldens: xiaomi,
    // Xiaomi limits requests per second and never specifies a delay.
    throttledToken: { retryAfterSeconds: 5, account: true },
    throttledAccount: { retryAfterSeconds: 5, account: true },
    wrongCredentials: { appSecret: 'another-secret' },
    hasTokenEndpoint: false,
    hasQuota: true,
  },
};
