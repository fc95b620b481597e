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

/** Apple Push Notification service, with a p8 key or a push certificate: one token per request over HTTP/2. */
export const apns: Vendor<ApnsCredentials> = {
  name: 'apns',
  urls: { send: { 0: 'CARILLON_APNS_URL_DEVELOPMENT', 1: 'CARILLON_APNS_URL_PRODUCTION' } },
  http: 2,
  startsWithOneStream: true,
  limits: { tokensPerRequest: 1, payloadBytesMax: PAYLOAD_BYTES_MAX },
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
      // A command must not wake anybody; Apple refuses it with a higher priority.
      'apns-push-type': notification.message.type === 'cmd' ? 'background' : 'alert',
      'apns-priority': notification.message.type === 'cmd' ? '5' : '10',
      // The same for every attempt, so that one sent twice replaces itself on the screen.
      'apns-collapse-id': headerText(notification.message.ios?.apns_collapse_id ?? notification.taskId.toString()),
    },
    body: apnsPayload(notification),
  }),

  toOutcomes: (response) => [apnsOutcome(response)],

  // Nobody has this token, so Apple refuses it, and before that the credentials if they are wrong.
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
  cuts: apnsCuts,
  demotions: apnsDemotions,
};

const NONEXISTENT_TOKEN = '0'.repeat(64);

/** Apple reads UTF-8; node writes the characters of a header as single bytes. */
const headerText = (text: string): string => Buffer.from(text).toString('latin1');

/** A name for this notification to this device, the same at each attempt: a UUID made from both ids. */
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
