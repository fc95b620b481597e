import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BUCKETS } from '#src/domain/bucket.ts';
import { inTransaction, type ShardDb } from '#src/storage/database/database.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { checkLaws } from '../support/laws.ts';
import { waitUntilFinished } from '../support/ledger.ts';

/** `DEVICES=1000000 LEASE=10 npm test -- test/faults/long-expansion.test.ts` is the long form. */
const DEVICES = Number(process.env.DEVICES ?? 30_000);
const LEASE_SECONDS = Number(process.env.LEASE ?? 5);
/** Each statement that writes slices, of up to 16, takes so long: four of them are longer than a lease. */
const STATEMENT_SECONDS = Number(process.env.STATEMENT ?? 1.8);
const WORKERS = Number(process.env.WORKERS ?? 2);
const SECONDS_MAX = Number(process.env.WATCH ?? 60);
const DEVICES_PER_INSERT = 50_000;

describe('the devices of one bucket take longer to expand than a lease lasts', () => {
  const BUCKET = 5;
  let carillon: Carillon;
  let db: ShardDb;

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
    db = carillon.storage.shards.dbFor(BUCKET);
    for (let from = 1; from <= DEVICES; from += DEVICES_PER_INSERT)
      await inTransaction(db, async (tx) => {
        await tx.query('set local statement_timeout = 0');
        await tx.query(
          `insert into devices (app_id, bucket, device_id, device_guid, user_id, push_token, reach, registered_at, seen_on)
           select $1, ${BUCKET}, (5000000 + n)::bigint * ${BUCKETS} + ${BUCKET}, 'guid-' || n, n, 'token-' || n, 0, now(),
                  current_date - 60
             from generate_series($2::int, $3::int) as n`,
          [carillon.appId, from, Math.min(from + DEVICES_PER_INSERT - 1, DEVICES)],
        );
      });
    await db.query('analyze devices');
    await db.query(
      `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(${STATEMENT_SECONDS}); return null; end $$`,
    );
    await db.query('create trigger slow after insert on slices for each statement execute function slow()');
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  test('and are expanded exactly once', async () => {
    const taskId = await carillon.notify('all', { body: 'everyone' });
    const began = performance.now();
    await waitUntilFinished(carillon.storage, taskId, SECONDS_MAX);
    const seconds = (performance.now() - began) / 1_000;
    const [places] = await db.query<{ count: number; devices: number }>(
      `select count(*)::int as count, count(distinct device_id)::int as devices
         from slice_targets t, unnest(t.device_ids) as d (device_id) where t.task_id = $1`,
      [taskId],
    );
    assert.deepEqual(places, { count: DEVICES, devices: DEVICES });
    const [ranges] = await db.query<{ count: number; claims: number; epochs: number }>(
      'select count(*)::int as count, sum(epoch)::int as claims, max(epoch) as epochs from expansions where task_id = $1',
      [taskId],
    );
    const { count = 0, claims = 0, epochs = 0 } = ranges ?? {};
    console.log(`  ${DEVICES} devices in ${seconds.toFixed(1)} s: ${count} ranges, ${claims} claims`);
    assert.equal(epochs, 1, 'no range was claimed twice');
    await checkLaws(carillon.storage);
  });
});
