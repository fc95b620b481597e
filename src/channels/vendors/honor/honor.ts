import type { Vendor } from '../vendor.ts';
import { type HonorCredentials, honorCredentials, honorTokenSource } from './credentials.ts';
import { honorFields } from './fields.ts';
import { honorOutcomes } from './outcomes.ts';
import { honorBody, honorCuts, PAYLOAD_BYTES_MAX } from './payload.ts';
import { honorReceiptReader } from './receipts.ts';

/** Honor Push: the devices of a slice go together. Whether credentials are good shows when a token is asked for. */
export const honor: Vendor<HonorCredentials> = {
  name: 'honor',
  urls: { send: { 0: 'CARILLON_HONOR_URL', 1: 'CARILLON_HONOR_URL' }, token: 'CARILLON_HONOR_TOKEN_URL' },
  http: 1,
  // A slice; Honor is said to take 1000.
  limits: {
    tokensPerRequest: 512,
    payloadBytesMax: PAYLOAD_BYTES_MAX,
    perSecond: { count: 500, of: 'devices' },
  },
  tokenSource: honorTokenSource,
  toCredentials: honorCredentials,

  toRequest: (notification, tokens, credentials, now) => ({
    path: credentials.path,
    headers: {
      authorization: `Bearer ${credentials.accessToken}`,
      timestamp: now.getTime().toString(),
      'content-type': 'application/json; charset=UTF-8',
    },
    body: honorBody(notification, tokens, credentials, now),
  }),

  toOutcomes: honorOutcomes,
  receipts: honorReceiptReader,
  fields: honorFields,
  cuts: honorCuts,
};
