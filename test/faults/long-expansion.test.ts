import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BUCKETS } from '#src/domain/bucket.ts';
import { inTransaction, type ShardDb } from '#src/storage/database/database.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { checkLaws } from '../support/laws.ts';
import { waitUntilFinished } from '../support/ledger.ts';

/**
 * The long form is `DEVICES=1000000 LEASE=10 WATCH=600 SPREAD=1 CARILLON_TEST_DATABASES=1 npm test --
 * test/faults/long-expansion.test.ts`, and the same with 7 databases.
 */
const DEVICES = Number(process.env.DEVICES ?? 30_000);
const LEASE_SECONDS = Number(process.env.LEASE ?? 5);
/** Each statement that writes slices, of up to 16, takes so long: four of them are longer than a lease. */
const STATEMENT_SECONDS = Number(process.env.STATEMENT ?? 1.8);
const WORKERS = Number(process.env.WORKERS ?? 2);
const SECONDS_MAX = Number(process.env.WATCH ?? 60);
const DEVICES_PER_INSERT = 50_000;
/** Maximum time of a query that checks the laws. With a million devices, some read all places. */
const LAWS_SECONDS_MAX = 120;
/** All devices are in one bucket, or spread over all of them. */
const BUCKET = process.env.SPREAD === undefined ? '5' : `n % ${BUCKETS}`;

describe('devices that take longer to expand than a lease lasts', () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon({
      gateways: 0,
      workers: WORKERS,
      settings: {
        CARILLON_LEASE_SECONDS: `${LEASE_SECONDS}`,
        CARILLON_VENDOR_DEADLINE_SECONDS: '1',
        CARILLON_SINGLE_EXPANSION_DEVICES_MAX: '0',
      },
    });
    for (const db of carillon.storage.shards.all) {
      for (let from = 1; from <= DEVICES; from += DEVICES_PER_INSERT) await insertDevices(db, from);
      await db.query('analyze devices');
      await db.query(
        `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(${STATEMENT_SECONDS}); return null; end $$`,
      );
      await db.query('create trigger slow after insert on slices for each statement execute function slow()');
    }
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  async function insertDevices(db: ShardDb, from: number): Promise<void> {
    const { shards } = carillon.storage;
    await inTransaction(db, async (tx) => {
      await tx.query('set local statement_timeout = 0');
      for (const { firstBucket, lastBucket } of shards.rangesOf(db))
        await tx.query(
          `insert into devices (app_id, bucket, device_id, device_guid, user_id, push_token, reach, registered_at, seen_on)
           select $1, ${BUCKET}, (5000000 + n)::bigint * ${BUCKETS} + ${BUCKET}, 'guid-' || n, n, 'token-' || n, 0, now(),
                  current_date - 60
             from generate_series($2::int, $3::int) as n
            where ${BUCKET} between $4 and $5`,
          [carillon.appId, from, Math.min(from + DEVICES_PER_INSERT - 1, DEVICES), firstBucket, lastBucket],
        );
    });
  }

  test('are expanded exactly once', async () => {
    const taskId = await carillon.notify('all', { body: 'everyone' });
    const began = performance.now();
    await waitUntilFinished(carillon.storage, taskId, SECONDS_MAX);
    const seconds = (performance.now() - began) / 1_000;
    const { shards } = carillon.storage;
    const places = await Promise.all(
      shards.all.map((db) =>
        db.query<{ count: number; devices: number }>(
          `select count(*)::int as count, count(distinct device_id)::int as devices
             from slice_targets t, unnest(t.device_ids) as d (device_id) where t.task_id = $1`,
          [taskId],
        ),
      ),
    );
    const sum = (name: 'count' | 'devices') => places.flat().reduce((total, row) => total + row[name], 0);
    assert.deepEqual([sum('count'), sum('devices')], [DEVICES, DEVICES]);
    const ranges = await Promise.all(
      shards.all.map((db) => db.query<{ epoch: number }>('select epoch from expansions where task_id = $1', [taskId])),
    );
    const epochs = ranges.flat().map(({ epoch }) => epoch);
    console.log(`  ${DEVICES} devices in ${seconds.toFixed(1)} s: ${epochs.length} ranges, each claimed once`);
    assert.equal(Math.max(...epochs), 1, 'no range was claimed twice');
    const settings = { CARILLON_DATABASE_QUERY_SECONDS_MAX: LAWS_SECONDS_MAX };
    const storage = carillon.storage.openSeparately({ settings, connections: 2 });
    try {
      await checkLaws(storage);
    } finally {
      await storage.close();
    }
  });
});
