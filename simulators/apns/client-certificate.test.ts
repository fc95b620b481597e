import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import forge from 'node-forge';
import { type ApnsSimulator, startApnsSimulator } from './simulator.ts';
import { openConnection, push } from './test-client.ts';

let simulator: ApnsSimulator;
before(async () => {
  simulator = await startApnsSimulator({ slowMs: 100 });
});
after(() => simulator.stop());

type Made = { p12: string; passphrase: string; topic: string; expires_at: number };

async function makeP12(query = '', { controlUrl } = simulator): Promise<Made> {
  const response = await fetch(`${controlUrl}/p12${query}`);
  assert.equal(response.status, 200);
  return (await response.json()) as Made;
}

/** Opens a p12 file with node-forge, which does not depend on the code that created the file. */
function openP12({ p12, passphrase }: Made): { key: string; cert: string } {
  const pfx = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(forge.util.decode64(p12)), passphrase);
  const [keyBag, certificateBag] = ['1.2.840.113549.1.12.10.1.2', '1.2.840.113549.1.12.10.1.3'].map(
    (bagType) => pfx.getBags({ bagType })[bagType]?.[0],
  );
  assert.ok(keyBag?.key && certificateBag?.cert);
  return { key: forge.pki.privateKeyToPem(keyBag.key), cert: forge.pki.certificateToPem(certificateBag.cert) };
}

/** Sends one push over a connection that presents the given certificate. */
async function pushWith(made: Made, environment: 'sandbox' | 'production', headers: Record<string, string> = {}) {
  await using connection = await openConnection(simulator, environment, openP12(made));
  const { status, reason } = await push(connection, { headers: { 'apns-topic': made.topic, ...headers } });
  return [status, reason];
}

const accepted = [200, undefined];

describe('p12 file from the simulator', () => {
  test('is encrypted like a Keychain export, so that Node alone cannot read it', async () => {
    const made = await makeP12();
    const pfx = Buffer.from(made.p12, 'base64');
    assert.throws(() => createSecureContext({ pfx, passphrase: made.passphrase }), /Unsupported PKCS12 PFX data/);
    assert.ok(openP12(made));
    assert.throws(() => openP12({ ...made, passphrase: 'another' }), /MAC/);
  });

  test('is different each time and valid for a year', async () => {
    const [first, second] = [await makeP12(), await makeP12()];
    assert.notEqual(openP12(first).cert, openP12(second).cert);
    assert.notEqual(first.passphrase, second.passphrase);
    assert.ok(first.expires_at > Date.now() + 360 * 24 * 60 * 60 * 1000);
  });

  const bad = ['?environment=moon', '?expired=yes', '?topic='];
  for (const query of bad) {
    test(`is not issued for the invalid query ${query}`, async () => {
      const response = await fetch(`${simulator.controlUrl}/p12${query}`);
      assert.equal(response.status, 400);
      assert.equal(typeof ((await response.json()) as { error: string }).error, 'string');
    });
  }
});

describe('connection with a client certificate', () => {
  test('needs no provider token and ignores an invalid one', async () => {
    const made = await makeP12();
    assert.deepEqual(await pushWith(made, 'production'), accepted);
    assert.deepEqual(await pushWith(made, 'sandbox'), accepted);
    assert.deepEqual(await pushWith(made, 'production', { authorization: 'bearer nonsense' }), accepted);
  });

  test('allows a thousand streams before its first push', async () => {
    await using connection = await openConnection(simulator, 'production', openP12(await makeP12()));
    if (connection.remoteSettings.maxConcurrentStreams === 1) await once(connection, 'remoteSettings');
    assert.equal(connection.remoteSettings.maxConcurrentStreams, 1000);
  });

  test('rejects a certificate for the other environment', async () => {
    const refusal = [403, 'BadCertificateEnvironment'];
    const sandbox = await makeP12('?environment=sandbox');
    assert.deepEqual(await pushWith(sandbox, 'sandbox'), accepted);
    assert.deepEqual(await pushWith(sandbox, 'production'), refusal);
    const production = await makeP12('?environment=production');
    assert.deepEqual(await pushWith(production, 'production'), accepted);
    assert.deepEqual(await pushWith(production, 'sandbox'), refusal);
  });

  const refusal = [403, 'BadCertificate'];
  test('rejects an expired certificate', async () => {
    const made = await makeP12('?expired=1');
    assert.ok(made.expires_at < Date.now());
    assert.deepEqual(await pushWith(made, 'production'), refusal);
  });

  test('rejects a certificate for an unregistered app', async () => {
    assert.deepEqual(await pushWith(await makeP12('?topic=com.example.other'), 'production'), refusal);
  });

  test('rejects a certificate from another authority and allows only one stream', async () => {
    await using another = await startApnsSimulator();
    const shown = openP12(await makeP12('', another));
    await using connection = await openConnection(simulator, 'production', shown);
    const result = await push(connection, { headers: { 'apns-topic': simulator.credentials.topic } });
    assert.deepEqual([result.status, result.reason], refusal);
    assert.equal(connection.remoteSettings.maxConcurrentStreams, 1);
  });

  test('accepts only the topics that the certificate lists', async () => {
    const made = await makeP12();
    assert.deepEqual(await pushWith(made, 'production', { 'apns-topic': `${made.topic}.voip` }), accepted);
    const other = await pushWith(made, 'production', { 'apns-topic': 'com.example.other' });
    assert.deepEqual(other, [400, 'TopicDisallowed']);
  });

  test('needs no topic header if the certificate has only one topic', async () => {
    for (const [query, expected] of [
      ['?environment=production', 200],
      ['', 400],
    ] as const) {
      await using connection = await openConnection(simulator, 'production', openP12(await makeP12(query)));
      assert.equal((await push(connection, {})).status, expected);
    }
  });
});
