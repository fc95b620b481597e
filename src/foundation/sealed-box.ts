import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const VERSION = 1;

/** Master keys by ID. The first key seals and all keys open, so that keys can be rotated one by one. */
export interface Keyring {
  /** The name of the setting that contains the keys. */
  readonly name: string;
  readonly sealingKeyId: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

/** Parses the value of a setting: `id:base64 id:base64 …`. Each key has 32 bytes. */
export function parseKeyring(name: string, text: string): Keyring {
  const keys = new Map<string, Buffer>();
  for (const entry of text.split(/\s+/).filter(Boolean)) {
    const [id, encoded] = entry.split(':');
    const key = Buffer.from(encoded ?? '', 'base64');
    if (!id || Buffer.byteLength(id) > 32 || key.length !== KEY_BYTES)
      throw new Error('A master key must have the form `id:base64` and decode to 32 bytes.');
    // Otherwise the second key would silently replace the first, and secrets sealed under the first key could not be
    // opened.
    if (keys.has(id))
      throw new Error(`Two master keys have the id ${JSON.stringify(id)}. Give the newer one another id.`);
    keys.set(id, key);
  }
  const [sealingKeyId] = keys.keys();
  if (sealingKeyId === undefined) throw new Error('No master key is set.');
  return { name, sealingKeyId, keys };
}

/**
 * Seals a secret for one row. `context` identifies the row, and the box opens only with the same context, so that a
 * ciphertext copied to another row is useless. A new data key encrypts the secret and the master key encrypts the data
 * key, so rotating master keys does not change the encrypted secrets.
 *
 * Layout: version, length of key ID, key ID, sealed data key, sealed secret. Each sealed part is nonce, tag,
 * ciphertext.
 */
export function seal(keyring: Keyring, context: string, secret: string): Buffer {
  const { sealingKeyId } = keyring;
  const masterKey = keyring.keys.get(sealingKeyId) as Buffer;
  const dataKey = randomBytes(KEY_BYTES);
  return encodeBox(sealingKeyId, encrypt(masterKey, context, dataKey), encrypt(dataKey, context, Buffer.from(secret)));
}

export function open(keyring: Keyring, context: string, box: Buffer): string {
  const { masterKey, sealedKey, sealedSecret } = decodeBox(keyring, box);
  const dataKey = decrypt(masterKey, context, sealedKey);
  return decrypt(dataKey, context, sealedSecret).toString();
}

/**
 * Returns the box resealed with the current master key, or undefined if it is already sealed with that key. Only the
 * data key is encrypted again; the secret is not decrypted.
 */
export function reseal(keyring: Keyring, context: string, box: Buffer): Buffer | undefined {
  const { keyId, masterKey, sealedKey, sealedSecret } = decodeBox(keyring, box);
  // Decrypts before the IDs are compared, because a box that was sealed by another key with the same ID must be
  // rejected.
  const dataKey = decrypt(masterKey, context, sealedKey);
  if (keyId === keyring.sealingKeyId) return undefined;
  const sealingKey = keyring.keys.get(keyring.sealingKeyId) as Buffer;
  return encodeBox(keyring.sealingKeyId, encrypt(sealingKey, context, dataKey), sealedSecret);
}

function encodeBox(keyId: string, sealedKey: Buffer, sealedSecret: Buffer): Buffer {
  return Buffer.concat([Buffer.from([VERSION, Buffer.byteLength(keyId)]), Buffer.from(keyId), sealedKey, sealedSecret]);
}

function decodeBox(keyring: Keyring, box: Buffer) {
  const [version, idLength = 0] = box;
  if (version !== VERSION) throw new Error('The sealed box has an unknown version.');
  const keyId = box.subarray(2, 2 + idLength).toString();
  const masterKey = keyring.keys.get(keyId);
  if (!masterKey)
    throw new Error(`Master key ${JSON.stringify(keyId)} is not in the settings. Add it to ${keyring.name}.`);
  const sealedKeyEnd = 2 + idLength + NONCE_BYTES + TAG_BYTES + KEY_BYTES;
  return {
    keyId,
    masterKey,
    sealedKey: box.subarray(2 + idLength, sealedKeyEnd),
    sealedSecret: box.subarray(sealedKeyEnd),
  };
}

function encrypt(key: Buffer, context: string, plaintext: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

function decrypt(key: Buffer, context: string, sealed: Buffer): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}
