import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import type { VendorAccount } from '../vendor.ts';
import { fcmCredentials, fcmTokenSource } from './credentials.ts';

const NOW = new Date('2026-11-15T12:00:00.500Z');
const NOW_SECONDS = 1_794_744_000;
const TOKEN_URI = 'https://oauth2.googleapis.com/token';

const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const pemOf = (type: 'pkcs8' | 'pkcs1') => keys.privateKey.export({ type, format: 'pem' }).toString();

const file = (change: object = {}) =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'bells-1',
    private_key_id: 'key-1',
    private_key: pemOf('pkcs8'),
    client_email: 'bells@bells-1.iam.gserviceaccount.com',
    token_uri: TOKEN_URI,
    ...change,
  });

const account = (certificate = file()): VendorAccount => ({
  appId: 'app-1',
  environment: 1,
  vendorAppId: 'bells-1',
  appKey: 'bells@bells-1.iam.gserviceaccount.com',
  appSecret: '',
  certificate,
  version: 1,
});

function sourceOf(certificate?: string) {
  const source = fcmTokenSource(account(certificate));
  assert.equal(source.kind, 'requested');
  return source;
}

async function assertionOf(certificate?: string): Promise<string> {
  const { body } = await sourceOf(certificate).toRequest(NOW);
  return new URLSearchParams(body).get('assertion') ?? '';
}

test('requests use the stored project and the access token', () => {
  assert.deepEqual(fcmCredentials(account(), 'ya29.x'), { projectId: 'bells-1', accessToken: 'ya29.x' });
});

describe('access token request', () => {
  test('is a form with an assertion', async () => {
    const { path, headers, body } = await sourceOf().toRequest(NOW);
    assert.equal(path, '/token');
    assert.deepEqual(headers, { 'content-type': 'application/x-www-form-urlencoded' });
    const form = [...new URLSearchParams(body)];
    assert.deepEqual(
      form.map(([name]) => name),
      ['grant_type', 'assertion'],
    );
    assert.equal(form[0]?.[1], 'urn:ietf:params:oauth:grant-type:jwt-bearer');
  });

  test('has an assertion signed with the key of the file and valid for an hour', async () => {
    const assertion = await assertionOf();
    assert.deepEqual(decodeProtectedHeader(assertion), { alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    const { payload } = await jwtVerify(assertion, keys.publicKey, { currentDate: NOW });
    assert.deepEqual(payload, {
      iss: 'bells@bells-1.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
      aud: TOKEN_URI,
      iat: NOW_SECONDS,
      exp: NOW_SECONDS + 3_600,
    });
  });

  test('uses the token_uri of the file as its audience, but not as its URL', async () => {
    const certificate = file({ token_uri: 'https://169.254.169.254/steal' });
    const { path } = await sourceOf(certificate).toRequest(NOW);
    assert.equal(path, '/token');
    const { payload } = await jwtVerify(await assertionOf(certificate), keys.publicKey, { currentDate: NOW });
    assert.equal(payload.aud, 'https://169.254.169.254/steal');
  });

  test('uses Google as its audience if the file has no token_uri', async () => {
    const certificate = file({ token_uri: undefined, private_key_id: undefined });
    const assertion = await assertionOf(certificate);
    const { payload } = await jwtVerify(assertion, keys.publicKey, { currentDate: NOW });
    assert.equal(payload.aud, TOKEN_URI);
    assert.deepEqual(decodeProtectedHeader(assertion), { alg: 'RS256', typ: 'JWT' });
  });

  test('accepts a key in PKCS #1 format', async () => {
    const assertion = await assertionOf(file({ private_key: pemOf('pkcs1') }));
    await jwtVerify(assertion, keys.publicKey, { currentDate: NOW });
  });

  test('is shared by all accounts with the same file', () => {
    assert.deepEqual(sourceOf().cacheKeyParts, [file()]);
  });

  for (const [what, certificate] of [
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['no key', file({ private_key: undefined })],
    ['a truncated key', file({ private_key: pemOf('pkcs8').slice(0, 200) })],
  ] as const)
    test(`is rejected if the file contains ${what}`, () => assert.rejects(assertionOf(certificate)));
});

describe('access token response', () => {
  const answerTo = (status: number, body: string, headers = {}) => sourceOf().toToken({ status, headers, body });
  const refusal = (error: string, error_description?: string) => JSON.stringify({ error, error_description });

  test('contains a token and its lifetime', () => {
    const body = '{"access_token":"ya29.x","expires_in":3599,"token_type":"Bearer"}';
    assert.deepEqual(answerTo(200, body), { token: 'ya29.x', lifetimeSeconds: 3_599 });
  });

  const endings = ['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope', 'disabled_client'];
  for (const error of endings)
    test(`${error} means that an operator must act`, () => {
      for (const status of [400, 401, 403])
        assert.deepEqual(answerTo(status, refusal(error)), { kind: 'locked-out', reason: error });
    });

  test('includes a shortened error description', () => {
    assert.deepEqual(answerTo(400, refusal('invalid_grant', 'Invalid JWT Signature.')), {
      kind: 'locked-out',
      reason: 'invalid_grant: Invalid JWT Signature.',
    });
    const { reason } = answerTo(400, refusal('invalid_grant', 'x'.repeat(5_000))) as { reason: string };
    assert.ok(reason.length < 300);
  });

  test('can throttle the account', () => {
    const throttledFor = (retryAfterSeconds: number) => ({ kind: 'throttled', retryAfterSeconds, account: true });
    assert.deepEqual(answerTo(429, ''), throttledFor(60));
    assert.deepEqual(answerTo(429, refusal('rate_limit_exceeded'), { 'retry-after': '7' }), throttledFor(7));
    assert.deepEqual(answerTo(503, '<html>', { 'retry-after': '7' }), throttledFor(7));
  });

  const nonsense: readonly (readonly [number, string])[] = [
    [200, ''],
    [200, 'null'],
    [200, '<html>Welcome</html>'],
    [200, '{"access_token":"","expires_in":3599}'],
    [200, '{"access_token":"a\\r\\nb","expires_in":3599}'],
    [200, '{"access_token":"ya29.x"}'],
    [200, '{"access_token":"ya29.x","expires_in":0}'],
    [200, '{"access_token":7,"expires_in":3599}'],
    [302, ''],
    [400, '<html>'],
    [400, '{"error":{"code":400}}'],
    [404, ''],
    [500, '{"access_token":"ya29.x","expires_in":3599}'],
    [503, ''],
  ];
  for (const [status, body] of nonsense)
    test(`${status} ${body || '(nothing)'} counts as unreachable`, () => {
      assert.deepEqual(answerTo(status, body), { kind: 'unreachable', reason: `no access token: HTTP ${status}` });
    });

  test('with the error invalid_request counts as unreachable', () => {
    assert.deepEqual(answerTo(400, refusal('invalid_request')), {
      kind: 'unreachable',
      reason: 'no access token: invalid_request',
    });
  });
});
