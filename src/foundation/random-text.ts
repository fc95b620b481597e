import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Returns random letters and digits with `bits` bits of entropy, which are safe in headers, URLs and MQTT user names.
 */
export function randomText(bits: number): string {
  const length = Math.ceil(bits / Math.log2(ALPHABET.length));
  let value = BigInt(`0x${randomBytes(Math.ceil(bits / 8) + 8).toString('hex')}`);
  let text = '';
  for (let i = 0; i < length; i++) {
    text += ALPHABET[Number(value % 62n)];
    value /= 62n;
  }
  return text;
}

/**
 * Appends a checksum of six characters, which distinguishes a mistyped or truncated token from an unknown token without
 * a database query.
 */
export function withChecksum(text: string): string {
  return text + checksumOf(text);
}

export function hasChecksum(text: string): boolean {
  return text.length > CHECKSUM_LENGTH && withChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text;
}

const CHECKSUM_LENGTH = 6;

function checksumOf(text: string): string {
  let value = crc32(text);
  let checksum = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    checksum += ALPHABET[value % 62];
    value = Math.floor(value / 62);
  }
  return checksum;
}
