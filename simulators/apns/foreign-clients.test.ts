import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import nodeApn from '@parse/node-apn';
import { ApnsClient, ApnsError, Notification, SilentNotification } from 'apns2';
import forge from 'node-forge';
import { type ApnsSimulator, startApnsSimulator } from './simulator.ts';

// Tests the simulator with two third-party libraries that were written for the real APNs. No code is shared with
// Carillon's sender or test client.

const TIMES_AT_ONCE = 30;
/** A time in 2024. A device that registered later must not be unbound. */
const DEAD_SINCE_MS = 1_717_171_717_171;

let simulator: ApnsSimulator;
before(async () => {
  simulator = await startApnsSimulator();
});
after(() => simulator.stop());

/** A library's error, or undefined if the push succeeded. */
type Answer = { readonly status: number; readonly reason: string; readonly timestamp: number | undefined } | undefined;

/** Interface through which these tests use a library, with a key or a client certificate. */
type Foreign = AsyncDisposable & {
  alert(token: string): Promise<Answer>;
  background(token: string): Promise<Answer>;
};

const foreigners: Readonly<Record<string, (p8Pem?: string) => Foreign>> = {
  'node-apn': (key = simulator.credentials.p8Pem) => {
    const { keyId, teamId } = simulator.credentials;
    return openNodeApn({ token: { key, keyId, teamId } });
  },
  apns2: openApns2,
};

for (const [name, open] of Object.entries(foreigners)) {
  describe(name, () => {
    test('sends an alert', async () => {
      await using client = open();
      assert.equal(await client.alert(`live-alert-${name}`), undefined);
      const [arrival] = simulator.arrived(`live-alert-${name}`);
      assert.deepEqual([arrival?.push_type, arrival?.priority], ['alert', 10]);
      assert.deepEqual(arrival?.payload.aps, { alert: { title: 'Your order', body: 'It is on its way.' }, badge: 3 });
      assert.deepEqual(arrival?.payload.order, 17);
    });

    test('sends a background notification', async () => {
      await using client = open();
      assert.equal(await client.background(`live-background-${name}`), undefined);
      const [arrival] = simulator.arrived(`live-background-${name}`);
      assert.deepEqual([arrival?.push_type, arrival?.priority], ['background', 5]);
      assert.deepEqual(arrival?.payload, { aps: { 'content-available': 1 }, order: 17 });
    });

    test('sends many pushes concurrently after the first response on its connection', async () => {
      await using client = open();
      // A connection starts with one stream. node-apn does not wait for the server's SETTINGS, so the other streams
      // would be refused.
      assert.equal(await client.alert(`live-first-${name}`), undefined);
      const tokens = Array.from({ length: TIMES_AT_ONCE }, (_, i) => `live-many-${name}-${i}`);
      const answers = await Promise.all(tokens.map((token) => client.alert(token)));
      assert.deepEqual(answers, new Array(TIMES_AT_ONCE).fill(undefined));
      assert.deepEqual(
        tokens.map((token) => simulator.arrived(token).length),
        new Array(TIMES_AT_ONCE).fill(1),
      );
    });

    const refusals = [
      [`dead-since-${DEAD_SINCE_MS}`, 410, 'Unregistered', DEAD_SINCE_MS],
      ['busy-1', 429, 'TooManyRequests', undefined],
      ['down-1', 503, 'ServiceUnavailable', undefined],
      ['nobody', 400, 'BadDeviceToken', undefined],
      ['0'.repeat(64), 400, 'BadDeviceToken', undefined],
    ] as const;
    for (const [token, status, reason, timestamp] of refusals) {
      test(`receives ${status} ${reason} for ${token}`, async () => {
        await using client = open();
        assert.deepEqual(await client.alert(token), { status, reason, timestamp });
        assert.deepEqual(await client.background(token), { status, reason, timestamp });
      });
    }

    test('receives 403 InvalidProviderToken with the key of another team', async () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      await using client = open(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
      const refused = { status: 403, reason: 'InvalidProviderToken', timestamp: undefined };
      assert.deepEqual(await client.alert('live-1'), refused);
    });
  });
}

describe('node-apn with a client certificate', () => {
  test('sends without a provider token', async () => {
    await using client = openNodeApn(await openP12());
    assert.equal(await client.alert('live-certificate'), undefined);
    assert.equal(await client.background('live-certificate'), undefined);
    assert.equal((await client.alert('dead-1'))?.reason, 'Unregistered');
    assert.equal(simulator.arrived('live-certificate').length, 2);
  });

  test('receives 403 BadCertificateEnvironment from the server of the other environment', async () => {
    await using client = openNodeApn(await openP12('?environment=sandbox'));
    const refused = { status: 403, reason: 'BadCertificateEnvironment', timestamp: undefined };
    assert.deepEqual(await client.alert('live-1'), refused);
  });
});

function openNodeApn(credentials: object): Foreign {
  const { hostname, port } = new URL(simulator.productionUrl);
  const ca = [simulator.caPem];
  const provider = new nodeApn.Provider({ address: hostname, port: Number(port), ca, ...credentials });
  const send = async (token: string, fields: object): Promise<Answer> => {
    const notification = new nodeApn.Notification();
    Object.assign(notification, { topic: simulator.credentials.topic, payload: { order: 17 }, ...fields });
    const { sent, failed } = await provider.send(notification, token);
    assert.equal(sent.length + failed.length, 1);
    const [failure] = failed;
    if (!failure) return undefined;
    const { status, response } = failure;
    assert.ok(status !== undefined && response, `${failure.error}`);
    return { status, reason: response.reason, timestamp: response.timestamp as number | undefined };
  };
  return {
    alert: (token) =>
      send(token, { pushType: 'alert', alert: { title: 'Your order', body: 'It is on its way.' }, badge: 3 }),
    background: (token) => send(token, { pushType: 'background', priority: 5, contentAvailable: true }),
    [Symbol.asyncDispose]: async () => provider.shutdown(),
  };
}

function openApns2(signingKey = simulator.credentials.p8Pem): Foreign {
  const { keyId, teamId, topic } = simulator.credentials;
  const client = new ApnsClient({ team: teamId, keyId, signingKey, defaultTopic: topic, keepAlive: false });
  // apns2 supports only port 443 and Node's built-in certificate authorities. The test therefore replaces the client's
  // connection pool with a pool for the simulator's address.
  const Pool = client.client.constructor as new (origin: string, options: object) => typeof client.client;
  const options = { connections: 1, pipelining: 0, allowH2: true, maxConcurrentStreams: 100 };
  const pool = new Pool(simulator.productionUrl, { ...options, connect: { ca: simulator.caPem } });
  Object.assign(client, { client: pool });
  const send = async (notification: Notification): Promise<Answer> => {
    try {
      await client.send(notification);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApnsError)) throw error;
      return { status: error.statusCode, reason: error.reason, timestamp: error.timestamp };
    }
  };
  return {
    alert: (token) => {
      const alert = { title: 'Your order', body: 'It is on its way.' };
      return send(new Notification(token, { alert, badge: 3, data: { order: 17 } }));
    },
    background: (token) => send(new SilentNotification(token, { data: { order: 17 } })),
    [Symbol.asyncDispose]: () => client.destroy(),
  };
}

/**
 * Returns the key and certificate of a p12 file from the simulator. node-apn would pass the file to Node, whose OpenSSL
 * does not support the Keychain's encryption. Users of node-apn must also convert the file first.
 */
async function openP12(query = ''): Promise<{ key: string; cert: string }> {
  const response = await fetch(`${simulator.controlUrl}/p12${query}`);
  const { p12, passphrase } = (await response.json()) as { p12: string; passphrase: string };
  const pfx = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(forge.util.decode64(p12)), passphrase);
  const { pkcs8ShroudedKeyBag, certBag } = forge.pki.oids as { pkcs8ShroudedKeyBag: string; certBag: string };
  const key = pfx.getBags({ bagType: pkcs8ShroudedKeyBag })[pkcs8ShroudedKeyBag]?.[0]?.key;
  const cert = pfx.getBags({ bagType: certBag })[certBag]?.[0]?.cert;
  assert.ok(key && cert);
  return { key: forge.pki.privateKeyToPem(key), cert: forge.pki.certificateToPem(cert) };
}
