import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Environment } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import {
  authorityPem,
  exportP12,
  fakeKeys,
  type IssuedCertificate,
  issueCertificate,
  KEYCHAIN_OPTIONS,
  NOW,
  newKeys,
  PRODUCTION,
  SANDBOX,
  skipWithoutOpenssl,
  TOPICS,
} from '../../../test/vendors/apns-test-certificates.ts';
import type { CertificateInput, CheckedCertificate } from '../vendor.ts';
import { checkApnsCertificate } from './credentials.ts';

const PASSPHRASE = 'canary-passphrase';
const needsOpenssl = { skip: skipWithoutOpenssl };
const issued = issueCertificate();
const pemOf = ({ pem, keys }: IssuedCertificate) => `${pem}${keys.privatePem}`;

const check = (input: Partial<CertificateInput>, environment: Environment = 1): CheckedCertificate =>
  checkApnsCertificate({ vendorAppId: '', appKey: '', appSecret: '', certificate: '', ...input }, environment, NOW);

function refusalOf(input: Partial<CertificateInput>, environment: Environment = 1): string {
  let refusal: unknown;
  try {
    check(input, environment);
  } catch (error) {
    refusal = error;
  }
  assert.ok(refusal instanceof Problem, `not rejected: ${refusal}`);
  assert.equal(refusal.problem, 'bad-parameter');
  assert.equal(refusal.cause, undefined);
  for (const line of `${input.appSecret}\n${input.certificate}`.split('\n'))
    assert.ok(line.length < 8 || !refusal.message.includes(line), 'the error quotes a secret');
  return refusal.message;
}

describe('a push certificate', () => {
  test('from the Keychain is stored as PEM without its passphrase, and sets the bundle ID', needsOpenssl, () => {
    const p12 = exportP12(issued, PASSPHRASE, KEYCHAIN_OPTIONS).toString('base64');
    const checked = check({ certificate: p12, appSecret: PASSPHRASE, appKey: 'nothing' });
    assert.deepEqual(checked, {
      vendorAppId: 'com.example.bells',
      appKey: '',
      appSecret: '',
      certificate: pemOf(issued),
      expiresAt: new X509Certificate(issued.pem).validToDate,
    });
    assert.equal(checked.expiresAt?.toISOString(), '2027-12-05T12:00:00.000Z');
  });

  test('can be base64 with line breaks, as command-line tools print it', needsOpenssl, () => {
    const p12 = exportP12(issued, PASSPHRASE).toString('base64');
    const certificate = ` ${p12.replaceAll(/.{64}/g, '$&\r\n')}\n`;
    assert.equal(check({ certificate, appSecret: PASSPHRASE }).certificate, pemOf(issued));
  });

  test('is stored with its issuers, in order and without unrelated certificates', needsOpenssl, () => {
    const stranger = issueCertificate({ keys: newKeys() }).pem;
    for (const order of [
      [stranger, authorityPem],
      [authorityPem, stranger],
    ]) {
      const all = { ...issued, pem: `${order[0]}${issued.pem}${order[1]}` };
      const expected = `${issued.pem}${authorityPem}${issued.keys.privatePem}`;
      assert.equal(check({ certificate: pemOf(all) }).certificate, expected);
      const p12 = exportP12(all, PASSPHRASE).toString('base64');
      assert.equal(check({ certificate: p12, appSecret: PASSPHRASE }).certificate, expected);
    }
  });

  test('can be PEM with the text that openssl writes between the blocks', () => {
    const rsaKey = createPrivateKey(issued.keys.privatePem).export({ type: 'pkcs1', format: 'pem' });
    const certificate = `Bag Attributes\n    friendlyName: ENCRYPTED\n${rsaKey}subject=/UID=x\n${issued.pem}`;
    assert.equal(check({ certificate: certificate.replaceAll('\n', '\r\n') }).certificate, pemOf(issued));
  });

  test('can occur twice in the file', () => {
    assert.equal(check({ certificate: `${issued.pem}${pemOf(issued)}` }).vendorAppId, 'com.example.bells');
  });

  const topics: readonly (readonly [string, string])[] = [
    ['com.example.bells', 'com.example.bells'],
    [' com.example.bells\n', 'com.example.bells'],
    ['com.example.bells.voip', 'com.example.bells.voip'],
  ];
  for (const [input, stored] of topics) {
    test(`accepts app_id ${JSON.stringify(input)}`, () => {
      assert.equal(check({ certificate: pemOf(issued), vendorAppId: input }).vendorAppId, stored);
    });
  }

  test('rejects an app_id that is not one of its topics', () => {
    for (const vendorAppId of ['com.example.other', 'app', 'com.example', 'COM.EXAMPLE.BELLS'])
      assert.match(refusalOf({ certificate: pemOf(issued), vendorAppId }), /like com\.example\.bells/);
    const single = pemOf(issueCertificate({ extensions: PRODUCTION }));
    assert.match(refusalOf({ certificate: single, vendorAppId: 'com.example.bells.voip' }), /app_id/);
  });

  const environments: readonly (readonly [string, Record<string, string>, readonly Environment[]])[] = [
    ['both environment extensions', { ...SANDBOX, ...PRODUCTION, ...TOPICS }, [0, 1]],
    ['no extension', {}, [0, 1]],
    ['only the topics extension', TOPICS, [0, 1]],
    ['the development extension', SANDBOX, [0]],
    ['the production extension', PRODUCTION, [1]],
  ];
  for (const [what, marks, good] of environments) {
    test(`with ${what} is accepted for environment ${good.join(' and ')}`, () => {
      const certificate = pemOf(issueCertificate({ extensions: marks }));
      for (const environment of [0, 1] as const) {
        if (good.includes(environment)) assert.ok(check({ certificate }, environment));
        else
          assert.match(
            refusalOf({ certificate }, environment),
            environment === 1 ? /development only/ : /production only/,
          );
      }
    });
  }

  test('is accepted only during its validity period', () => {
    const certificate = (from: number, to: number) => pemOf(issueCertificate({ validDays: [from, to] }));
    assert.ok(check({ certificate: certificate(0, 1) }));
    assert.match(refusalOf({ certificate: certificate(-10, 0) }), /expired on 2026-11-15/);
    assert.match(refusalOf({ certificate: certificate(-10, -9) }), /expired on 2026-11-06/);
    assert.match(refusalOf({ certificate: certificate(1, 9) }), /not valid before 2026-11-16/);
  });

  const ec = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
  const locked = createPrivateKey(issued.keys.privatePem).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: PASSPHRASE,
  });
  const bad: readonly (readonly [string, () => string, RegExp])[] = [
    ['without its key', () => issued.pem, /no private key/],
    ['with the key of another certificate', () => `${issued.pem}${newKeys().privatePem}`, /belongs to another/],
    ['with a key of another type', () => `${issued.pem}${ec}`, /belongs to another/],
    ['with an encrypted key', () => `${issued.pem}${locked}`, /encrypted with a passphrase/],
    ['with a damaged key', () => `${issued.pem}${issued.keys.privatePem.replace('MII', 'MMM')}`, /cannot be read/],
    ['if it is damaged', () => pemOf({ ...issued, pem: issued.pem.replace('MII', 'MMM') }), /cannot be read/],
    [
      'together with another certificate and its key',
      () => pemOf(issued) + pemOf(issueCertificate({ keys: newKeys() })),
      /Export only one/,
    ],
    ['with a weak key', () => pemOf(issueCertificate({ keys: newKeys(1_024) })), /cannot be used for TLS/],
    ['with an oversized key', () => pemOf(issueCertificate({ keys: fakeKeys(16_384) })), /cannot be used for TLS/],
    ['in a file with more than 20 certificates', () => pemOf(issued) + issued.pem.repeat(20), /Export only one/],
    ['without a bundle ID in its subject', () => pemOf(issueCertificate({ uid: '' })), /not an Apple push certificate/],
    [
      'with an invalid bundle ID',
      () => pemOf(issueCertificate({ uid: 'bells & more' })),
      /not an Apple push certificate/,
    ],
    [
      'with an invalid list of topics',
      () => pemOf(issueCertificate({ extensions: { ...TOPICS_DAMAGED } })),
      /cannot be read/,
    ],
    ['in an unknown format', () => 'my certificate!', /in base64/],
    ['as base64 of other data', () => Buffer.from('hello').toString('base64'), /not a p12 file/],
    ['as base64 of PEM', () => Buffer.from(pemOf(issued)).toString('base64'), /not a p12 file/],
    ['if it is blank', () => ' ', /certificate is required/],
  ];
  for (const [what, certificate, words] of bad) {
    test(`is rejected ${what}`, () => {
      assert.match(refusalOf({ certificate: certificate(), appSecret: PASSPHRASE }), words);
    });
  }

  test('is rejected with an error about app_secret if the passphrase is wrong', needsOpenssl, () => {
    const certificate = exportP12(issued, PASSPHRASE, KEYCHAIN_OPTIONS).toString('base64');
    assert.match(refusalOf({ certificate, appSecret: 'canary-other' }), /app_secret is not the passphrase/);
    assert.match(refusalOf({ certificate }), /app_secret is not the passphrase/);
  });

  test('is rejected if the p12 file contains only a certificate', needsOpenssl, () => {
    const certificate = exportP12(issued, PASSPHRASE, ['-nokeys']).toString('base64');
    assert.match(refusalOf({ certificate, appSecret: PASSPHRASE }), /together with its key/);
  });

  test('with many incomplete PEM blocks is rejected within 500 ms', () => {
    const start = performance.now();
    refusalOf({ certificate: '-----BEGIN CERTIFICATE-----\n'.repeat(2_000) });
    refusalOf({ certificate: `-----BEGIN ${'A'.repeat(60_000)}` });
    refusalOf({ certificate: `-----BEGIN A-----${'A'.repeat(60_000)}` });
    assert.ok(performance.now() - start < 500);
  });
});

const TOPICS_DAMAGED = { '1.2.840.113635.100.6.3.6': 'hello' };

describe('a p8 key', () => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const p8 = keys.export({ type: 'pkcs8', format: 'pem' }).toString();
  const good = { vendorAppId: 'com.example.bells', appKey: 'KEYID00001', appSecret: 'TEAMID0001', certificate: p8 };

  test('is stored with its ids, and never expires', () => {
    assert.deepEqual(check(good), { ...good, expiresAt: null });
  });

  test('is stored in one format, however it was copied', () => {
    const sec1 = keys.export({ type: 'sec1', format: 'pem' });
    for (const certificate of [
      `\n  ${p8}`,
      p8.replaceAll('\n', '\r\n'),
      `AuthKey_KEYID00001.p8:\n${p8}`,
      sec1.toString(),
    ])
      assert.deepEqual(check({ ...good, certificate, appKey: ' KEYID00001\n' }), { ...good, expiresAt: null });
  });

  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
  const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  const bad: readonly (readonly [string, Partial<CertificateInput>, RegExp])[] = [
    ['without a bundle ID', { vendorAppId: '' }, /app_id is required: the app's bundle ID/],
    ['with an invalid bundle ID', { vendorAppId: 'com/example' }, /app_id must be the app's bundle ID/],
    ['without a key ID', { appKey: '' }, /app_key is required: the Key ID/],
    ['with a key ID in lower case', { appKey: 'keyid00001' }, /app_key must be ten capital letters/],
    ['with a key ID of eleven characters', { appKey: 'KEYID000011' }, /app_key must be ten/],
    ['without a team ID', { appSecret: ' ' }, /app_secret is required: the Team ID/],
    ['with a secret instead of the team ID', { appSecret: 'canary-secret' }, /app_secret must be ten/],
    ['on another curve', { certificate: p384.export({ type: 'pkcs8', format: 'pem' }).toString() }, /\.p8 file/],
    ['of type RSA', { certificate: issued.keys.privatePem }, /\.p8 file/],
    ['that is public', { certificate: publicKey.export({ type: 'spki', format: 'pem' }).toString() }, /\.p8 file/],
    ['next to another key', { certificate: `${p8}${p8}` }, /\.p8 file/],
    ['that is truncated', { certificate: p8.slice(0, -30) }, /\.p8 file/],
    ['that is damaged', { certificate: p8.replace('MIG', 'MMM') }, /cannot be read/],
  ];
  for (const [what, change, words] of bad) {
    test(`${what} is rejected`, () => {
      assert.match(refusalOf({ ...good, ...change }), words);
    });
  }
});
