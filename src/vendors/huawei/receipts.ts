import { createHmac, timingSafeEqual } from 'node:crypto';
import { entriesOf, isReference, parseTime, type Receipt, type ReceiptReader } from '../translate/receipt.ts';
import { codeOf, isObject } from '../translate/response-values.ts';

/** Meanings of Huawei's status codes; see "Message receipt" (read 2026-11). Every other status is a failure. */
const kinds: Readonly<Record<string, Receipt['kind']>> = {
  '0': 'delivered',
  '2': 'token-dead', // the app is not installed
  '5': 'token-dead', // the token belongs to another device
  '27': 'pending', // the app is not running; Huawei holds the message until it starts
  '51': 'pending', // the device has not been unlocked since it started
};

/**
 * Reads Huawei's callback. Version 1 has status and time in the entry, version 2 in a nested object. Returns undefined
 * if the list is missing.
 */
export function huaweiReceipts(body: unknown): Receipt[] | undefined {
  return entriesOf(body, 'statuses')?.flatMap(({ token, biTag: reference, deliveryStatus, ...entry }): Receipt[] => {
    const { result, timestamp } = isObject(deliveryStatus)
      ? deliveryStatus
      : { result: entry.status, timestamp: entry.timestamp };
    const code = codeOf(result);
    if (typeof token !== 'string' || token === '' || !isReference(reference) || code === '') return [];
    const kind = (Object.hasOwn(kinds, code) && kinds[code]) || 'failed';
    return [{ token, reference, kind, code, at: parseTime(timestamp) }];
  });
}

/** Maximum age of a signature. Until then, Carillon accepts it only with the body that it was first received with. */
const SIGNATURE_AGE_MS_MAX = 5 * 60 * 1_000;
/** Timestamps of this century are above this value in milliseconds and below it in seconds. */
const MILLISECONDS_MIN = 100_000_000_000;

/**
 * Checks the header `timestamp=…; nonce=…; value=…`. The value is an HMAC of the timestamp, the nonce and the user
 * name. The key is decoded from base64 in newer configurations and used as a string in older ones. The callback does
 * not indicate which applies, so both are tried.
 */
export function isSignedByHuawei(header: string, userName: string, key: string, now: Date): boolean {
  const { timestamp, nonce, signature } = parseHeader(header);
  if (key === '' || !/^\d{10,13}$/.test(timestamp) || nonce === '') return false;
  const time = Number(timestamp) < MILLISECONDS_MIN ? Number(timestamp) * 1_000 : Number(timestamp);
  if (Math.abs(now.getTime() - time) > SIGNATURE_AGE_MS_MAX) return false;
  return keysOf(key).some((bytes) => {
    const expected = createHmac('sha256', bytes).update(`${timestamp}${nonce}${userName}`).digest();
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

function parseHeader(header: string): { timestamp: string; nonce: string; signature: Buffer } {
  const parts = new Map(header.split(';').map((part) => splitAtEquals(part.trim())));
  const [timestamp = '', nonce = '', value = ''] = ['timestamp', 'nonce', 'value'].map((name) => parts.get(name));
  return { timestamp, nonce, signature: Buffer.from(value, 'base64') };
}

/**
 * Returns the possible keys. A string that is not base64 would decode to a shorter or empty key, and anyone can sign
 * with an empty key.
 */
function keysOf(key: string): Buffer[] {
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})+$|^(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2,3}={0,2}$/.test(key);
  return [Buffer.from(key), ...(isBase64 ? [Buffer.from(key, 'base64')] : [])];
}

function splitAtEquals(part: string): [string, string] {
  const at = part.indexOf('=');
  return at < 0 ? [part, ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
}

export const huaweiReceiptReader: ReceiptReader = {
  read: huaweiReceipts,
  isSigned: (headers, { userName, key }, now) => {
    const header = headers['x-huawei-callback-id'];
    return typeof header === 'string' && isSignedByHuawei(header, userName, key, now);
  },
  signatureOf: (headers) => parseHeader(String(headers['x-huawei-callback-id'])).signature,
  response: { status: 200, body: '{"code":"0","message":"success"}' },
};
