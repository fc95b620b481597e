import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerHttp2Session, type ServerHttp2Stream, type Settings } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Http2Pool } from './http2-pool.ts';
import { NoResponseError } from './pool.ts';

const LONG_DEADLINE_MS = 10_000;
const SHORT_DEADLINE_MS = 300;
const requestTo = (path = '/') => ({ path, headers: {}, body: '{}' });
const respond = (stream: ServerHttp2Stream) => stream.respond({ ':status': 200 }, { endStream: true });

interface Server extends AsyncDisposable {
  readonly origin: string;
  /** The open sessions. */
  readonly sessions: Set<ServerHttp2Session>;
  /** The number of sessions opened so far. */
  opened: number;
  /** Paths in the order of their requests. */
  readonly paths: string[];
}

/** Starts a server without TLS, because no test in this file depends on TLS. */
async function startServer(
  onStream: (stream: ServerHttp2Stream, path: string) => void,
  settings: Settings = {},
  onSession: (session: ServerHttp2Session) => void = () => undefined,
): Promise<Server> {
  const server = createServer({ settings });
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    started.opened++;
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => undefined);
    onSession(session);
  });
  server.on('stream', (stream, { ':path': path = '' }) => {
    stream.on('error', () => undefined);
    started.paths.push(path);
    onStream(stream, path);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const started: Server = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    opened: 0,
    paths: [],
    [Symbol.asyncDispose]: async () => {
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return started;
}

function newPool(origin: string, startsWithOneStream?: true): Http2Pool & Disposable {
  const pool = new Http2Pool(origin, { startsWithOneStream });
  return Object.assign(pool, { [Symbol.dispose]: () => pool.close() });
}

const numberedPaths = (count: number) => Array.from({ length: count }, (_, i) => `/${i}`);
const assertDeadlineError = (pending: Promise<unknown>) =>
  assert.rejects(pending, new NoResponseError('no response in time'));
const allClosed = async ({ sessions }: Server) => {
  await Promise.all([...sessions].map((session) => once(session, 'close')));
};

describe('HTTP/2 connections', () => {
  test('are added if the vendor allows few streams, and never exceed its limit', async () => {
    const open = new Map<unknown, number>();
    let most = 0;
    await using server = await startServer(
      (stream) => {
        const { session } = stream;
        const now = (open.get(session) ?? 0) + 1;
        open.set(session, now);
        most = Math.max(most, now);
        stream.once('close', () => open.set(session, (open.get(session) as number) - 1));
        setTimeout(() => respond(stream), 20);
      },
      { maxConcurrentStreams: 100 },
    );
    using pool = newPool(server.origin);
    const paths = numberedPaths(500);
    const replies = await Promise.all(paths.map((path) => pool.request(requestTo(path), LONG_DEADLINE_MS)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    assert.deepEqual([...server.paths].sort(), [...paths].sort(), 'each path once');
    assert.ok(most <= 100 && server.opened > 1 && server.opened <= 4, `${most} streams, ${server.opened} connections`);
  });

  test('that close as soon as they are open are not reopened endlessly', async () => {
    await using server = await startServer(respond, {}, (session) => session.goaway());
    using pool = newPool(server.origin);
    await assert.rejects(pool.request(requestTo(), 1_000), NoResponseError);
    assert.deepEqual(server.paths, []);
    assert.ok(server.opened <= 5, `${server.opened} connections in a second`);
  });

  test('are kept when a request with a short deadline times out', async () => {
    const openStreams: ServerHttp2Stream[] = [];
    await using server = await startServer((stream, path) => {
      if (path === '/') respond(stream);
      else openStreams.push(stream);
    });
    using pool = newPool(server.origin);
    await pool.request(requestTo(), LONG_DEADLINE_MS);
    await sleep(2 * SHORT_DEADLINE_MS); // idle for longer than the short deadline
    const patient = pool.request(requestTo('/patient'), LONG_DEADLINE_MS);
    while (openStreams.length === 0) await sleep(10);
    await assertDeadlineError(pool.request(requestTo('/hurried'), SHORT_DEADLINE_MS));
    for (const stream of openStreams) if (!stream.destroyed) respond(stream);
    assert.equal((await patient).status, 200);
  });

  test('get no new requests after five seconds without a response, and close after their last request', async () => {
    const openStreams: ServerHttp2Stream[] = [];
    await using server = await startServer((stream) => {
      if (server.opened > 1) respond(stream);
      else openStreams.push(stream);
    });
    using pool = newPool(server.origin);
    const patient = pool.request(requestTo(), LONG_DEADLINE_MS);
    for (let i = 0; i < 6; i++) await assertDeadlineError(pool.request(requestTo(), 900)); // more than five seconds in total
    assert.equal((await pool.request(requestTo(), LONG_DEADLINE_MS)).status, 200);
    assert.equal(server.opened, 2);
    const [unresponsive] = server.sessions;
    const ended = once(unresponsive as ServerHttp2Session, 'close');
    respond(openStreams[0] as ServerHttp2Stream);
    assert.equal((await patient).status, 200);
    await ended;
  });
});

describe('request that waits for a stream', () => {
  test('is not sent after it times out', async () => {
    const openStreams: ServerHttp2Stream[] = [];
    await using server = await startServer((stream, path) => {
      if (path === '/held') openStreams.push(stream);
      else respond(stream);
    });
    using pool = newPool(server.origin, true);
    const first = pool.request(requestTo('/held'), LONG_DEADLINE_MS);
    while (openStreams.length === 0) await sleep(10);
    await assertDeadlineError(pool.request(requestTo('/late'), SHORT_DEADLINE_MS));
    const next = pool.request(requestTo('/next'), LONG_DEADLINE_MS);
    for (const stream of openStreams) respond(stream);
    await Promise.all([first, next]);
    assert.deepEqual(server.paths, ['/held', '/next']);
  });

  test('fails when its pool is closed', async () => {
    await using server = await startServer(() => undefined);
    const pool = new Http2Pool(server.origin, { startsWithOneStream: true });
    const start = performance.now();
    const all = Array.from({ length: 3 }, () =>
      assert.rejects(pool.request(requestTo(), LONG_DEADLINE_MS), NoResponseError),
    );
    while (server.paths.length === 0) await sleep(10);
    pool.close();
    await Promise.all([...all, assert.rejects(pool.request(requestTo(), LONG_DEADLINE_MS), NoResponseError)]);
    assert.ok(performance.now() - start < LONG_DEADLINE_MS / 2);
  });

  test('fails when its pool is closed before a connection is open', async () => {
    await using server = await startServer(respond);
    const pool = new Http2Pool(server.origin, {});
    const waiting = assert.rejects(pool.request(requestTo(), LONG_DEADLINE_MS), NoResponseError);
    pool.close();
    await waiting;
    await allClosed(server);
    assert.deepEqual(server.paths, []);
  });

  test('completes when its pool is retired, and leaves no connection open', async () => {
    const openStreams: ServerHttp2Stream[] = [];
    await using server = await startServer((stream) => openStreams.push(stream));
    const pool = new Http2Pool(server.origin, { startsWithOneStream: true });
    const all = numberedPaths(3).map((path) => pool.request(requestTo(path), LONG_DEADLINE_MS));
    while (openStreams.length === 0) await sleep(10);
    pool.retire();
    respond(openStreams[0] as ServerHttp2Stream);
    await all[0];
    while (openStreams.length < 3) await sleep(10);
    for (const stream of openStreams.slice(1)) respond(stream);
    for (const { status } of await Promise.all(all)) assert.equal(status, 200);
    await allClosed(server);
    assert.equal(server.opened, 1);
  });

  test('completes on a retired pool, and leaves no connection open', async () => {
    await using server = await startServer(respond);
    const pool = new Http2Pool(server.origin, {});
    await pool.request(requestTo(), LONG_DEADLINE_MS);
    pool.retire();
    await allClosed(server);
    assert.equal((await pool.request(requestTo(), LONG_DEADLINE_MS)).status, 200);
    await allClosed(server);
    assert.equal(server.opened, 2);
  });
});
