import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Counter, register } from 'prom-client';
import { type HealthServer, startHealth } from './health.ts';

/** The results of the checks. All tests share one server, because metrics are registered once per process. */
const checkResults: Record<'database' | 'started', () => Promise<boolean>> = {
  database: async () => true,
  started: async () => true,
};
let health: HealthServer;

before(async () => {
  health = await startHealth({
    host: '127.0.0.1',
    port: 0,
    checks: { database: () => checkResults.database(), started: () => checkResults.started() },
  });
});
after(() => health.stop());

async function get(path: string): Promise<{ status: number; type: string | null; text: string }> {
  const response = await fetch(`http://127.0.0.1:${health.port}${path}`);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

async function readyz(): Promise<{ status: number; checks: unknown }> {
  const { status, text } = await get('/readyz');
  return { status, checks: JSON.parse(text) };
}

describe('/readyz', () => {
  const cases: readonly (readonly [string, () => Promise<boolean>, number, boolean])[] = [
    ['returns 200 if every check passes', async () => true, 200, true],
    ['returns 503 if a check does not pass', async () => false, 503, false],
    ['returns 503 if a check throws', async () => Promise.reject(new Error('no database')), 503, false],
    ['returns 200 again after the check passes', async () => true, 200, true],
  ];
  for (const [what, database, status, good] of cases) {
    test(what, async () => {
      checkResults.database = database;
      assert.deepEqual(await readyz(), { status, checks: { database: good, started: true, draining: false } });
    });
  }

  test('returns 503 in time if a check hangs, while /healthz returns 200', async () => {
    checkResults.database = () => new Promise(() => {});
    const start = performance.now();
    const ready = readyz();
    assert.equal((await get('/healthz')).status, 200);
    assert.deepEqual(await ready, { status: 503, checks: { database: false, started: true, draining: false } });
    assert.ok(performance.now() - start < 5_000, 'a load balancer gets a response in time');
    checkResults.database = async () => true;
  });
});

test('/healthz returns 200 regardless of the checks', async () => {
  checkResults.started = async () => false;
  assert.deepEqual(await get('/healthz'), { status: 200, type: 'text/plain', text: 'ok\n' });
  checkResults.started = async () => true;
});

test('/metrics contains the metrics of Carillon and of the process', async () => {
  new Counter({ name: 'bells_rung_total', help: 'Bells.' }).inc(3);
  const { status, type, text } = await get('/metrics');
  assert.equal(status, 200);
  assert.match(String(type), /^text\/plain; version=/);
  assert.match(text, /^bells_rung_total 3$/m);
  assert.match(text, /^process_cpu_seconds_total /m);
});

test('/metrics contains the longest delay of the event loop, for every server that scrapes it', async () => {
  const delayOf = (text: string) => Number(/^carillon_event_loop_delay_seconds (\S+)$/m.exec(text)?.[1]);
  await get('/metrics');
  const start = performance.now();
  while (performance.now() - start < 300);
  for (let scrape = 0; scrape < 2; scrape++) {
    const seconds = delayOf((await get('/metrics')).text);
    assert.ok(seconds >= 0.25 && seconds < 5, `${seconds}`);
  }
});

test('any other path returns 404 and lists the paths', async () => {
  const { status, text } = await get('/');
  assert.equal(status, 404);
  assert.match(text, /\/readyz/);
});

test('from the moment it drains it is not ready, and still alive', async () => {
  assert.equal((await readyz()).status, 200);
  health.drain();
  assert.deepEqual(await readyz(), { status: 503, checks: { database: true, started: true, draining: true } });
  assert.equal((await get('/healthz')).status, 200);
});

test('startHealth names the setting of a port that is in use', async () => {
  register.clear(); // as in a new process, because metrics are registered once per process
  await assert.rejects(startHealth({ host: '127.0.0.1', port: health.port, checks: {} }), {
    name: 'ListenFailure',
    message: /^CARILLON_HEALTH_PORT \d+ is already in use\./,
  });
});
