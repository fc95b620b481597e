import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto';

const SALT_BYTES = 16;
const TAG_BYTES = 16;
const PADDING_DELIMITER = 2;

/** Decrypts a message of one record (RFC 8188 and RFC 8291). Returns undefined if a browser could not decrypt it. */
export function decrypt(body: Buffer, keys: ECDH, auth: Buffer): Buffer | undefined {
  if (body.length < SALT_BYTES + 5) return undefined;
  const salt = body.subarray(0, SALT_BYTES);
  const recordBytes = body.readUInt32BE(SALT_BYTES);
  const keyEnd = SALT_BYTES + 5 + body.readUInt8(SALT_BYTES + 4);
  const senderKey = body.subarray(SALT_BYTES + 5, keyEnd);
  const record = body.subarray(keyEnd);
  if (record.length > recordBytes || record.length <= TAG_BYTES) return undefined;
  try {
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey]);
    const inputKey = Buffer.from(hkdfSync('sha256', keys.computeSecret(senderKey), auth, info, 32));
    const derive = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', inputKey, salt, `Content-Encoding: ${name}\0`, length));
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    decipher.setAuthTag(record.subarray(-TAG_BYTES));
    return withoutPadding(Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]));
  } catch {
    return undefined; // a wrong key, a changed byte, or a key that is not a point on the curve
  }
}

/** Removes the delimiter of the last record and the zeros after it. */
function withoutPadding(plain: Buffer): Buffer | undefined {
  const end = plain.findLastIndex((byte) => byte !== 0);
  return plain[end] === PADDING_DELIMITER ? plain.subarray(0, end) : undefined;
}
