import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type HarmonySimulator, startHarmonySimulator } from './simulator.ts';
import { HarmonySender, type JwtChange, signJwt } from './test-sender.ts';

let simulator: HarmonySimulator;
let sender: HarmonySender;
before(async () => {
  simulator = await startHarmonySimulator();
  sender = new HarmonySender(simulator);
});
after(async () => {
  await sender[Symbol.asyncDispose]();
  await simulator.stop();
});

const nowSeconds = () => Math.floor(Date.now() / 1000);
const stranger = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey;

describe('authorization at the HarmonyOS simulator', () => {
  const withBearer = async (authorization: string | undefined) => {
    const { status, json } = await sender.send({ headers: { authorization } });
    return [status, json.code];
  };
  const withJwt = (change?: JwtChange) => withBearer(`Bearer ${signJwt(simulator.serviceAccountJson, change)}`);

  test('accepts a JWT signed by the service account that the control API returns', async () => {
    assert.deepEqual(await withJwt(), [200, '80000000']);
    const response = await fetch(`${simulator.controlUrl}/service-account`);
    assert.equal(await response.text(), simulator.serviceAccountJson);
  });

  test('rejects OAuth access tokens, and requests without a token', async () => {
    for (const bearer of [undefined, 'Basic abc', 'Bearer CgB6e3x9'])
      assert.deepEqual(await withBearer(bearer), [401, '80200001'], bearer);
  });

  test('rejects the JWT of another project', async () => {
    const body = JSON.stringify({ project_id: '999', client_id: '998' });
    const response = await fetch(`${simulator.controlUrl}/apps`, { method: 'POST', body });
    const jwt = signJwt(await response.text());
    assert.deepEqual(await withBearer(`Bearer ${jwt}`), [400, '80300002']);
    const own = await sender.send({ path: '/v3/999/messages:send', headers: { authorization: `Bearer ${jwt}` } });
    assert.equal(own.json.code, '80000000');
  });

  const refusals: readonly (readonly [string, () => JwtChange, number, string])[] = [
    ['with a signature by another key', () => ({ key: stranger }), 401, '80200001'],
    ['with an unknown key id', () => ({ header: { kid: 'x' } }), 401, '80200001'],
    ['with another algorithm', () => ({ header: { alg: 'RS256' } }), 401, '80200001'],
    ['with a salt of another length', () => ({ saltLength: 20 }), 401, '80200001'],
    ['from another account', () => ({ claims: { iss: 'x' } }), 401, '80200001'],
    ['for another audience', () => ({ claims: { aud: 'x' } }), 401, '80200001'],
    ['without an expiration', () => ({ claims: { exp: undefined } }), 401, '80200001'],
    ['that has expired', () => ({ claims: { exp: nowSeconds() - 1 } }), 401, '80200005'],
    ['valid for two days', () => ({ claims: { exp: nowSeconds() + 172_800 } }), 400, '80300036'],
  ];
  for (const [what, change, status, code] of refusals)
    test(`rejects a JWT ${what} with ${code}`, async () => {
      assert.deepEqual(await withJwt(change()), [status, code]);
    });
});
