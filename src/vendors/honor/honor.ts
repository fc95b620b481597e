import { beijingTestQuota } from '../translate/beijing-midnight.ts';
import { ANY_SYMBOL } from '../translate/token-symbols.ts';
import type { Vendor, VendorRequest } from '../vendor.ts';
import { honorAdvice } from './advice.ts';
import { checkHonorCertificate, type HonorCredentials, honorCredentials, honorTokenSource } from './credentials.ts';
import { honorDemotions, TEST_MESSAGES_PER_DAY } from './demotions.ts';
import { honorFields } from './fields.ts';
import { honorOutcomes } from './outcomes.ts';
import { honorBody, honorCuts, PAYLOAD_BYTES_MAX } from './payload.ts';
import { honorPreview } from './preview.ts';
import { honorReceiptReader } from './receipts.ts';

/** Honor Push: one request addresses all devices of a slice. */
export const honor: Vendor<HonorCredentials> = {
  name: 'honor',
  urls: { send: { 0: 'CARILLON_HONOR_URL', 1: 'CARILLON_HONOR_URL' }, token: 'CARILLON_HONOR_TOKEN_URL' },
  http: 1,
  // The size of a slice; Honor reportedly accepts 1,000 tokens.
  limits: {
    tokensPerRequest: 512,
    payloadBytesMax: PAYLOAD_BYTES_MAX,
    perSecond: { count: 3_000, unit: 'devices' },
  },
  // Honor publishes no format.
  tokenFormat: { lengthMax: 1_024, symbols: ANY_SYMBOL },
  checkCertificate: checkHonorCertificate,
  tokenSource: honorTokenSource,
  toCredentials: honorCredentials,

  toRequest: (notification, tokens, credentials, now) =>
    requestOf(credentials, honorBody(notification, tokens, credentials, now), now),
  toOutcomes: honorOutcomes,
  // Honor issues an access token for the Client ID alone. Only a send request shows whether the App ID belongs to the
  // same app. No device has the token `nobody`, so nothing is delivered.
  toCheckRequest: (credentials, now) => requestOf(credentials, '{"data":"{}","token":["nobody"]}', now),
  receipts: honorReceiptReader,
  dailyQuota: beijingTestQuota(TEST_MESSAGES_PER_DAY),
  advice: honorAdvice,
  fields: honorFields,
  preview: honorPreview,
  cuts: honorCuts,
  demotions: honorDemotions,
};

function requestOf({ path, accessToken }: HonorCredentials, body: string, now: Date): VendorRequest {
  return {
    path,
    headers: {
      authorization: `Bearer ${accessToken}`,
      timestamp: now.getTime().toString(),
      'content-type': 'application/json; charset=UTF-8',
    },
    body,
  };
}
