import { beijingDailyQuota } from '../translate/beijing-midnight.ts';
import type { Vendor, VendorRequest } from '../vendor.ts';
import { xiaomiAdvice } from './advice.ts';
import { checkXiaomiCertificate, type XiaomiCredentials, xiaomiCredentials } from './credentials.ts';
import { xiaomiDemotions } from './demotions.ts';
import { xiaomiFields } from './fields.ts';
import { xiaomiOutcomes } from './outcomes.ts';
import { PAYLOAD_BYTES_MAX, xiaomiCheckForm, xiaomiCuts, xiaomiForm, xiaomiRecallForm } from './payload.ts';
import { xiaomiPreview } from './preview.ts';
import { xiaomiReceiptReader } from './receipts.ts';

/**
 * Xiaomi Push, API version 3: one request addresses all devices of a slice. Every request contains the secret itself.
 */
export const xiaomi: Vendor<XiaomiCredentials> = {
  name: 'xiaomi',
  urls: { send: { 0: 'CARILLON_XIAOMI_URL', 1: 'CARILLON_XIAOMI_URL' } },
  http: 1,
  // The size of a slice; Xiaomi accepts 1,000 tokens.
  limits: { tokensPerRequest: 512, payloadBytesMax: PAYLOAD_BYTES_MAX, perSecond: { count: 500, unit: 'requests' } },
  // Base64, possibly with the alphabet for URLs.
  tokenFormat: { lengthMax: 512, symbols: '+/=-_' },
  checkCertificate: checkXiaomiCertificate,
  tokenSource: (account) => {
    xiaomiCredentials(account); // throws if the credentials cannot be read
    return undefined;
  },
  toCredentials: xiaomiCredentials,
  toRequest: (notification, tokens, credentials, now) =>
    requestOf(credentials, xiaomiForm(notification, tokens, credentials, now)),
  toOutcomes: (response, tokens) => xiaomiOutcomes(response, tokens, new Date()),
  // See pId 2367 (2026-10-22). Versions 1 and 2 of this path end on 2026-12-01.
  toRecallRequest: (taskId, tokens, credentials) => ({
    ...requestOf(credentials, xiaomiRecallForm(taskId, tokens, credentials)),
    path: '/v3/message/regid/revoke',
  }),
  // No device has this token. Xiaomi reports the invalid token only if the credentials are valid.
  toCheckRequest: (credentials) => requestOf(credentials, xiaomiCheckForm(credentials, 'nobody')),
  receipts: xiaomiReceiptReader,
  dailyQuota: beijingDailyQuota,
  advice: xiaomiAdvice,
  fields: xiaomiFields,
  preview: xiaomiPreview,
  cuts: xiaomiCuts,
  demotions: xiaomiDemotions,
};

function requestOf({ appSecret }: XiaomiCredentials, form: URLSearchParams): VendorRequest {
  return {
    path: '/v3/message/regid',
    headers: {
      authorization: `key=${appSecret}`,
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
    },
    body: form.toString(),
  };
}
