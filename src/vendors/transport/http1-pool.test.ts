import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { Http1Pool } from './http1-pool.ts';
import { NoResponseError, RESPONSE_BYTES_MAX } from './pool.ts';

const LONG_DEADLINE_MS = 10_000;
const SHORT_DEADLINE_MS = 300;
const GRACE_MS = 1_000;
/** Maximum number of connections in a pool. */
const CONNECTIONS = 32;
const requestTo = (path = '/') => ({ path, headers: {}, body: '{}' });

interface Server extends AsyncDisposable {
  readonly origin: string;
  readonly sockets: Set<Socket>;
}

async function start(server: ReturnType<typeof createServer> | ReturnType<typeof createRawServer>): Promise<Server> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const startHttp = (listener: RequestListener) => start(createServer(listener));

function newPool(origin: string): Http1Pool & Disposable {
  const pool = new Http1Pool(origin, {});
  return Object.assign(pool, { [Symbol.dispose]: () => pool.close() });
}

async function assertDeadlineError(pending: Promise<unknown>): Promise<void> {
  const start = performance.now();
  await assert.rejects(pending, new NoResponseError('no response in time'));
  assert.ok(performance.now() - start < SHORT_DEADLINE_MS + GRACE_MS);
}

describe('HTTP/1.1 request', () => {
  test('ends at its deadline during a handshake', async () => {
    await using server = await start(createRawServer());
    using pool = newPool(server.origin.replace('http', 'https'));
    await assertDeadlineError(pool.request(requestTo(), SHORT_DEADLINE_MS));
  });

  test('ends at its deadline while all connections are busy, and is not sent afterwards', async () => {
    const paths: string[] = [];
    const finishResponses: (() => void)[] = [];
    const allConnectionsBusy = Promise.withResolvers<void>();
    await using server = await startHttp(({ url }, response) => {
      paths.push(url as string);
      if (url === '/held') finishResponses.push(() => response.end());
      else response.end();
      if (finishResponses.length === CONNECTIONS) allConnectionsBusy.resolve();
    });
    using pool = newPool(server.origin);
    const all = Array.from({ length: CONNECTIONS }, () => pool.request(requestTo('/held'), LONG_DEADLINE_MS));
    await Promise.race([allConnectionsBusy.promise, Promise.all(all)]);
    await assertDeadlineError(pool.request(requestTo('/late'), SHORT_DEADLINE_MS));
    for (const release of finishResponses) release();
    await Promise.all(all);
    await pool.request(requestTo('/next'), LONG_DEADLINE_MS);
    assert.deepEqual(new Set(paths), new Set(['/held', '/next']));
  });

  test('closes its connection when it times out, so that no other request receives its response', async () => {
    const finishLate: (() => void)[] = [];
    await using server = await startHttp(({ url }, response) => {
      if (url === '/late') finishLate.push(() => response.end('late'));
      else response.end('own');
    });
    using pool = newPool(server.origin);
    await assertDeadlineError(pool.request(requestTo('/late'), SHORT_DEADLINE_MS));
    for (const tell of finishLate) tell();
    assert.equal((await pool.request(requestTo(), LONG_DEADLINE_MS)).body, 'own');
    assert.equal(server.sockets.size, 2);
  });

  test('fails if the body is cut off, stalls or is too long, and the next request succeeds', async () => {
    await using server = await startHttp(({ url }, response) => {
      if (url === '/') return void response.end('whole');
      response.writeHead(200, { 'content-length': RESPONSE_BYTES_MAX * 2 });
      response.write('x'.repeat(url === '/long' ? RESPONSE_BYTES_MAX + 1 : 10), () => {
        if (url === '/cut') response.destroy();
      });
    });
    using pool = newPool(server.origin);
    await assertDeadlineError(pool.request(requestTo('/stalls'), SHORT_DEADLINE_MS));
    for (const path of ['/cut', '/long'])
      await assert.rejects(pool.request(requestTo(path), LONG_DEADLINE_MS), NoResponseError);
    assert.equal((await pool.request(requestTo(), LONG_DEADLINE_MS)).body, 'whole');
  });

  test('in progress completes when its pool is retired', async () => {
    const finishResponses = Promise.withResolvers<() => void>();
    await using server = await startHttp((_, response) => finishResponses.resolve(() => response.end('whole')));
    const pool = new Http1Pool(server.origin, {});
    const answer = pool.request(requestTo(), LONG_DEADLINE_MS);
    const release = await finishResponses.promise;
    pool.retire();
    await assert.rejects(pool.request(requestTo(), LONG_DEADLINE_MS), NoResponseError);
    release();
    assert.equal((await answer).body, 'whole');
  });

  test('ends when its pool is closed', async () => {
    await using server = await startHttp(() => undefined);
    const pool = new Http1Pool(server.origin, {});
    const ended = assert.rejects(pool.request(requestTo(), LONG_DEADLINE_MS), NoResponseError);
    pool.close();
    await ended;
  });
});
