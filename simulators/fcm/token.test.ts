import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { HttpsClient } from '../kit/test-client.ts';
import { type FcmSimulator, startFcmSimulator } from './simulator.ts';
import { type AssertionChanges, FORM_HEADERS, formOf, openConnection, post, signAssertion } from './test-client.ts';

let simulator: FcmSimulator;
let client: HttpsClient;

before(async () => {
  simulator = await startFcmSimulator({ tokenLifeSeconds: 1234 });
  client = new HttpsClient(simulator.caPem);
});
after(async () => {
  await client[Symbol.asyncDispose]();
  await simulator.stop();
});

const ask = (body: string, headers: Record<string, string> = FORM_HEADERS) =>
  client.post(`${simulator.tokenUrl}/token`, body, headers);
const askWith = (spoil: AssertionChanges) => ask(formOf(signAssertion(simulator.certificate, spoil)));
const seconds = () => Math.floor(Date.now() / 1000);

test('provides a service account file whose token_uri is the simulator’s token endpoint', () => {
  const { app_id, app_key, app_secret, certificate } = simulator.certificate;
  const file = JSON.parse(certificate);
  assert.deepEqual([file.project_id, file.client_email, app_secret], [app_id, app_key, '']);
  assert.equal(file.type, 'service_account');
  assert.equal(file.token_uri, `${simulator.tokenUrl}/token`);
});

describe('assertion', () => {
  test('yields a new access token each time, with its lifetime', async () => {
    const [one, two] = [await askWith({}), await askWith({})];
    assert.equal(one.status, 200);
    const { access_token, ...rest } = one.json;
    assert.deepEqual(rest, { expires_in: 1234, token_type: 'Bearer' });
    assert.ok(access_token.length > 20);
    assert.notEqual(two.json.access_token, access_token);
  });

  test('is also accepted over HTTP/2', async () => {
    await using connection = await openConnection(simulator.tokenUrl, simulator.caPem);
    const body = formOf(signAssertion(simulator.certificate));
    assert.equal((await post(connection, { path: '/token', body, headers: FORM_HEADERS })).status, 200);
  });

  const good: readonly (readonly [string, () => AssertionChanges])[] = [
    ['without a key id', () => ({ header: { kid: undefined } })],
    [
      'with the cloud-platform scope',
      () => ({ claims: { scope: 'email https://www.googleapis.com/auth/cloud-platform' } }),
    ],
    ['issued four minutes in the future', () => ({ claims: { iat: seconds() + 240, exp: seconds() + 3840 } })],
    ['that expired four minutes ago', () => ({ claims: { iat: seconds() - 3840, exp: seconds() - 240 } })],
  ];
  for (const [what, spoil] of good) {
    test(`${what} is accepted`, async () => assert.equal((await askWith(spoil())).status, 200));
  }

  const stranger = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
  const bad: readonly (readonly [string, () => AssertionChanges, string, RegExp])[] = [
    [
      'from an unknown account',
      () => ({ claims: { iss: 'nobody@example.com' } }),
      'invalid_grant',
      /account not found/,
    ],
    ['with a signature by another key', () => ({ privateKey: stranger }), 'invalid_grant', /Signature/],
    ['with another key id', () => ({ header: { kid: 'other' } }), 'invalid_grant', /Signature/],
    ['with another algorithm', () => ({ header: { alg: 'HS256' } }), 'invalid_grant', /Signature/],
    [
      'for another audience',
      () => ({ claims: { aud: 'https://oauth2.googleapis.com/token' } }),
      'invalid_grant',
      /audience/,
    ],
    ['without a scope', () => ({ claims: { scope: undefined } }), 'invalid_scope', /scope/],
    ['for another scope', () => ({ claims: { scope: 'email' } }), 'invalid_scope', /scope/],
    ['without an expiration', () => ({ claims: { exp: undefined } }), 'invalid_grant', /short-lived/],
    ['valid for more than an hour', () => ({ claims: { exp: seconds() + 3700 } }), 'invalid_grant', /short-lived/],
    [
      'issued six minutes in the future',
      () => ({ claims: { iat: seconds() + 360, exp: seconds() + 3960 } }),
      'invalid_grant',
      /timeframe/,
    ],
    [
      'that expired six minutes ago',
      () => ({ claims: { iat: seconds() - 3960, exp: seconds() - 360 } }),
      'invalid_grant',
      /timeframe/,
    ],
  ];
  for (const [what, spoil, error, words] of bad) {
    test(`${what} returns ${error}`, async () => {
      const { status, json } = await askWith(spoil());
      assert.deepEqual([status, json.error], [400, error]);
      assert.match(json.error_description, words);
    });
  }
});

describe('requests that the token endpoint rejects', () => {
  test('an invalid assertion', async () => {
    for (const text of ['', 'hello', 'aaaa.bbbb.cccc', 'x'.repeat(10_000)]) {
      const { status, json } = await ask(formOf(text));
      assert.deepEqual([status, json.error], [400, 'invalid_grant'], text.slice(0, 20));
    }
  });

  test('another grant type', async () => {
    const { status, json } = await ask('grant_type=client_credentials&client_id=x&client_secret=y');
    assert.deepEqual([status, json.error], [400, 'unsupported_grant_type']);
  });

  test('a body that is not a form', async () => {
    const body = formOf(signAssertion(simulator.certificate));
    const { status, json } = await ask(body, { 'content-type': 'application/json' });
    assert.deepEqual([status, json.error], [400, 'invalid_request']);
  });

  test('another path or method, with an HTML page', async () => {
    const body = formOf(signAssertion(simulator.certificate));
    const elsewhere = await client.post(`${simulator.tokenUrl}/oauth2/v4/token`, body, FORM_HEADERS);
    const asked = await client.post(`${simulator.tokenUrl}/token`, '', {}, 'GET');
    for (const { status, headers } of [elsewhere, asked]) {
      assert.deepEqual([status, headers['content-type']], [404, 'text/html; charset=UTF-8']);
    }
  });
});
