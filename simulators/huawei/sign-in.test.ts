import assert from 'node:assert/strict';
import { constants, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { HttpsClient } from '../kit/test-client.ts';
import type { BearerSender } from '../kit/test-sender.ts';
import { type HuaweiSimulator, startHuaweiSimulator } from './simulator.ts';
import { openHuaweiSender, requestToken } from './test-sender.ts';

const OTHER = { app_id: '200000001', project_id: '999', app_secret: 'other' };
let simulator: HuaweiSimulator;
let client: HttpsClient;
let sender: BearerSender;
before(async () => {
  simulator = await startHuaweiSimulator();
  client = new HttpsClient(simulator.caPem);
  sender = await openHuaweiSender(simulator);
  const response = await fetch(`${simulator.controlUrl}/apps`, { method: 'POST', body: JSON.stringify(OTHER) });
  assert.equal(response.status, 204);
});
after(async () => {
  await client[Symbol.asyncDispose]();
  await sender[Symbol.asyncDispose]();
  await simulator.stop();
});

describe('token endpoint of the Huawei simulator', () => {
  test('issues a token that is valid for an hour, and escapes slashes in the response', async () => {
    const { status, json } = await requestToken(client, simulator, {});
    assert.deepEqual([status, json.expires_in, json.token_type], [200, 3600, 'Bearer']);
    const texts = await Promise.all(Array.from({ length: 8 }, () => requestToken(client, simulator, {})));
    assert.ok(texts.some(({ text }) => text.includes('\\/')));
    assert.ok(texts.every(({ text }) => !/[^\\]\//.test(text)));
  });

  const refusals: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
    ['another grant type', { grant_type: 'password' }, 20182],
    ['a client id with letters', { client_id: 'app' }, 20002],
    ['no secret', { client_secret: '' }, 20171],
    ['a secret with a space', { client_secret: 'demo huawei&secret=1' }, 20172],
    ['a wrong secret', { client_secret: 'wrong' }, 12304],
    ['the secret of another app', { client_secret: OTHER.app_secret }, 12304],
    ['an unknown app', { client_id: '5' }, 12304],
  ];
  for (const [what, change, subError] of refusals) {
    test(`rejects ${what} with ${subError}`, async () => {
      const { status, json } = await requestToken(client, simulator, change);
      assert.deepEqual([status, json.error, json.sub_error], [400, 1101, subError]);
    });
  }

  test('rejects an unencoded secret, a body that is not a form, another path and another method', async () => {
    const { appId, appSecret } = simulator.app;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const url = `${simulator.tokenUrl}/oauth2/v3/token`;
    const raw = `grant_type=client_credentials&client_id=${appId}&client_secret=${appSecret}`;
    assert.equal((await client.post(url, raw, form)).json.sub_error, 20172);
    const json = JSON.stringify({ grant_type: 'client_credentials', client_id: appId, client_secret: appSecret });
    assert.equal((await client.post(url, json, { 'content-type': 'application/json' })).json.sub_error, 20182);
    assert.equal((await client.post(`${simulator.tokenUrl}/token`, raw, form)).status, 404);
    assert.equal((await client.post(url, raw, form, 'PUT')).status, 405);
  });

  test('returns 503 to an app over its limit, and counts the requests', async () => {
    await using strict = await startHuaweiSimulator({ tokenCallsMax: 2 });
    await using asking = new HttpsClient(strict.caPem);
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await requestToken(asking, strict, {})).status);
    assert.deepEqual(statuses, [200, 200, 503]);
    const { token } = JSON.parse(await (await fetch(`${strict.controlUrl}/counts`)).text());
    assert.deepEqual(token.requests, { '200': 2, '503': 1 });
    assert.equal(token.connections.opened, 1);
  });
});

describe('access token at the Huawei simulator', () => {
  const withBearer = async (authorization: string) => {
    const { status, json } = await sender.send({ headers: { authorization } });
    return [status, json.code];
  };
  test('is rejected if it is missing, unknown or issued to another app', async () => {
    const { json } = await requestToken(client, simulator, {
      client_id: OTHER.app_id,
      client_secret: OTHER.app_secret,
    });
    for (const bearer of ['', 'Basic abc', 'Bearer unknown', `Bearer ${json.access_token}`]) {
      assert.deepEqual(await withBearer(bearer), [401, '80200001'], bearer);
    }
    const own = { authorization: `Bearer ${json.access_token}` };
    assert.equal((await sender.send({ path: `/v1/${OTHER.app_id}/messages:send`, headers: own })).status, 200);
    assert.equal((await sender.send({ path: `/v2/${OTHER.project_id}/messages:send`, headers: own })).status, 200);
    assert.equal((await sender.send({ path: `/v2/${OTHER.app_id}/messages:send`, headers: own })).status, 401);
  });

  test('expires', async () => {
    await using brief = await startHuaweiSimulator({ tokenLifeSeconds: 1 });
    await using hurried = await openHuaweiSender(brief);
    assert.equal((await hurried.send()).status, 200);
    await wait(1050);
    const { status, json } = await hurried.send();
    assert.deepEqual([status, json.code], [401, '80200003']);
  });

  const nowSeconds = () => Math.floor(Date.now() / 1000);
  function signJwt(changes: { header?: object; claims?: object; key?: string; saltLength?: number } = {}): string {
    const account = JSON.parse(simulator.serviceAccountJson);
    const header = { alg: 'PS256', typ: 'JWT', kid: account.key_id, ...changes.header };
    const iat = nowSeconds();
    const claims = { iss: account.sub_account, aud: account.token_uri, iat, exp: iat + 3600, ...changes.claims };
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${encode(header)}.${encode(claims)}`;
    const key = createPrivateKey(changes.key ?? account.private_key);
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const signature = sign('sha256', Buffer.from(signed), { key, padding, saltLength: changes.saltLength ?? 32 });
    return `Bearer ${signed}.${signature.toString('base64url')}`;
  }

  test('can be a JWT signed by the service account that the control API returns', async () => {
    assert.deepEqual(await withBearer(signJwt()), [200, '80000000']);
    const response = await fetch(`${simulator.controlUrl}/service-account`);
    assert.equal(await response.text(), simulator.serviceAccountJson);
  });

  const stranger = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
  const refusals: readonly (readonly [string, () => string, number, string])[] = [
    ['with a signature by another key', () => signJwt({ key: stranger }), 401, '80200001'],
    ['with an unknown key id', () => signJwt({ header: { kid: 'x' } }), 401, '80200001'],
    ['with another algorithm', () => signJwt({ header: { alg: 'RS256' } }), 401, '80200001'],
    ['with a salt of another length', () => signJwt({ saltLength: 20 }), 401, '80200001'],
    ['from another account', () => signJwt({ claims: { iss: 'x' } }), 401, '80200001'],
    ['for another audience', () => signJwt({ claims: { aud: 'x' } }), 401, '80200001'],
    ['without an expiration', () => signJwt({ claims: { exp: undefined } }), 401, '80200001'],
    ['that has expired', () => signJwt({ claims: { exp: nowSeconds() - 1 } }), 401, '80200005'],
    ['valid for two days', () => signJwt({ claims: { exp: nowSeconds() + 172_800 } }), 400, '80300036'],
  ];
  for (const [what, make, status, code] of refusals) {
    test(`is rejected with ${code} if it is a JWT ${what}`, async () => {
      assert.deepEqual(await withBearer(make()), [status, code]);
    });
  }
});
