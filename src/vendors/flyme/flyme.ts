import { beijingDailyQuota } from '../translate/beijing-midnight.ts';
import type { Vendor, VendorRequest } from '../vendor.ts';
import { flymeAdvice } from './advice.ts';
import { checkFlymeCertificate, type FlymeCredentials, flymeCredentials, flymeTokenSource } from './credentials.ts';
import { flymeDemotions } from './demotions.ts';
import { flymeFields } from './fields.ts';
import { flymeOutcomes } from './outcomes.ts';
import { flymeCuts, flymeForm, flymeMessage, HOUR_SECONDS } from './payload.ts';
import { flymePreview } from './preview.ts';
import { flymeReceiptReader } from './receipts.ts';
import { type Parameters, signedForm } from './signature.ts';

/** Meizu Push for phones with Flyme: each request is a signed form with up to 100 tokens. */
export const flyme: Vendor<FlymeCredentials> = {
  name: 'flyme',
  urls: { send: { 0: 'CARILLON_FLYME_URL', 1: 'CARILLON_FLYME_URL' } },
  http: 1,
  // Meizu limits the parts of a message, not its total size.
  limits: {
    tokensPerRequest: 100,
    payloadBytesMax: 4_096,
    perSecond: { count: 200, unit: 'requests' },
    ttlSecondsMin: HOUR_SECONDS,
  },
  // Letters and digits. The symbols are for the tokens of simulators.
  tokenFormat: { lengthMax: 512, symbols: '-_' },
  checkCertificate: checkFlymeCertificate,
  tokenSource: flymeTokenSource,
  toCredentials: flymeCredentials,
  toRequest: (notification, tokens, credentials, now) =>
    requestOf(credentials, flymeForm(credentials, tokens, flymeMessage(notification, credentials, now))),
  toOutcomes: flymeOutcomes,
  // Meizu checks the signature first. With a valid signature it reports that the device does not exist.
  toCheckRequest: (credentials) =>
    requestOf(
      credentials,
      flymeForm(credentials, ['nobody'], '{"noticeBarInfo":{"title":"Carillon","content":"Carillon"}}'),
    ),
  receipts: flymeReceiptReader,
  dailyQuota: beijingDailyQuota,
  advice: flymeAdvice,
  fields: flymeFields,
  preview: flymePreview,
  cuts: flymeCuts,
  demotions: flymeDemotions,
};

function requestOf({ appSecret }: FlymeCredentials, form: Parameters): VendorRequest {
  return {
    path: '/garcia/api/server/push/varnished/pushByPushId',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    body: signedForm(form, appSecret),
  };
}
