import { beijingDailyQuota } from '../translate/beijing-midnight.ts';
import type { Vendor } from '../vendor.ts';
import { oppoAdvice } from './advice.ts';
import {
  checkOppoCertificate,
  type OppoCredentials,
  oppoClientSecret,
  oppoCredentials,
  oppoTokenSource,
} from './credentials.ts';
import { oppoDemotions } from './demotions.ts';
import { oppoFields } from './fields.ts';
import { oppoOutcomes } from './outcomes.ts';
import { ACTION_PARAMETERS_MAX, oppoCuts, oppoMessages } from './payload.ts';
import { oppoPreview } from './preview.ts';
import { oppoReceiptReader } from './receipts.ts';

/**
 * OPPO Push, mainland China. There is no check request: a token request, which goes to the same URL, shows whether the
 * credentials are valid.
 */
export const oppo: Vendor<OppoCredentials> = {
  name: 'oppo',
  urls: { send: { 0: 'CARILLON_OPPO_URL', 1: 'CARILLON_OPPO_URL' }, token: 'CARILLON_OPPO_URL' },
  http: 1,
  // OPPO accepts 1,000 tokens. Carillon sends fewer, because the request repeats the whole message for each token and
  // OPPO does not document a maximum request size.
  limits: {
    tokensPerRequest: 100,
    payloadBytesMax: ACTION_PARAMETERS_MAX,
    perSecond: { count: 5_000, unit: 'devices' },
  },
  // Up to 32 hexadecimal digits after an optional brand and region, joined by `_`. The symbol `-` is for simulators.
  tokenFormat: { lengthMax: 512, symbols: '-_' },
  checkCertificate: checkOppoCertificate,
  clientSecret: oppoClientSecret,
  tokenSource: oppoTokenSource,
  toCredentials: oppoCredentials,

  toRequest: (notification, tokens, credentials, now) => ({
    path: '/server/v1/message/notification/unicast_batch',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    body: new URLSearchParams({
      auth_token: credentials.authToken,
      messages: oppoMessages(notification, tokens, credentials, now),
    }).toString(),
  }),

  toOutcomes: (response, tokens) => oppoOutcomes(response, tokens, new Date()),
  receipts: oppoReceiptReader,
  dailyQuota: beijingDailyQuota,
  advice: oppoAdvice,
  fields: oppoFields,
  preview: oppoPreview,
  cuts: oppoCuts,
  demotions: oppoDemotions,
};
