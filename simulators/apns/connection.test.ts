import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type ApnsSimulator, startApnsSimulator } from './simulator.ts';
import { openConnection, push, signProviderToken, validHeaders } from './test-client.ts';

const HOUR_SECONDS = 60 * 60;
let simulator: ApnsSimulator;

before(async () => {
  simulator = await startApnsSimulator({ slowMs: 100 });
});
after(() => simulator.stop());

const headersWith = (token: string) => ({ ...validHeaders(simulator), authorization: `bearer ${token}` });
const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Registers another key with the simulator and returns its credentials. */
async function registerKey(keyId: string, teamId: string, environments = ['sandbox', 'production']) {
  const pair = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const { topic } = simulator.credentials;
  const response = await fetch(`${simulator.controlUrl}/keys`, {
    method: 'POST',
    body: JSON.stringify({
      key_id: keyId,
      team_id: teamId,
      public_key_pem: pair.publicKey,
      topics: [topic],
      environments,
    }),
  });
  assert.equal(response.status, 204);
  return { keyId, teamId, topic, p8Pem: pair.privateKey };
}

describe('rejected provider tokens', () => {
  const stranger = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
  const demo = () => simulator.credentials;
  const refusals: readonly (readonly [string, () => string, string])[] = [
    ['a string that is not a JWT', () => 'hello', 'InvalidProviderToken'],
    ['parts that are not JSON', () => 'aaaa.bbbb.cccc', 'InvalidProviderToken'],
    ['another algorithm', () => signProviderToken(demo(), { header: { alg: 'HS256' } }), 'InvalidProviderToken'],
    ['no key id', () => signProviderToken(demo(), { header: { kid: undefined } }), 'InvalidProviderToken'],
    ['an unknown key', () => signProviderToken({ ...demo(), keyId: 'UNKNOWN001' }), 'InvalidProviderToken'],
    ['another team', () => signProviderToken({ ...demo(), teamId: 'OTHERTEAM1' }), 'InvalidProviderToken'],
    ['a signature by another key', () => signProviderToken({ ...demo(), p8Pem: stranger }), 'InvalidProviderToken'],
    [
      'an issue time that is a string',
      () => signProviderToken(demo(), { claims: { iat: 'now' } }),
      'InvalidProviderToken',
    ],
    [
      'an issue time far in the future',
      () => signProviderToken(demo(), { claims: { iat: nowSeconds() + HOUR_SECONDS + 60 } }),
      'InvalidProviderToken',
    ],
    [
      'a token older than an hour',
      () => signProviderToken(demo(), { claims: { iat: nowSeconds() - HOUR_SECONDS - 1 } }),
      'ExpiredProviderToken',
    ],
  ];
  for (const [when, makeToken, reason] of refusals) {
    test(`${when}: ${reason}`, async () => {
      await using connection = await openConnection(simulator);
      const result = await push(connection, { headers: headersWith(makeToken()) });
      assert.deepEqual([result.status, result.reason], [403, reason]);
      assert.equal(connection.remoteSettings.maxConcurrentStreams, 1);
    });
  }

  test('a scheme other than bearer: MissingProviderToken', async () => {
    await using connection = await openConnection(simulator);
    const result = await push(connection, { headers: { ...validHeaders(simulator), authorization: 'basic abc' } });
    assert.equal(result.reason, 'MissingProviderToken');
  });
});

test('accepts a token that is almost an hour old', async () => {
  await using connection = await openConnection(simulator);
  const token = signProviderToken(simulator.credentials, { claims: { iat: nowSeconds() - HOUR_SECONDS + 30 } });
  assert.equal((await push(connection, { headers: headersWith(token) })).status, 200);
});

test('rejects a key for the other environment', async () => {
  const key = await registerKey('SANDBOXKEY', 'SANDBOXERS', ['sandbox']);
  const headers = headersWith(signProviderToken(key));
  await using production = await openConnection(simulator, 'production');
  await using sandbox = await openConnection(simulator, 'sandbox');
  const refusal = await push(production, { headers });
  assert.deepEqual([refusal.status, refusal.reason], [403, 'BadEnvironmentKeyIdInToken']);
  assert.equal((await push(sandbox, { headers })).status, 200);
});

test('binds a connection to the team and key of its first token', async () => {
  const sameTeam = await registerKey('SECONDKEY1', simulator.credentials.teamId);
  const otherTeam = await registerKey('SECONDKEY2', 'SECONDTEAM');
  await using connection = await openConnection(simulator);
  assert.equal((await push(connection, { headers: validHeaders(simulator) })).status, 200);
  const unrelated = await push(connection, { headers: headersWith(signProviderToken(sameTeam)) });
  assert.deepEqual([unrelated.status, unrelated.reason], [403, 'UnrelatedKeyIdInToken']);
  const forbidden = await push(connection, { headers: headersWith(signProviderToken(otherTeam)) });
  assert.deepEqual([forbidden.status, forbidden.reason], [403, 'Forbidden']);
});

test('rejects a new token within the update window and still accepts the old one', async () => {
  await using connection = await openConnection(simulator);
  const headers = validHeaders(simulator);
  assert.equal((await push(connection, { headers })).status, 200);
  const tooSoon = await push(connection, { headers: validHeaders(simulator) });
  assert.deepEqual([tooSoon.status, tooSoon.reason], [429, 'TooManyProviderTokenUpdates']);
  assert.equal((await push(connection, { headers })).status, 200);
});

test('accepts a new token after the update window', async () => {
  const windowMs = 1_000; // much longer than the second push takes to be rejected
  await using brisk = await startApnsSimulator({ providerTokenWindowMs: windowMs });
  await using connection = await openConnection(brisk);
  assert.equal((await push(connection, { headers: validHeaders(brisk) })).status, 200);
  assert.equal((await push(connection, { headers: validHeaders(brisk) })).status, 429);
  await wait(windowMs + 50);
  assert.equal((await push(connection, { headers: validHeaders(brisk) })).status, 200);
});

test('allows one stream until the first valid token, then a thousand', async () => {
  await using connection = await openConnection(simulator);
  assert.equal(connection.remoteSettings.maxConcurrentStreams, 1);
  await push(connection, { headers: { ...validHeaders(simulator), authorization: undefined } });
  assert.equal(connection.remoteSettings.maxConcurrentStreams, 1);
  const raised = once(connection, 'remoteSettings');
  const headers = validHeaders(simulator);
  assert.equal((await push(connection, { token: 'dead-1', headers })).status, 410);
  await raised;
  assert.equal(connection.remoteSettings.maxConcurrentStreams, 1000);
  const results = await Promise.all(
    Array.from({ length: 200 }, (_, index) => push(connection, { token: `slow-${index}`, headers })),
  );
  assert.ok(results.every((result) => result.status === 200));
});

test('does not deliver a push if the sender disconnects before the end of the body', async () => {
  await using connection = await openConnection(simulator);
  const headers = validHeaders(simulator);
  const stream = connection.request({ ':method': 'POST', ':path': '/3/device/live-broken-off', ...headers });
  stream.write('{"aps":{}}');
  await wait(50); // until the server has received the first chunk
  connection.destroy(); // closing the stream would end the body normally first
  await using next = await openConnection(simulator);
  assert.equal((await push(next, { headers })).status, 200);
  assert.deepEqual(simulator.arrived('live-broken-off'), []);
});
