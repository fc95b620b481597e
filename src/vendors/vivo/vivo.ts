import { stringifyJson } from '#src/foundation/json.ts';
import { beijingDailyQuota } from '../translate/beijing-midnight.ts';
import type { Vendor, VendorRequest } from '../vendor.ts';
import { vivoAdvice } from './advice.ts';
import { checkVivoCertificate, type VivoCredentials, vivoCredentials, vivoTokenSource } from './credentials.ts';
import { TEST_MESSAGES_PER_DAY, vivoDemotions } from './demotions.ts';
import { vivoFields } from './fields.ts';
import { vivoOutcomes, vivoPreparedId } from './outcomes.ts';
import {
  TTL_SECONDS_MIN,
  vivoCuts,
  vivoListPayload,
  vivoQuotaClass,
  vivoQuotaClasses,
  vivoSavedPayload,
  vivoSinglePayload,
} from './payload.ts';
import { vivoPreview } from './preview.ts';
import { vivoReceiptReader } from './receipts.ts';

/** vivo Push: sending to a single device takes one request. For several devices, the message is saved first. */
export const vivo: Vendor<VivoCredentials> = {
  name: 'vivo',
  urls: { send: { 0: 'CARILLON_VIVO_URL', 1: 'CARILLON_VIVO_URL' }, token: 'CARILLON_VIVO_URL' },
  http: 1,
  // The size of a slice; vivo accepts 1,000 devices in a list. vivo limits the parts of a message, not its total size.
  limits: {
    tokensPerRequest: 512,
    payloadBytesMax: 4_096,
    perSecond: { count: 3_000, unit: 'devices' },
    ttlSecondsMin: TTL_SECONDS_MIN,
  },
  // Digits. The symbols are for the tokens of simulators.
  tokenFormat: { lengthMax: 512, symbols: '-_' },
  checkCertificate: checkVivoCertificate,
  tokenSource: vivoTokenSource,
  toCredentials: vivoCredentials,
  prepare: {
    toRequest: (notification, credentials, now) =>
      requestOf('/message/saveListPayload', credentials, vivoSavedPayload(notification, credentials, now)),
    toPreparedId: vivoPreparedId,
  },
  toRequest: (notification, tokens, credentials, now, preparedId) =>
    preparedId === undefined
      ? requestOf('/message/send', credentials, vivoSinglePayload(notification, tokens[0] as string, credentials, now))
      : requestOf('/message/pushToList', credentials, vivoListPayload(notification, tokens, credentials, preparedId)),
  toOutcomes: vivoOutcomes,
  // No check request: a granted token shows that the credentials are valid.
  receipts: vivoReceiptReader,
  dailyQuota: { ...beijingDailyQuota, classes: vivoQuotaClasses, testLimits: TEST_MESSAGES_PER_DAY },
  quotaClass: vivoQuotaClass,
  advice: vivoAdvice,
  fields: vivoFields,
  preview: vivoPreview,
  cuts: vivoCuts,
  demotions: vivoDemotions,
};

function requestOf(path: string, { authToken }: VivoCredentials, body: object): VendorRequest {
  return {
    path,
    headers: { authtoken: authToken, 'content-type': 'application/json;charset=UTF-8' },
    body: stringifyJson(body),
  };
}
