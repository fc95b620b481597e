import { hash } from 'node:crypto';
import type { Notification, Vendor } from '../vendor.ts';
import { apnsAdvice } from './advice.ts';
import {
  type ApnsCredentials,
  apnsClientCertificate,
  apnsCredentials,
  apnsTokenSource,
  checkApnsCertificate,
} from './credentials.ts';
import { apnsDemotions } from './demotions.ts';
import { apnsFields } from './fields.ts';
import { apnsOutcome } from './outcomes.ts';
import { apnsCuts, apnsPayload, PAYLOAD_BYTES_MAX } from './payload.ts';
import { apnsPreview } from './preview.ts';

/** Apple Push Notification service, with a p8 key or a push certificate: one token per request over HTTP/2. */
export const apns: Vendor<ApnsCredentials> = {
  name: 'apns',
  urls: { send: { 0: 'CARILLON_APNS_URL_DEVELOPMENT', 1: 'CARILLON_APNS_URL_PRODUCTION' } },
  http: 2,
  startsWithOneStream: true,
  limits: { tokensPerRequest: 1, payloadBytesMax: PAYLOAD_BYTES_MAX },
  // Apple's tokens are hexadecimal and have 64 digits, but Apple reserves the right to change the length. The symbols are
  // for the tokens of simulators, whose names select the response.
  tokenFormat: { lengthMax: 512, symbols: '-_' },
  checkCertificate: checkApnsCertificate,
  tokenSource: apnsTokenSource,
  toCredentials: apnsCredentials,
  toClientCertificate: apnsClientCertificate,

  toRequest: (notification, [token = ''], credentials) => ({
    path: `/3/device/${encodeURIComponent(token)}`,
    headers: {
      ...(credentials.providerToken !== undefined && { authorization: `bearer ${credentials.providerToken}` }),
      'apns-topic': credentials.topic,
      'apns-id': apnsId(notification),
      'apns-expiration': Math.floor(notification.notAfter.getTime() / 1_000).toString(),
      // A data-only message displays nothing. Apple rejects background pushes with a priority higher than 5.
      'apns-push-type': notification.message.type === 'cmd' ? 'background' : 'alert',
      'apns-priority': notification.message.type === 'cmd' ? '5' : '10',
      // The collapse ID is the same for every attempt, so a duplicate replaces the notification on the screen.
      'apns-collapse-id': headerText(notification.message.ios?.apns_collapse_id ?? notification.taskId.toString()),
    },
    body: apnsPayload(notification),
  }),

  toOutcomes: (response) => [apnsOutcome(response)],

  // No device has this token. Apple checks the credentials first, so an error about the token means that the
  // credentials are valid.
  toCheckRequest: ({ topic, providerToken }) => ({
    path: `/3/device/${NONEXISTENT_TOKEN}`,
    headers: {
      ...(providerToken !== undefined && { authorization: `bearer ${providerToken}` }),
      'apns-topic': topic,
      'apns-push-type': 'background',
      'apns-priority': '5',
      'apns-expiration': '0',
    },
    body: '{"aps":{"content-available":1}}',
  }),

  advice: apnsAdvice,
  fields: apnsFields,
  preview: apnsPreview,
  cuts: apnsCuts,
  demotions: apnsDemotions,
};

const NONEXISTENT_TOKEN = '0'.repeat(64);

/**
 * Returns a header value that Node.js writes as UTF-8, which Apple expects. Node.js writes each character of a header
 * value as one byte.
 */
const headerText = (text: string): string => Buffer.from(text).toString('latin1');

/**
 * Returns the ID of a notification for one device: a UUID derived from the task ID and the device ID. It is the same
 * for every attempt.
 */
function apnsId({ taskId, deviceId }: Notification): string {
  const hex = hash('sha256', `${taskId}.${deviceId}`);
  const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
