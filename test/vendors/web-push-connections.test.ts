import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { EndpointPools } from '#src/vendors/transport/endpoint-pools.ts';
import { NoResponseError } from '#src/vendors/transport/pool.ts';
import { createServerIdentity } from '../../simulators/kit/certificate.ts';

const DEADLINE_MS = 5_000;
const isLoopback = (address: string) => address === '127.0.0.1' || address === '::1';

describe('connections to the URLs of subscriptions', () => {
  let server: Server;
  let origin: string;
  const requests: string[] = [];
  let connections = 0;
  let respond: 'normally' | 'with a redirect' | 'never' = 'normally';

  before(async () => {
    const identity = createServerIdentity(Date.now(), 'localhost');
    setDefaultCACertificates([...getCACertificates('default'), identity.caPem]);
    server = createServer({ key: identity.keyPem, cert: identity.certificatePem }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        requests.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString('hex')}`);
        if (respond === 'never') return;
        if (respond === 'with a redirect') response.writeHead(307, { location: `${origin}/secret` }).end();
        else response.writeHead(201).end();
      });
    });
    server.on('secureConnection', () => {
      connections++;
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const requestTo = (target: string) => ({
    origin: target,
    path: '/push/1',
    headers: {},
    body: '',
    bytes: Buffer.from([0, 255, 128]),
  });
  const newPools = (options: ConstructorParameters<typeof EndpointPools>[0] = { isAllowed: isLoopback }) => {
    const pools = new EndpointPools(options);
    return Object.assign(pools, { [Symbol.dispose]: () => pools.close() });
  };

  test('send a binary body', async () => {
    using pools = newPools();
    assert.equal((await pools.request(requestTo(origin), DEADLINE_MS)).status, 201);
    assert.deepEqual(requests.splice(0), ['POST /push/1 00ff80']);
  });

  test('are refused if the name resolves to an address that is not public, although a server listens there', async () => {
    using pools = newPools({});
    const before = connections;
    for (const host of ['localhost', '127.0.0.1'])
      await assert.rejects(pools.request(requestTo(origin.replace('localhost', host)), DEADLINE_MS), (error: Error) => {
        assert.ok(error instanceof NoResponseError);
        assert.match(error.message, /the address is not public/);
        return true;
      });
    assert.deepEqual([requests.length, connections - before], [0, 0]);
  });

  test('do not follow redirects', async () => {
    using pools = newPools();
    respond = 'with a redirect';
    const { status } = await pools.request(requestTo(origin), DEADLINE_MS).finally(() => {
      respond = 'normally';
    });
    assert.equal(status, 307);
    assert.deepEqual(requests.splice(0), ['POST /push/1 00ff80']);
  });

  test('are limited per origin', async () => {
    using pools = newPools();
    const before = connections;
    await Promise.all(Array.from({ length: 200 }, () => pools.request(requestTo(origin), DEADLINE_MS)));
    assert.equal(requests.splice(0).length, 200);
    assert.ok(connections - before <= 16, `${connections - before} connections`);
  });

  test('have a limit on waiting requests per origin', async () => {
    using pools = newPools();
    const results = await Promise.allSettled(
      Array.from({ length: 1_100 }, () => pools.request(requestTo(origin), DEADLINE_MS)),
    );
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 100);
    requests.length = 0;
  });

  test('have a limit on the number of origins', async () => {
    using pools = newPools({ isAllowed: () => false });
    const names = Array.from({ length: 200 }, (_, i) => `https://localhost:${20_000 + i}`);
    await Promise.allSettled(names.map((name) => pools.request(requestTo(name), DEADLINE_MS)));
    assert.equal(pools.size, 64);
  });

  test('pause a push service that does not respond, and no other', async () => {
    let now = 0;
    using pools = newPools({ isAllowed: isLoopback, now: () => now });
    const silent = requestTo(origin.replace('localhost', '127.0.0.1'));
    const tries = () => Promise.allSettled(Array.from({ length: 8 }, () => pools.request(silent, 200)));
    respond = 'never';
    await tries();
    const startedAt = performance.now();
    await assert.rejects(pools.request(silent, DEADLINE_MS), /did not respond recently/);
    assert.ok(performance.now() - startedAt < 100);
    respond = 'normally';
    assert.equal((await pools.request(requestTo(origin), DEADLINE_MS)).status, 201, 'another origin');
    now += 5_000;
    assert.equal((await pools.request(silent, DEADLINE_MS)).status, 201, 'after the pause');
    requests.length = 0;
  });
});
