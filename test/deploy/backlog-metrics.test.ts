import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Gauge, register } from 'prom-client';
import { BUCKETS } from '#src/domain/bucket.ts';
import { vendorNames } from '#src/domain/channel.ts';
import { firstTaskIdAt } from '#src/domain/task.ts';
import { createLog } from '#src/foundation/log.ts';
import { tripBreaker } from '#src/storage/accounts/breakers.ts';
import { saveCertificate } from '#src/storage/accounts/certificates.ts';
import { markQuotaExhausted } from '#src/storage/accounts/quotas.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { openStorage, openStorageWithMap } from '#src/storage/database/open-storage.ts';
import { startOfDay } from '#src/storage/database/partitions.ts';
import { insertSlices, type NewSlice } from '#src/storage/ledger/slices.ts';
import { acceptTasks } from '#src/storage/ledger/tasks.ts';
import { storageMetrics } from '#src/storage/metrics.ts';
import { startBacklogMetrics } from '#src/worker/upkeep/backlog-metrics.ts';
import { seedApp } from '../../scripts/dev/seed.ts';
import { keyringsOf, newMasterKeys } from '../../scripts/stack/master-keys.ts';
import { createMigratedDatabases, type TestDatabases } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { createDayPartitions, dayNumberBefore } from '../support/old-tasks.ts';

const log = createLog({ level: 'error', fields: { role: 'test' } });
const apns = { appId: 'bells', channel: 'apns', environment: 1 } as const;

describe('backlog metrics of a worker', () => {
  let databases: TestDatabases;
  let storage: Storage;

  before(async () => {
    databases = await createMigratedDatabases();
    storage = await openStorage({
      settings: { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 10 },
      connections: 2,
      log,
    });
    await seedApp(storage.home, keyringsOf(newMasterKeys('test')), 'bells');
  });
  after(async () => {
    await storage?.close();
    await databases?.[Symbol.asyncDispose]();
  });

  /** Reads the databases once, and returns the resulting values of a metric by their labels. */
  async function seen(name: string): Promise<Record<string, number>> {
    const gauge = register.getSingleMetric(name) as Gauge;
    gauge.reset();
    const watch = startBacklogMetrics({ storage, log });
    await eventually(async () => assert.ok((await gauge.get()).values.length > 0));
    await watch.stop();
    const { values } = await gauge.get();
    return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
  }

  const isAbout = (seconds: number | undefined, wanted: number) =>
    assert.ok(seconds !== undefined && seconds >= wanted && seconds < wanted + 60, `${seconds} is about ${wanted}`);

  const sliceDue = (secondsAgo: number, change: Partial<NewSlice> = {}): NewSlice => ({
    taskId: firstTaskIdAt(new Date()),
    bucket: 0,
    appId: 'bells',
    channel: 'apns',
    lane: 'bulk',
    state: 'ready',
    dueInMs: -secondsAgo * 1_000,
    tried: [],
    nativeSlice: null,
    status: Buffer.alloc(1),
    placeCount: 1,
    deviceIds: '1',
    generations: '1',
    ...change,
  });

  test('reports no backlog for empty databases', async () => {
    assert.deepEqual(await seen('carillon_backlog_seconds'), { prompt: 0, bulk: 0 });
  });

  test('reports the age of the oldest due work, and ignores leased, closed and future slices', async () => {
    await acceptTasks(storage.home, [
      {
        appId: 'bells',
        author: 'admin',
        requestId: null,
        token: { kind: 'admin', tokenId: 1n, parent: null },
        bodyHash: Buffer.alloc(32),
        lane: 'prompt',
        bucket: 0,
        byRange: false,
        strategy: 'combined',
        ospushSequence: ['ups'],
        audience: { kind: 'all' },
        groupId: null,
        messageText: '{}',
        dueAt: new Date(Date.now() - 100_000),
        notAfter: null,
      },
    ]);
    await insertSlices(storage.shards.dbFor(0), [
      sliceDue(500),
      sliceDue(1_000, { state: 'closed' }),
      sliceDue(-1_000, { state: 'leased' }),
    ]);
    const { prompt, bulk } = await seen('carillon_backlog_seconds');
    isAbout(prompt, 100);
    isAbout(bulk, 500);
  });

  test('counts quarantined work', async () => {
    assert.deepEqual(await seen('carillon_quarantined_work'), { tasks: 0, expansions: 0, slices: 0 });
    await storage.shards.dbFor(0).query(`update slices set next_at = 'infinity' where state = 'leased'`);
    assert.deepEqual(await seen('carillon_quarantined_work'), { tasks: 0, expansions: 0, slices: 1 });
  });

  test('includes tasks that were accepted days ago and became due recently', async () => {
    await createDayPartitions(storage, 6);
    await storage.home.query(
      `insert into tasks (task_id, app_id, author, lane, by_range, strategy, ospush_sequence, audience, message, due_at,
                          not_after, next_at)
       select $1, 'bells', 'admin', 'prompt', false, 'combined', '{ups}', '{"kind":"all"}', '{}', due, now() + interval '1 day', due
         from (select now() - interval '300 s' as due) as held`,
      [firstTaskIdAt(startOfDay(dayNumberBefore(5)))],
    );
    isAbout((await seen('carillon_backlog_seconds')).prompt, 300);
  });

  test('counts a tripped breaker only for the credentials version that tripped it', async () => {
    const save = () =>
      saveCertificate(storage.home, {
        ...apns,
        name: 'apns',
        vendorAppId: '',
        appKey: '',
        appSecret: randomBytes(8),
        certificate: randomBytes(8),
        expiresAt: null,
        perSecond: null,
      });
    await save();
    const [stored] = await storage.home.query<{ version: number }>('select version from certificates');
    const version = stored?.version as number;
    await tripBreaker(storage.home, { ...apns, version, cause: 'locked-out', reason: 'no', suspect: false }, 60);
    const closed = await seen('carillon_breakers_tripped');
    assert.equal(closed['apns locked-out'], 1);
    assert.equal(
      Object.values(closed).reduce((sum, count) => sum + count, 0),
      1,
    );
    assert.equal(Object.keys(closed).length, 2 * vendorNames.length);
    await save();
    assert.equal((await seen('carillon_breakers_tripped'))['apns locked-out'], 0);
  });

  test('counts an exhausted quota until it is available again', async () => {
    await markQuotaExhausted(storage.home, apns, '', new Date(Date.now() + 60_000));
    await markQuotaExhausted(storage.home, { ...apns, channel: 'vivo' }, '', new Date(Date.now() - 1_000));
    const { apns: spent, vivo } = await seen('carillon_quotas_exhausted');
    assert.deepEqual([spent, vivo], [1, 0]);
  });

  /** Opens storage at an address on which no server is listening. */
  function openNowhere(): Storage {
    const nowhere = { CARILLON_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none', CARILLON_SHARD_DATABASES: '' };
    const settings = { ...nowhere, CARILLON_DATABASE_QUERY_SECONDS_MAX: 1 };
    const ranges = [{ firstBucket: 0, lastBucket: BUCKETS - 1, database: 'home' }];
    return openStorageWithMap({ settings, connections: 1, log }, { version: 1, ranges });
  }

  test('removes the values if the databases cannot be reached', async () => {
    const away = openNowhere();
    assert.ok(Object.keys(await seen('carillon_backlog_seconds')).length > 0);
    const failed = Promise.withResolvers<string>();
    const watch = startBacklogMetrics({ storage: away, log: { ...log, warn: failed.resolve } });
    assert.equal(await failed.promise, 'backlog-metrics-failed');
    await watch.stop();
    await away.close();
    const { values } = await (register.getSingleMetric('carillon_backlog_seconds') as Gauge).get();
    assert.deepEqual(values, []);
  });

  test('counts failed queries by reason', async () => {
    const away = openNowhere();
    const mistakes: readonly (readonly [reason: string, ask: () => Promise<unknown>])[] = [
      ['unavailable', () => away.home.query('select 1')],
      ['refused', () => storage.home.query('select 1 / 0')],
      ['failed', () => storage.home.query('select from a_table_that_is_not_there')],
      ['busy', () => storage.home.query(`set statement_timeout = 1; select pg_sleep(1)`)],
    ];
    for (const [reason, ask] of mistakes) {
      storageMetrics.errors.reset();
      await assert.rejects(ask());
      const { values } = await storageMetrics.errors.get();
      assert.deepEqual(
        values.map(({ labels, value }) => ({ ...labels, value })),
        [{ database: 'home', reason, value: 1 }],
      );
    }
    await away.close();
  });
});
