import { createDecipheriv, createHmac, createPrivateKey, type KeyObject, pbkdf2Sync } from 'node:crypto';
import forge from 'node-forge';
import { Problem } from '#src/domain/problem.ts';
import { childrenOf, type Der, isSequence, octetsOf, oidOf, positiveIntegerOf, readDer, writeDer } from './der.ts';

/** Contents of a p12 file, in file order. Keys and certificates are not matched yet. */
export interface P12Contents {
  readonly certificates: Buffer[];
  readonly keys: KeyObject[];
}

/**
 * Maximum number of hash rounds for all encrypted parts of a file. The limit is needed because the file sets the count
 * and every round blocks this process. 100,000 rounds take at most one second. Apple's Keychain and OpenSSL use 2,048
 * rounds per part, Java's keytool 10,000.
 */
const ROUNDS_MAX = 100_000;
/** Minimum number of rounds charged for each part, which also limits the number of parts. */
const ROUNDS_PER_PART_MIN = 2_048;
/** Maximum length of a passphrase, because the cost of a round grows with the length. */
const PASSPHRASE_CHARACTERS_MAX = 1_024;

/** Object identifiers of the supported content types, bags and encryption schemes of PKCS #12 (RFC 7292). */
const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const KEY_BAG = '1.2.840.113549.1.12.10.1.1';
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3';
const SHA1_3DES = '1.2.840.113549.1.12.1.3';
const SHA1_RC2_40 = '1.2.840.113549.1.12.1.6';
const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';

interface MacDigest {
  readonly name: string;
  readonly bytes: number;
  readonly create: () => forge.md.MessageDigest;
}

const macDigests: Readonly<Record<string, MacDigest>> = {
  '1.3.14.3.2.26': { name: 'sha1', bytes: 20, create: forge.md.sha1.create },
  '2.16.840.1.101.3.4.2.1': { name: 'sha256', bytes: 32, create: forge.md.sha256.create },
  '2.16.840.1.101.3.4.2.2': { name: 'sha384', bytes: 48, create: () => forge.md.sha512.create('SHA-384') },
  '2.16.840.1.101.3.4.2.3': { name: 'sha512', bytes: 64, create: () => forge.md.sha512.create() },
};
const pbes2Ciphers: Readonly<Record<string, readonly [string, number]>> = {
  '1.2.840.113549.3.7': ['des-ede3-cbc', 24],
  '2.16.840.1.101.3.4.1.2': ['aes-128-cbc', 16],
  '2.16.840.1.101.3.4.1.22': ['aes-192-cbc', 24],
  '2.16.840.1.101.3.4.1.42': ['aes-256-cbc', 32],
};
const HMAC_SHA1 = '1.2.840.113549.2.7';
const pbkdf2Digests: Readonly<Record<string, string>> = {
  [HMAC_SHA1]: 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

/**
 * Opens a p12 file. Node's `pfx` option cannot be used, because OpenSSL 3 rejects the RC2-40 encryption that Apple's
 * Keychain uses. node-forge's own p12 parser cannot be used, because it does not limit the number of hash rounds.
 */
export function openP12(file: Buffer, passphrase: string): P12Contents {
  if (passphrase.length > PASSPHRASE_CHARACTERS_MAX)
    throw new Problem('bad-parameter', `app_secret is longer than ${PASSPHRASE_CHARACTERS_MAX} characters.`);
  try {
    return readP12(file, new P12Decryptor(passphrase));
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('bad-parameter', 'certificate is not a p12 file, or is incomplete. Export it again.');
  }
}

function readP12(file: Buffer, decryptor: P12Decryptor): P12Contents {
  const [, authSafe, mac] = childrenOf(readDer(file));
  const safe = octetsOf(contentOf(authSafe, DATA));
  if (mac) decryptor.verifyMac(mac, safe);
  const contents: P12Contents = { certificates: [], keys: [] };
  for (const info of childrenOf(readDer(safe)))
    for (const bag of childrenOf(decryptContent(info, decryptor))) readBag(bag, decryptor, contents);
  return contents;
}

function decryptContent(info: Der, decryptor: P12Decryptor): Der {
  if (oidOf(childrenOf(info)[0]) === DATA) return readDer(octetsOf(contentOf(info, DATA)));
  const [, encrypted] = childrenOf(contentOf(info, ENCRYPTED_DATA));
  const [, algorithm, ciphertext] = childrenOf(encrypted);
  return parseDecrypted(decryptor.decrypt(algorithm, octetsOf(ciphertext)), readDer);
}

/**
 * Parses decrypted data, and reports a wrong passphrase if parsing fails. About one wrong passphrase in 256 decrypts to
 * valid padding.
 */
function parseDecrypted<T>(plaintext: Buffer, read: (plaintext: Buffer) => T): T {
  try {
    return read(plaintext);
  } catch {
    throw wrongPassphrase();
  }
}

/** Adds the contents of a bag. Other kinds of bags (revocation lists, secrets) are skipped. */
function readBag(bag: Der, decryptor: P12Decryptor, { certificates, keys }: P12Contents): void {
  const [id, tagged] = childrenOf(bag);
  const kind = oidOf(id);
  const [value] = childrenOf(tagged);
  if (kind === CERTIFICATE_BAG) certificates.push(octetsOf(childrenOf(childrenOf(value)[1])[0]));
  if (kind === KEY_BAG && value) keys.push(readKey(writeDer(value)));
  if (kind === SHROUDED_KEY_BAG) {
    const [algorithm, ciphertext] = childrenOf(value);
    keys.push(parseDecrypted(decryptor.decrypt(algorithm, octetsOf(ciphertext)), readKey));
  }
}

const readKey = (pkcs8: Buffer): KeyObject => createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });

function contentOf(info: Der | undefined, type: string): Der | undefined {
  const [id, tagged] = childrenOf(info);
  if (oidOf(id) !== type) throw new Error('Unexpected content type.');
  return childrenOf(tagged)[0];
}

/** Decrypts with one passphrase, within a budget of hash rounds. */
class P12Decryptor {
  #passphrase: string | null;
  #roundsLeft = ROUNDS_MAX;

  constructor(passphrase: string) {
    this.#passphrase = passphrase;
  }

  verifyMac(mac: Der, content: Buffer): void {
    const [digestInfo, salt, iterations] = childrenOf(mac);
    const [algorithm, expected] = childrenOf(digestInfo);
    const digest = macDigests[oidOf(childrenOf(algorithm)[0])] ?? unsupported();
    const rounds = iterations ? positiveIntegerOf(iterations) : 1;
    // Programs encode a missing passphrase either as an empty string or as no bytes.
    for (const passphrase of this.#passphrase === '' ? ['', null] : [this.#passphrase]) {
      this.#passphrase = passphrase;
      this.#chargeRounds(rounds);
      const key = this.#derive(octetsOf(salt), 3, rounds, digest.bytes, digest);
      if (createHmac(digest.name, key).update(content).digest().equals(octetsOf(expected))) return;
    }
    throw wrongPassphrase();
  }

  decrypt(algorithm: Der | undefined, ciphertext: Buffer): Buffer {
    const [id, parameters] = childrenOf(algorithm);
    switch (oidOf(id)) {
      case PBES2:
        return this.#decryptPbes2(parameters, ciphertext);
      case SHA1_3DES: {
        const [key, iv] = this.#deriveKeyAndIv(parameters, 24);
        return decipher('des-ede3-cbc', key, iv, ciphertext);
      }
      case SHA1_RC2_40: {
        const [key, iv] = this.#deriveKeyAndIv(parameters, 5);
        return decipherRc2(key, iv, ciphertext);
      }
      default:
        return unsupported();
    }
  }

  #decryptPbes2(parameters: Der | undefined, ciphertext: Buffer): Buffer {
    const [derivation, encryption] = childrenOf(parameters);
    const [derivationId, derivationParameters] = childrenOf(derivation);
    const [salt, iterations, ...rest] = childrenOf(derivationParameters);
    const hmac = rest.find(isSequence);
    const digest = pbkdf2Digests[hmac ? oidOf(childrenOf(hmac)[0]) : HMAC_SHA1] ?? unsupported();
    const [cipherId, iv] = childrenOf(encryption);
    const [cipher, keyBytes] = pbes2Ciphers[oidOf(cipherId)] ?? unsupported();
    if (oidOf(derivationId) !== PBKDF2) unsupported();
    const rounds = positiveIntegerOf(iterations);
    this.#chargeRounds(rounds);
    const key = pbkdf2Sync(this.#passphrase ?? '', octetsOf(salt), rounds, keyBytes, digest);
    return decipher(cipher, key, octetsOf(iv), ciphertext);
  }

  /** Returns the key and initialisation vector for the older ciphers, which both have eight-byte blocks. */
  #deriveKeyAndIv(parameters: Der | undefined, keyBytes: number): readonly [Buffer, Buffer] {
    const [salt, iterations] = childrenOf(parameters);
    const rounds = positiveIntegerOf(iterations);
    this.#chargeRounds(rounds);
    return [this.#derive(octetsOf(salt), 1, rounds, keyBytes), this.#derive(octetsOf(salt), 2, rounds, 8)];
  }

  #derive(salt: Buffer, purpose: 1 | 2 | 3, rounds: number, bytes: number, digest?: MacDigest): Buffer {
    const salted = forge.util.createBuffer(salt.toString('latin1'));
    const derived = forge.pkcs12.generateKey(this.#passphrase, salted, purpose, rounds, bytes, digest?.create());
    return Buffer.from(derived.getBytes(), 'latin1');
  }

  #chargeRounds(rounds: number): void {
    this.#roundsLeft -= Math.max(rounds, ROUNDS_PER_PART_MIN);
    if (this.#roundsLeft < 0)
      throw new Problem(
        'bad-parameter',
        `The p12 file in certificate requires more than ${ROUNDS_MAX} rounds of hashing, or has too many parts. Export it again with Keychain Access or openssl.`,
      );
  }
}

function decipher(cipher: string, key: Buffer, iv: Buffer, ciphertext: Buffer): Buffer {
  const decryption = createDecipheriv(cipher, key, iv);
  try {
    return Buffer.concat([decryption.update(ciphertext), decryption.final()]);
  } catch {
    throw wrongPassphrase();
  }
}

function decipherRc2(key: Buffer, iv: Buffer, ciphertext: Buffer): Buffer {
  const decryption = forge.rc2.createDecryptionCipher(key.toString('latin1'), 40);
  decryption.start(iv.toString('latin1'));
  decryption.update(forge.util.createBuffer(ciphertext.toString('latin1')));
  if (!decryption.finish()) throw wrongPassphrase();
  return Buffer.from(decryption.output.getBytes(), 'latin1');
}

function wrongPassphrase(): Problem {
  return new Problem('bad-parameter', 'app_secret is not the passphrase of the p12 file in certificate.');
}

function unsupported(): never {
  throw new Problem(
    'bad-parameter',
    'The p12 file in certificate uses an unsupported encryption algorithm. Export it again with Keychain Access or `openssl pkcs12 -export`.',
  );
}
