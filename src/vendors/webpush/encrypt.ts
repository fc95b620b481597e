import { createCipheriv, createECDH, createHmac, type ECDH, randomBytes } from 'node:crypto';

/** The keys of a subscription, which the browser created. */
export interface SubscriptionKeys {
  /** The browser's public key: an uncompressed point on the curve P-256. */
  readonly p256dh: Buffer;
  readonly auth: Buffer;
}

export const PUBLIC_KEY_BYTES = 65;
export const AUTH_BYTES = 16;
export const CURVE = 'prime256v1';
const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** The record size in the header. Push services accept bodies of 4,096 bytes, so a message is always one record. */
const RECORD_BYTES = 4_096;
/** Salt, record size, length of the key ID, and the sender's public key as the key ID. */
const HEADER_BYTES = SALT_BYTES + 4 + 1 + PUBLIC_KEY_BYTES;
/** Marks the end of the last record. */
const DELIMITER = Buffer.from([2]);

/** Maximum size of a payload before the encryption. */
export const PLAINTEXT_BYTES_MAX = RECORD_BYTES - HEADER_BYTES - DELIMITER.length - TAG_BYTES;

/**
 * Encrypts a payload for a subscription with the content encoding `aes128gcm` (RFC 8188 and RFC 8291). Each message
 * needs a new key pair and a new salt. Only the test vector of RFC 8291 passes its own values. Throws if `p256dh` is not
 * a point on the curve.
 */
export function encryptPayload(
  plaintext: Buffer,
  { p256dh, auth }: SubscriptionKeys,
  sender: ECDH = newKeyPair(),
  salt: Buffer = randomBytes(SALT_BYTES),
): Buffer {
  const senderKey = sender.getPublicKey();
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, senderKey]);
  const inputKey = hkdf(auth, sender.computeSecret(p256dh), keyInfo, 32);
  const key = hkdf(salt, inputKey, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = hkdf(salt, inputKey, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const header = Buffer.alloc(HEADER_BYTES);
  salt.copy(header);
  header.writeUInt32BE(RECORD_BYTES, SALT_BYTES);
  header.writeUInt8(PUBLIC_KEY_BYTES, SALT_BYTES + 4);
  senderKey.copy(header, SALT_BYTES + 5);
  return Buffer.concat([
    header,
    cipher.update(plaintext),
    cipher.update(DELIMITER),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** Returns a new key pair on the curve P-256. */
export function newKeyPair(): ECDH {
  const keyPair = createECDH(CURVE);
  keyPair.generateKeys();
  return keyPair;
}

/** HKDF (RFC 5869) for at most 32 bytes, which need only one block. */
function hkdf(salt: Buffer, input: Buffer, info: Buffer, length: number): Buffer {
  const prk = createHmac('sha256', salt).update(input).digest();
  return createHmac('sha256', prk)
    .update(info)
    .update(Buffer.from([1]))
    .digest()
    .subarray(0, length);
}
