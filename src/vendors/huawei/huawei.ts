import { beijingTestQuota } from '../translate/beijing-midnight.ts';
import { notifyIdOf } from '../translate/notify-id.ts';
import { ANY_SYMBOL } from '../translate/token-symbols.ts';
import type { Vendor, VendorRequest } from '../vendor.ts';
import { huaweiAdvice } from './advice.ts';
import { checkHuaweiCertificate, type HuaweiCredentials, huaweiCredentials, huaweiTokenSource } from './credentials.ts';
import { huaweiDemotions, TEST_MESSAGES_PER_DAY } from './demotions.ts';
import { huaweiFields } from './fields.ts';
import { huaweiOutcomes } from './outcomes.ts';
import { huaweiBody, huaweiCuts, PAYLOAD_BYTES_MAX } from './payload.ts';
import { huaweiPreview } from './preview.ts';
import { huaweiReceiptReader } from './receipts.ts';

/** Huawei Push Kit, API versions 1 and 2: one request addresses all devices of a slice. */
export const huawei: Vendor<HuaweiCredentials> = {
  name: 'huawei',
  urls: { send: { 0: 'CARILLON_HUAWEI_URL', 1: 'CARILLON_HUAWEI_URL' }, token: 'CARILLON_HUAWEI_TOKEN_URL' },
  http: 1,
  // The size of a slice; Huawei accepts 1,000 tokens.
  limits: {
    tokensPerRequest: 512,
    payloadBytesMax: PAYLOAD_BYTES_MAX,
    perSecond: { count: 6_000, unit: 'devices' },
  },
  // Huawei publishes no format.
  tokenFormat: { lengthMax: 1_024, symbols: ANY_SYMBOL },
  checkCertificate: checkHuaweiCertificate,
  tokenSource: huaweiTokenSource,
  toCredentials: huaweiCredentials,
  toRequest: (notification, tokens, credentials, now) =>
    requestOf(credentials, huaweiBody(notification, tokens, credentials, now)),
  toOutcomes: huaweiOutcomes,
  // See "Message Revocation" (read 2026-11). The page is about HarmonyOS 5; the path and the answer are the same here.
  toRecallRequest: (taskId, tokens, { recallPath, accessToken }) => {
    const { headers, ...request } = requestOf(
      { path: recallPath, accessToken },
      JSON.stringify({ notifyId: notifyIdOf(taskId), token: tokens }),
    );
    return { ...request, headers: { ...headers, 'push-type': '0' } };
  },
  toCheckRequest: (credentials) =>
    requestOf(credentials, JSON.stringify({ validate_only: true, message: { data: '{}', token: ['nobody'] } })),
  receipts: huaweiReceiptReader,
  dailyQuota: beijingTestQuota(TEST_MESSAGES_PER_DAY),
  advice: huaweiAdvice,
  fields: huaweiFields,
  preview: huaweiPreview,
  cuts: huaweiCuts,
  demotions: huaweiDemotions,
};

function requestOf(
  { path, accessToken }: Pick<HuaweiCredentials, 'path' | 'accessToken'>,
  body: string,
): VendorRequest {
  return {
    path,
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json;charset=UTF-8' },
    body,
  };
}
