import { ttlSeconds } from '../translate/android-message.ts';
import { ANY_SYMBOL } from '../translate/token-symbols.ts';
import type { Vendor } from '../vendor.ts';
import { webPushAdvice } from './advice.ts';
import {
  checkWebPushCertificate,
  type WebPushCredentials,
  webPushCredentials,
  webPushTokenSource,
} from './credentials.ts';
import { webPushDemotions } from './demotions.ts';
import { encryptPayload, PLAINTEXT_BYTES_MAX } from './encrypt.ts';
import { webPushFields } from './fields.ts';
import { webPushOutcome } from './outcomes.ts';
import { webPushCuts, webPushPayload, webPushTopic } from './payload.ts';
import { webPushPreview } from './preview.ts';
import { readSubscription, storedSubscription, subscriptionText } from './subscription.ts';
import { vapidAuthorization } from './vapid.ts';

/** Four weeks, because Google rejects a longer TTL. */
const TTL_SECONDS_MAX = 2_419_200;

/**
 * Web Push (RFC 8030, 8291 and 8292), for browsers and for UnifiedPush apps. The vendor token is the JSON of a
 * subscription, which contains the URL of its push service. Every message is encrypted for one subscription.
 */
export const webpush: Vendor<WebPushCredentials> = {
  name: 'webpush',
  urls: { send: { 0: 'CARILLON_WEBPUSH_URL', 1: 'CARILLON_WEBPUSH_URL' } },
  http: 1,
  limits: { tokensPerRequest: 1, payloadBytesMax: PLAINTEXT_BYTES_MAX },
  // The characters are checked in `tokenEndpoint`, because a token is JSON.
  tokenFormat: { lengthMax: 2_048, symbols: `${ANY_SYMBOL}, ` },
  tokenEndpoint: {
    read: (token, extraHosts) => {
      const subscription = readSubscription(token, extraHosts);
      return typeof subscription === 'string'
        ? { reason: subscription }
        : { origin: subscription.endpoint.origin, token: subscriptionText(subscription) };
    },
  },
  checkCertificate: checkWebPushCertificate,
  keepsKeys: true,
  tokenSource: webPushTokenSource,
  toCredentials: webPushCredentials,

  toRequest: (notification, [token = ''], credentials, now) => {
    const { endpoint, keys } = storedSubscription(token);
    return {
      origin: endpoint.origin,
      path: endpoint.pathname + endpoint.search,
      headers: {
        authorization: vapidAuthorization(endpoint.origin, credentials, now),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: ttlSeconds(notification.notAfter, now, TTL_SECONDS_MAX).toString(),
        urgency: notification.message.webpush?.urgency ?? 'high',
        topic: webPushTopic(notification),
      },
      body: '',
      bytes: encryptPayload(Buffer.from(webPushPayload(notification, credentials.navigate)), keys),
    };
  },

  toOutcomes: (response, [token = '']) => [webPushOutcome(response, storedSubscription(token).endpoint.hostname)],

  advice: webPushAdvice,
  fields: webPushFields,
  preview: webPushPreview,
  cuts: webPushCuts,
  demotions: webPushDemotions,
};
