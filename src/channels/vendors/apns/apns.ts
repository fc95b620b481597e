import { createHash } from 'node:crypto';
import type { Notification, Vendor } from '../vendor.ts';
import { type ApnsCredentials, apnsClientCertificate, apnsCredentials } from './credentials.ts';
import { apnsOutcome } from './outcomes.ts';
import { apnsCuts, apnsPayload, PAYLOAD_BYTES_MAX } from './payload.ts';

/** Apple Push Notification service, with a p8 key or a push certificate: one token per request over HTTP/2. */
export const apns: Vendor<ApnsCredentials> = {
  name: 'apns',
  limits: { tokensPerRequest: 1, payloadBytesMax: PAYLOAD_BYTES_MAX },
  toCredentials: apnsCredentials,
  toClientCertificate: apnsClientCertificate,

  toRequest: (notification, token, credentials) => ({
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

  toOutcome: apnsOutcome,
  cuts: apnsCuts,
};

/** Apple reads UTF-8; node writes the characters of a header as single bytes. */
const headerText = (text: string): string => Buffer.from(text).toString('latin1');

/** A name for this notification to this device, the same at each attempt: a UUID made from both ids. */
function apnsId({ taskId, deviceId }: Notification): string {
  const hex = createHash('sha256').update(`${taskId}.${deviceId}`).digest('hex');
  const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
