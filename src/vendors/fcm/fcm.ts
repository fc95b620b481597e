import { ANY_SYMBOL } from '../translate/token-symbols.ts';
import type { Vendor } from '../vendor.ts';
import { fcmAdvice } from './advice.ts';
import { checkFcmCertificate, type FcmCredentials, fcmCredentials, fcmTokenSource } from './credentials.ts';
import { fcmDemotions } from './demotions.ts';
import { fcmFields } from './fields.ts';
import { fcmOutcome } from './outcomes.ts';
import { fcmBody, fcmCuts, PAYLOAD_BYTES_MAX } from './payload.ts';
import { fcmPreview } from './preview.ts';

/** Firebase Cloud Messaging, HTTP v1: one target per request. There is one host for both environments. */
export const fcm: Vendor<FcmCredentials> = {
  name: 'fcm',
  urls: { send: { 0: 'CARILLON_FCM_URL', 1: 'CARILLON_FCM_URL' }, token: 'CARILLON_FCM_TOKEN_URL' },
  http: 2,
  limits: {
    tokensPerRequest: 1,
    payloadBytesMax: PAYLOAD_BYTES_MAX,
    perSecond: { count: 10_000, unit: 'devices' },
    rampSeconds: 60,
  },
  // Google publishes no format.
  tokenFormat: { lengthMax: 4_096, symbols: ANY_SYMBOL },
  checkCertificate: checkFcmCertificate,
  tokenSource: fcmTokenSource,
  toCredentials: fcmCredentials,

  toRequest: (notification, [token = ''], credentials, now) =>
    requestOf(credentials, fcmBody(notification, token, now)),

  toOutcomes: (response) => [fcmOutcome(response)],

  // Google checks the credentials before the target, so an error about this target means that the credentials are
  // valid.
  toCheckRequest: (credentials) => requestOf(credentials, '{"validate_only":true,"message":{"token":"nobody"}}'),

  advice: fcmAdvice,
  fields: fcmFields,
  preview: fcmPreview,
  cuts: fcmCuts,
  demotions: fcmDemotions,
};

const requestOf = ({ projectId, accessToken }: FcmCredentials, body: string) => ({
  path: `/v1/projects/${encodeURIComponent(projectId)}/messages:send`,
  headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
  body,
});
