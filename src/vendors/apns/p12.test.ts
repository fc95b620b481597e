import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import forge from 'node-forge';
import { Problem } from '#src/domain/problem.ts';
import {
  exportP12,
  issueCertificate,
  KEYCHAIN_OPTIONS,
  skipWithoutOpenssl,
} from '../../../test/vendors/apns-test-certificates.ts';
import { openP12 } from './p12.ts';

/** The longest time a rejection can take on a busy machine. Eight million rounds take several times as long. */
const IMMEDIATE_MS_MAX = 1_000;
const PASSPHRASE = 'canary-passphrase';
const issued = issueCertificate();
/**
 * Options for a file without a MAC. Their order matters, because openssl applies the options in sequence and one option
 * can change the effect of another.
 */
const WITHOUT_MAC = '-nomac -certpbe AES-256-CBC'.split(' ');
const needsOpenssl = { skip: skipWithoutOpenssl };

function assertOpens(file: Buffer, passphrase: string): void {
  const { certificates, keys } = openP12(file, passphrase);
  assert.deepEqual(
    certificates.map((each) => new X509Certificate(each).toString()),
    [issued.pem],
  );
  assert.equal(keys.length, 1);
  assert.ok(keys[0]?.equals(createPrivateKey(issued.keys.privatePem)));
}

function refusalOf(file: Buffer, passphrase: string): string {
  const start = performance.now();
  let refusal: unknown;
  try {
    openP12(file, passphrase);
  } catch (error) {
    refusal = error;
  }
  assert.ok(refusal instanceof Problem, `not rejected: ${refusal}`);
  assert.equal(refusal.problem, 'bad-parameter');
  assert.ok(!refusal.message.includes('canary'), 'the error quotes the passphrase');
  assert.equal(refusal.cause, undefined);
  assert.ok(performance.now() - start < IMMEDIATE_MS_MAX);
  return refusal.message;
}

/** Returns the node at a path of child indexes. */
function nodeAt(from: forge.asn1.Asn1, ...path: readonly number[]): forge.asn1.Asn1 {
  return path.reduce((piece, at) => (piece.value as forge.asn1.Asn1[])[at] as forge.asn1.Asn1, from);
}

describe('supported p12 files', () => {
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ['exported by Keychain Access', KEYCHAIN_OPTIONS],
    ['exported by a current openssl', []],
    ['exported by an older openssl', ['-legacy']],
    ['with AES-128 and SHA-512', '-keypbe AES-128-CBC -certpbe AES-128-CBC -macalg sha512'.split(' ')],
    ['with AES-192 and SHA-384', '-keypbe AES-192-CBC -certpbe AES-192-CBC -macalg sha384'.split(' ')],
    ['with 3DES for the key and the certificate', '-legacy -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES'.split(' ')],
    ['unencrypted, with a MAC', '-keypbe NONE -certpbe NONE'.split(' ')],
    ['without a MAC', WITHOUT_MAC],
    ['with as many rounds as Java keytool uses', ['-iter', '10000']],
  ];
  for (const [how, options] of kinds) {
    test(how, needsOpenssl, () => {
      assertOpens(exportP12(issued, PASSPHRASE, options), PASSPHRASE);
      assertOpens(exportP12(issued, 'Schlüssel 🔔', options), 'Schlüssel 🔔');
      assertOpens(exportP12(issued, '', options), '');
    });
  }

  for (const algorithm of ['3des', 'aes256'] as const) {
    for (const passphrase of [PASSPHRASE, '', null]) {
      test(`created by node-forge with ${algorithm} and ${passphrase === null ? 'no' : `"${passphrase}" as`} passphrase`, () => {
        const key = forge.pki.privateKeyFromPem(issued.keys.privatePem) as forge.pki.rsa.PrivateKey;
        const certificate = forge.pki.certificateFromPem(issued.pem);
        const file = forge.pkcs12.toPkcs12Asn1(key, certificate, passphrase, { algorithm });
        assertOpens(Buffer.from(forge.asn1.toDer(file).getBytes(), 'latin1'), passphrase ?? '');
      });
    }
  }
});

describe('rejected p12 files', () => {
  for (const [kind, options] of [
    ['Keychain file', KEYCHAIN_OPTIONS],
    ['openssl file', []],
    ['file without a MAC', WITHOUT_MAC],
  ] as const) {
    test(`${kind}: reports a wrong passphrase`, needsOpenssl, () => {
      const file = exportP12(issued, PASSPHRASE, options);
      for (const passphrase of ['canary', '', 'x'.repeat(1_024)])
        assert.match(refusalOf(file, passphrase), /app_secret is not the passphrase/);
    });
  }

  test('file without a MAC: reports each of many wrong passphrases', needsOpenssl, () => {
    // About one wrong passphrase in 256 decrypts to valid padding.
    const file = exportP12(issued, PASSPHRASE, ['-iter', '1', ...WITHOUT_MAC]);
    for (let i = 0; i < 1_500; i++) assert.match(refusalOf(file, `${i}`), /app_secret is not the passphrase/);
  });

  test('passphrase of more than 1,024 characters', () => {
    assert.match(refusalOf(Buffer.from('300100', 'hex'), 'x'.repeat(1_025)), /longer than 1024/);
  });

  test('unsupported encryption algorithm', needsOpenssl, () => {
    const options = '-legacy -keypbe PBE-SHA1-RC4-128 -certpbe PBE-SHA1-RC4-128'.split(' ');
    assert.match(refusalOf(exportP12(issued, PASSPHRASE, options), PASSPHRASE), /openssl pkcs12 -export/);
  });

  /** The DER encoding of 70,000, and of a larger number with the same length. */
  const [declaredRounds, excessiveRounds] = ['0203011170', '02037fffff'];
  for (const [where, options] of [
    ['for the MAC', '-keypbe NONE -certpbe NONE'],
    ['for the certificate', '-nomac -keypbe NONE -certpbe AES-256-CBC'],
    ['for the key', '-nomac -certpbe NONE'],
    ['for a certificate encrypted with RC2', '-nomac -keypbe NONE -legacy -certpbe PBE-SHA1-RC2-40'],
    ['for a key encrypted with 3DES', '-nomac -certpbe NONE -legacy -keypbe PBE-SHA1-3DES'],
  ] as const) {
    test(`eight million rounds ${where}, rejected before any hashing`, needsOpenssl, () => {
      const hex = exportP12(issued, PASSPHRASE, ['-iter', '70000', ...options.split(' ')]).toString('hex');
      assert.equal(hex.split(declaredRounds).length - 1, 1, 'the count occurs once');
      const file = Buffer.from(hex.replaceAll(declaredRounds, excessiveRounds), 'hex');
      assert.match(refusalOf(file, PASSPHRASE), /more than 100000 rounds/);
    });
  }

  test('parts that require too many rounds in total', needsOpenssl, () => {
    const file = exportP12(issued, PASSPHRASE, ['-iter', '60000', ...WITHOUT_MAC]);
    assert.throws(() => openP12(file, PASSPHRASE), /more than 100000 rounds/);
  });

  test('hundreds of parts', needsOpenssl, () => {
    const pfx = forge.asn1.fromDer(exportP12(issued, PASSPHRASE, ['-iter', '1', ...WITHOUT_MAC]).toString('latin1'));
    const octets = nodeAt(pfx, 1, 1, 0);
    const safe = forge.asn1.fromDer(octets.value as string);
    safe.value = new Array<forge.asn1.Asn1>(300).fill(nodeAt(safe, 0));
    octets.value = forge.asn1.toDer(safe).getBytes();
    const file = Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1');
    assert.match(refusalOf(file, PASSPHRASE), /too many parts/);
  });

  test('data that is not a p12 file', () => {
    const others = [
      '',
      'hello',
      '\x30',
      '\x30\x00',
      '\x30\x80',
      '\x30\x84\xff\xff\xff\xff',
      '\x30\x80'.repeat(10_000),
      '\x24\x80'.repeat(10_000),
      new X509Certificate(issued.pem).raw.toString('latin1'),
    ];
    for (const bytes of others) assert.match(refusalOf(Buffer.from(bytes, 'latin1'), ''), /not a p12 file/);
  });

  test('file truncated or damaged at any position causes no error other than a Problem', needsOpenssl, () => {
    const whole = exportP12(issued, PASSPHRASE, ['-iter', '1', ...KEYCHAIN_OPTIONS]);
    for (let at = 0; at < whole.length; at += 41) refusalOf(whole.subarray(0, at), PASSPHRASE);
    const unguarded = exportP12(issued, PASSPHRASE, [
      '-iter',
      '1',
      '-nomac',
      ...KEYCHAIN_OPTIONS.filter((option) => option !== '-nomaciter'),
    ]);
    for (let at = 0; at < unguarded.length; at += 3) {
      const damaged = Buffer.from(unguarded);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x55, at);
      try {
        openP12(damaged, PASSPHRASE);
      } catch (error) {
        assert.ok(error instanceof Problem, `at ${at}: ${error}`);
      }
    }
  });
});
