import { beijingTestQuota } from '../translate/beijing-midnight.ts';
import { notifyIdOf } from '../translate/notify-id.ts';
import { ANY_SYMBOL } from '../translate/token-symbols.ts';
import type { Vendor, VendorRequest } from '../vendor.ts';
import { harmonyAdvice } from './advice.ts';
import {
  checkHarmonyCertificate,
  type HarmonyCredentials,
  harmonyCredentials,
  harmonyTokenSource,
} from './credentials.ts';
import { harmonyDemotions, TEST_MESSAGES_PER_DAY } from './demotions.ts';
import { harmonyFields } from './fields.ts';
import { harmonyOutcomes } from './outcomes.ts';
import { harmonyBody, harmonyCuts, PAYLOAD_BYTES_MAX, PUSH_TYPE, pushTypeOf } from './payload.ts';
import { harmonyPreview } from './preview.ts';
import { harmonyReceiptReader } from './receipts.ts';

/** Huawei Push Kit for HarmonyOS 5 and later, API version 3: one request addresses all devices of a slice. */
export const harmony: Vendor<HarmonyCredentials> = {
  name: 'harmony',
  urls: { send: { 0: 'CARILLON_HARMONY_URL', 1: 'CARILLON_HARMONY_URL' } },
  http: 1,
  limits: {
    // The size of a slice; Huawei accepts 1,000 tokens, and 10 tokens in a test message.
    tokensPerRequest: 512,
    tokensPerTestRequest: 10,
    payloadBytesMax: PAYLOAD_BYTES_MAX,
    // The minimum that Huawei publishes for Android. It publishes none for HarmonyOS.
    perSecond: { count: 6_000, unit: 'devices' },
  },
  // Huawei publishes no format.
  tokenFormat: { lengthMax: 1_024, symbols: ANY_SYMBOL },
  checkCertificate: checkHarmonyCertificate,
  tokenSource: harmonyTokenSource,
  toCredentials: harmonyCredentials,
  toRequest: (notification, tokens, credentials, now) =>
    requestOf(credentials, pushTypeOf(notification.message), harmonyBody(notification, tokens, credentials, now)),
  toOutcomes: harmonyOutcomes,
  toRecallRequest: (taskId, tokens, { recallPath, accessToken }) =>
    recallPath === undefined
      ? undefined
      : requestOf(
          { path: recallPath, accessToken },
          PUSH_TYPE.notification,
          JSON.stringify({ notifyId: notifyIdOf(taskId), token: tokens }),
        ),
  // Version 3 cannot validate a message without sending it. No device has the token `nobody`, so nothing is delivered.
  toCheckRequest: (credentials) =>
    requestOf(
      credentials,
      PUSH_TYPE.background,
      JSON.stringify({ payload: { extraData: '{}' }, target: { token: ['nobody'] } }),
    ),
  receipts: harmonyReceiptReader,
  dailyQuota: beijingTestQuota(TEST_MESSAGES_PER_DAY),
  advice: harmonyAdvice,
  fields: harmonyFields,
  preview: harmonyPreview,
  cuts: harmonyCuts,
  demotions: harmonyDemotions,
};

function requestOf(
  { path, accessToken }: Pick<HarmonyCredentials, 'path' | 'accessToken'>,
  pushType: number,
  body: string,
): VendorRequest {
  return {
    path,
    headers: {
      authorization: `Bearer ${accessToken}`,
      'push-type': `${pushType}`,
      'content-type': 'application/json;charset=UTF-8',
    },
    body,
  };
}
