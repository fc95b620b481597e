import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerHttp2Session, type ServerHttp2Stream, type Settings } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Http2Pool } from './http2-pool.ts';
import { NoAnswer } from './pool.ts';

const PATIENT_MS = 10_000;
const SHORT_MS = 300;
const ask = (path = '/') => ({ path, headers: {}, body: '{}' });
const answer = (stream: ServerHttp2Stream) => stream.respond({ ':status': 200 }, { endStream: true });

interface Server extends AsyncDisposable {
  readonly origin: string;
  /** Those that are open. */
  readonly sessions: Set<ServerHttp2Session>;
  /** How many there have been. */
  opened: number;
  /** Paths in the order they came in. */
  readonly paths: string[];
}

/** Without TLS, of which nothing here depends. */
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

const numbered = (n: number) => Array.from({ length: n }, (_, i) => `/${i}`);
const isLate = (asking: Promise<unknown>) => assert.rejects(asking, new NoAnswer('no answer in time'));
const allClosed = async ({ sessions }: Server) => {
  await Promise.all([...sessions].map((session) => once(session, 'close')));
};

describe('connections of HTTP/2', () => {
  test('are more than one where the vendor allows few streams, and never have more of them', async () => {
    const open = new Map<unknown, number>();
    let most = 0;
    await using server = await startServer(
      (stream) => {
        const { session } = stream;
        const now = (open.get(session) ?? 0) + 1;
        open.set(session, now);
        most = Math.max(most, now);
        stream.once('close', () => open.set(session, (open.get(session) as number) - 1));
        setTimeout(() => answer(stream), 20);
      },
      { maxConcurrentStreams: 100 },
    );
    using pool = newPool(server.origin);
    const paths = numbered(500);
    const replies = await Promise.all(paths.map((path) => pool.request(ask(path), PATIENT_MS)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    assert.deepEqual([...server.paths].sort(), [...paths].sort(), 'each once');
    assert.ok(most <= 100 && server.opened > 1 && server.opened <= 4, `${most} streams, ${server.opened} connections`);
  });

  test('that end as soon as they are open are not opened without end', async () => {
    await using server = await startServer(answer, {}, (session) => session.goaway());
    using pool = newPool(server.origin);
    await assert.rejects(pool.request(ask(), 1_000), NoAnswer);
    assert.deepEqual(server.paths, []);
    assert.ok(server.opened <= 5, `${server.opened} connections in a second`);
  });

  test('are not given up for a request that had little time', async () => {
    const held: ServerHttp2Stream[] = [];
    await using server = await startServer((stream, path) => {
      if (path === '/') answer(stream);
      else held.push(stream);
    });
    using pool = newPool(server.origin);
    await pool.request(ask(), PATIENT_MS);
    await sleep(2 * SHORT_MS); // nothing was asked for longer than that one waits
    const patient = pool.request(ask('/patient'), PATIENT_MS);
    while (held.length === 0) await sleep(10);
    await isLate(pool.request(ask('/hurried'), SHORT_MS));
    for (const stream of held) if (!stream.destroyed) answer(stream);
    assert.equal((await patient).status, 200);
  });

  test('that nothing is heard of get nothing more after five seconds, and end with what they carry', async () => {
    const held: ServerHttp2Stream[] = [];
    await using server = await startServer((stream) => {
      if (server.opened > 1) answer(stream);
      else held.push(stream);
    });
    using pool = newPool(server.origin);
    const patient = pool.request(ask(), PATIENT_MS);
    for (let i = 0; i < 6; i++) await isLate(pool.request(ask(), 900)); // however little time each request has
    assert.equal((await pool.request(ask(), PATIENT_MS)).status, 200);
    assert.equal(server.opened, 2);
    const [silent] = server.sessions;
    const ended = once(silent as ServerHttp2Session, 'close');
    answer(held[0] as ServerHttp2Stream);
    assert.equal((await patient).status, 200);
    await ended;
  });
});

describe('a request that waits for a stream', () => {
  test('and is given up is not sent afterwards', async () => {
    const held: ServerHttp2Stream[] = [];
    await using server = await startServer((stream, path) => {
      if (path === '/held') held.push(stream);
      else answer(stream);
    });
    using pool = newPool(server.origin, true);
    const first = pool.request(ask('/held'), PATIENT_MS);
    while (held.length === 0) await sleep(10);
    await isLate(pool.request(ask('/late'), SHORT_MS));
    const next = pool.request(ask('/next'), PATIENT_MS);
    for (const stream of held) answer(stream);
    await Promise.all([first, next]);
    assert.deepEqual(server.paths, ['/held', '/next']);
  });

  test('ends with its pool', async () => {
    await using server = await startServer(() => undefined);
    const pool = new Http2Pool(server.origin, { startsWithOneStream: true });
    const start = performance.now();
    const all = Array.from({ length: 3 }, () => assert.rejects(pool.request(ask(), PATIENT_MS), NoAnswer));
    while (server.paths.length === 0) await sleep(10);
    pool.close();
    await Promise.all([...all, assert.rejects(pool.request(ask(), PATIENT_MS), NoAnswer)]);
    assert.ok(performance.now() - start < PATIENT_MS / 2);
  });

  test('ends with its pool even before there is a connection', async () => {
    await using server = await startServer(answer);
    const pool = new Http2Pool(server.origin, {});
    const waiting = assert.rejects(pool.request(ask(), PATIENT_MS), NoAnswer);
    pool.close();
    await waiting;
    await allClosed(server);
    assert.deepEqual(server.paths, []);
  });

  test('is answered though its pool retires, and then no connection is left', async () => {
    const held: ServerHttp2Stream[] = [];
    await using server = await startServer((stream) => held.push(stream));
    const pool = new Http2Pool(server.origin, { startsWithOneStream: true });
    const all = numbered(3).map((path) => pool.request(ask(path), PATIENT_MS));
    while (held.length === 0) await sleep(10);
    pool.retire();
    answer(held[0] as ServerHttp2Stream);
    await all[0];
    while (held.length < 3) await sleep(10);
    for (const stream of held.slice(1)) answer(stream);
    for (const { status } of await Promise.all(all)) assert.equal(status, 200);
    await allClosed(server);
    assert.equal(server.opened, 1);
  });

  test('that is made of a retired pool is answered, and leaves no connection behind', async () => {
    await using server = await startServer(answer);
    const pool = new Http2Pool(server.origin, {});
    await pool.request(ask(), PATIENT_MS);
    pool.retire();
    await allClosed(server);
    assert.equal((await pool.request(ask(), PATIENT_MS)).status, 200);
    await allClosed(server);
    assert.equal(server.opened, 2);
  });
});
