import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BUCKETS, bucketOfGuid } from '#src/domain/bucket.ts';
import { createLog } from '#src/foundation/log.ts';
import { divideBuckets, readBucketMap } from '#src/storage/database/bucket-map.ts';
import { inTransaction } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { TEST_DATABASES } from '../../support/databases.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';

/** Processes check the version of the map every ten seconds. */
const REFRESH_SECONDS_MAX = 15;

describe('bucket map', () => {
  let carillon: Carillon;
  before(async () => {
    carillon = await startCarillon({ settings: { CARILLON_SINGLE_EXPANSION_DEVICES_MAX: '0' } });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  test('divides the buckets evenly over the databases', async () => {
    const { version, ranges } = await readBucketMap(carillon.storage.home);
    const databases = Math.max(1, TEST_DATABASES - 1);
    assert.equal(version, 1);
    assert.deepEqual(
      ranges.map(({ firstBucket, lastBucket }) => ({ firstBucket, lastBucket })),
      divideBuckets({ firstBucket: 0, lastBucket: BUCKETS - 1 }, databases),
    );
    const sizes = ranges.map(({ firstBucket, lastBucket }) => lastBucket - firstBucket + 1);
    assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1, `${sizes}`);
  });

  test('running processes use a changed map', { skip: TEST_DATABASES < 3 }, async () => {
    const { storage, appId } = carillon;
    const deviceGuid = 'moved-phone';
    const bucket = bucketOfGuid(appId, deviceGuid);
    const before = storage.shards.dbFor(bucket);
    await moveBucket(bucket);
    await storage.refreshBucketMap();
    const now = storage.shards.dbFor(bucket);
    assert.notEqual(now, before);
    const changed = () => carillon.logLines.filter((line) => line.includes('bucket-map-changed')).length;
    await eventually(() => assert.equal(changed(), 3), REFRESH_SECONDS_MAX);

    const user = await carillon.createUser('mover');
    const login = await carillon.logIn(user, deviceGuid);
    const rows = (db: typeof now) => db.query('select from devices where app_id = $1 and bucket = $2', [appId, bucket]);
    assert.deepEqual([(await rows(before)).length, (await rows(now)).length], [0, 1]);
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
    for (const audience of [{ user_id: [user.userId] }, { push_token: [login.push_token] }, 'all'] as const) {
      const taskId = await carillon.notify(audience, { body: 'at the new address' });
      await waitUntilFinished(storage, taskId);
      assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] });
    }
    assert.equal(device.received.length, 3);
    await checkLaws(storage);
  });

  test('a process does not start if its settings lack a database of the map', {
    skip: TEST_DATABASES < 3,
  }, async () => {
    await assert.rejects(
      carillon.start('worker', { CARILLON_SHARD_DATABASES: '' }),
      /\(78\):\n.*CARILLON_SHARD_DATABASES must name the database `shard1`, which has the buckets 0 to \d+/s,
    );
  });

  test('a map with a gap or an overlap is rejected', async () => {
    const { home } = carillon.storage;
    const settings = { ...carillon.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 10 };
    const open = () =>
      openStorage({
        settings: settings as unknown as Parameters<typeof openStorage>[0]['settings'],
        connections: 1,
        log: createLog({ level: 'error', fields: { role: 'test' } }),
      });
    const change = (by: number) =>
      home.query('update bucket_map set last_bucket = last_bucket + $1 where last_bucket >= 4094', [by]);
    await change(-1);
    await assert.rejects(open(), /no database for bucket 4095/);
    await change(1);
    await (await open()).close();
  });

  /** Assigns a bucket without devices to another database. */
  async function moveBucket(bucket: number): Promise<void> {
    await inTransaction(carillon.storage.home, async (tx) => {
      const { ranges } = await readBucketMap(tx);
      const range = ranges.find(({ firstBucket, lastBucket }) => firstBucket <= bucket && bucket <= lastBucket);
      const other = ranges.find(({ database }) => database !== range?.database);
      assert.ok(range && other);
      await tx.query('delete from bucket_map where first_bucket = $1', [range.firstBucket]);
      for (const [first, last, database] of [
        [range.firstBucket, bucket - 1, range.database],
        [bucket, bucket, other.database],
        [bucket + 1, range.lastBucket, range.database],
      ] as const)
        if (first <= last) await tx.query('insert into bucket_map values ($1, $2, $3)', [first, last, database]);
      await tx.query('update bucket_map_version set version = version + 1');
    });
  }
});
