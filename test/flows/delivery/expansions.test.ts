import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { firstTaskIdAt } from '#src/domain/task.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import { createLog } from '#src/foundation/log.ts';
import { divideBuckets } from '#src/storage/database/bucket-map.ts';
import type { ShardDb, Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import type { DeviceGroup } from '#src/storage/devices/devices.ts';
import { estimateAudienceDevices, rangeCountFor } from '#src/storage/ledger/audience-devices.ts';
import {
  type ClaimedExpansion,
  claimExpansions,
  endExpansion,
  expansionOf,
  planExpansions,
  type RangeLimits,
  streamRange,
} from '#src/storage/ledger/expansions.ts';
import { findExpansionKeys } from '#src/storage/ledger/invariants.ts';
import { createMigratedDatabases, type TestDatabases } from '../../support/databases.ts';

const BUCKET = 5;
/** Another bucket of the same range. */
const OTHER_BUCKET = 6;
/** More than two pages of devices. */
const DEVICES = 20_000;

const NO_LIMITS: RangeLimits = { devices: Infinity, milliseconds: Infinity, shouldYield: () => false };

describe('expansion of a range', () => {
  let databases: TestDatabases;
  let storage: Storage;
  let db: ShardDb;
  let taskId = firstTaskIdAt(new Date());

  before(async () => {
    databases = await createMigratedDatabases();
    const settings = { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 30 };
    storage = await openStorage({
      settings,
      connections: 2,
      log: createLog({ level: 'error', fields: { role: 'test' } }),
    });
    db = storage.shards.dbFor(BUCKET);
    // Every tenth device has no user, and every eleventh is registered tomorrow. Some devices belong to another app or
    // another bucket.
    await db.query(
      `insert into devices (app_id, bucket, device_id, device_guid, user_id, push_token, generation, reach, seen_on,
                            registered_at)
       select app_id, bucket, n::bigint * 4096 + bucket, 'guid-' || n || '-' || bucket, nullif(n % 10, 0),
              'token-' || n || '-' || bucket, 1 + n % 3, (n % 4) * (n % 4), current_date - n % 5 * 10,
              case when n % 11 = 0 then now() + interval '1 day' else now() - interval '1 day' end
         from (values ('app', ${BUCKET}), ('app', ${OTHER_BUCKET}), ('other', ${BUCKET})) as a (app_id, bucket),
              generate_series(1, ${DEVICES}) as n
        where app_id = 'app' and bucket = ${BUCKET} or n < 100`,
    );
    // Autovacuum would analyze the tables later. The tables of sessions and tags have no statistics yet.
    await db.query('analyze devices');
    await db.query(
      `insert into gateways (gateway, epoch, heartbeat_at) values ('here', 1, now() + interval '1 day'), ('gone', 1, 'epoch')`,
    );
    await db.query(
      `insert into sessions (bucket, device_id, gateway, epoch, generation, online, since)
       select bucket, device_id, case when n % 6 = 0 then 'here' else 'gone' end, 1,
              case when n % 12 = 0 then generation + 1 else generation end, n % 18 <> 0, now()
         from devices, lateral (select device_id / 4096 as n) as numbered
        where app_id = 'app' and n % 3 = 0`,
    );
    await db.query(
      `insert into tags (app_id, tag, bucket, device_id)
       select app_id, tag, bucket, device_id
         from devices, (values ('third', 3), ('fourth', 4), ('rare', 6500)) as t (tag, every)
        where device_id / 4096 % every = 0`,
    );
  });
  after(async () => {
    await storage?.close();
    await databases?.[Symbol.asyncDispose]();
  });

  async function claim(): Promise<ClaimedExpansion> {
    taskId += 1n;
    await planExpansions(
      db,
      [expansionOf({ taskId, appId: 'app', lane: 'bulk' }, { firstBucket: BUCKET, lastBucket: BUCKET })],
      { done: false },
    );
    const [held] = await claimDue();
    return held as ClaimedExpansion;
  }

  const claimDue = () =>
    claimExpansions(db, { lane: 'bulk', limit: 1, leaseSeconds: 30, taskRange: [taskId, taskId], turns: null });

  async function read(tags: readonly string[] | null): Promise<{ groups: DeviceGroup[]; pages: number }> {
    const groups: DeviceGroup[] = [];
    const lasts: boolean[] = [];
    const end = await streamRange(db, await claim(), { dueAt: new Date(), tags }, NO_LIMITS, async (_, page, last) => {
      groups.push(...page);
      lasts.push(last);
    });
    assert.equal(end, 'done');
    assert.deepEqual(lasts, [...Array<boolean>(lasts.length - 1).fill(false), true]);
    return { groups, pages: lasts.length };
  }

  /** Returns one line per device with the values that routing uses. */
  const linesOf = (groups: readonly DeviceGroup[]): string[] =>
    groups.flatMap(({ deviceIds, generations, placeCount, reach, nativeTarget, gateway }) => {
      const [ids, owners] = [deviceIds.split(','), generations.split(',')];
      assert.deepEqual([ids.length, owners.length], [placeCount, placeCount]);
      return ids.map((id, i) => `${id} ${owners[i]} ${reach} ${nativeTarget} ${gateway}`);
    });

  function wanted(isTagged: (n: number) => boolean): string[] {
    const lines: string[] = [];
    for (let n = 1; n <= DEVICES; n++) {
      if (n % 10 === 0 || n % 11 === 0 || !isTagged(n)) continue;
      const online = n % 6 === 0 && n % 12 !== 0 && n % 18 !== 0;
      lines.push(`${n * 4096 + BUCKET} ${1 + (n % 3)} ${(n % 4) ** 2} ${n % 5 < 3} ${online ? 'here' : null}`);
    }
    return lines.sort();
  }

  test('all: returns every device of the app in the bucket once, page by page, with its generation and gateway', async () => {
    const { groups, pages } = await read(null);
    assert.equal(pages, 3);
    assert.deepEqual(
      linesOf(groups).sort(),
      wanted(() => true),
    );
  });

  test('tags: returns every device that has at least one of the tags, once', async () => {
    const { groups } = await read(['third', 'fourth', 'none']);
    assert.deepEqual(
      linesOf(groups).sort(),
      wanted((n) => n % 3 === 0 || n % 4 === 0),
    );
    const rare = await read(['rare']);
    assert.deepEqual(
      linesOf(rare.groups).sort(),
      wanted((n) => n % 6_500 === 0),
    );
    assert.deepEqual((await read(['none'])).groups, []);
  });

  test('rolls back the writes of an expansion if the task was cancelled or the expansion was claimed again', async () => {
    const stream = async (held: ClaimedExpansion) =>
      streamRange(db, held, { dueAt: new Date(), tags: ['rare'] }, NO_LIMITS, async (tx) => {
        await tx.query(`insert into tags (app_id, tag, bucket, device_id) values ('app', 'trace', ${BUCKET}, 4101)
           on conflict do nothing`);
      });
    const cancelled = await claim();
    await db.query('update expansions set cancelled = true where task_id = $1', [cancelled.taskId]);
    assert.equal(await stream(cancelled), 'cancelled');
    assert.equal(await endExpansion(db, cancelled), 'cancelled');
    const lost = await claim();
    assert.equal(await stream({ ...lost, epoch: lost.epoch - 1 }), 'lost');
    assert.deepEqual(await db.query(`select from tags where tag = 'trace'`), []);
  });

  for (const [condition, limit] of [
    ['after a limit', { devices: 1 }],
    ['while other work is waiting', { shouldYield: () => true }],
  ] as const)
    test(`ends a range ${condition}, and continues with the rest in other expansions`, async () => {
      await claim(); // sets the next task ID
      taskId += 1n;
      const task = { taskId, appId: 'app', lane: 'bulk' } as const;
      await planExpansions(db, [expansionOf(task, { firstBucket: 0, lastBucket: 2_047 })], { done: false });
      const lines: string[] = [];
      let expansions = 0;
      for (; expansions < 10; expansions++) {
        const [held] = await claimDue();
        if (!held) break;
        const limits = { ...NO_LIMITS, ...limit };
        const end = await streamRange(db, held, { dueAt: new Date(), tags: null }, limits, async (_, page) => {
          lines.push(...linesOf(page));
        });
        assert.equal(end, 'done');
      }
      assert.equal(expansions, 3);
      const ofBucket = (bucket: number) =>
        lines.filter((line) => BigInt(line.split(' ')[0] as string) % 4_096n === BigInt(bucket));
      assert.deepEqual(
        ofBucket(BUCKET).sort(),
        wanted(() => true),
      );
      assert.equal(ofBucket(OTHER_BUCKET).length, 81, 'of 99 devices, 18 have no user or are registered tomorrow');
      const rows = await findExpansionKeys(db, [taskId]);
      const ends = rows.map(({ bucket, afterId, lastBucket, lastId }) => [bucket, afterId, lastBucket, lastId]).sort();
      assert.deepEqual(ends, [
        [0, 0n, BUCKET, 8_193n * 4_096n + 5n],
        [BUCKET, 8_193n * 4_096n + 5n, BUCKET, 16_386n * 4_096n + 5n],
        [BUCKET, 16_386n * 4_096n + 5n, 2_047, INT64_MAX],
      ]);
    });

  test('the first of two workers that plan a task decides its ranges', async () => {
    taskId += 1n;
    const task = { taskId, appId: 'app', lane: 'bulk' } as const;
    const planOf = (parts: number) =>
      divideBuckets({ firstBucket: 0, lastBucket: 2_047 }, parts).map((range) => expansionOf(task, range));
    await Promise.all([2, 3, 5, 7].map((parts) => planExpansions(db, planOf(parts), { done: false })));
    const rows = await findExpansionKeys(db, [taskId]);
    assert.deepEqual(
      rows.map(({ bucket }) => bucket).sort((a, b) => a - b),
      planOf(rows.length).map(({ bucket }) => bucket),
    );
  });

  test('estimates the number of devices from statistics', async () => {
    await db.query('analyze tags');
    assert.ok(Math.abs((await estimateAudienceDevices(db, 'app', null)) - DEVICES) < DEVICES / 10);
    const third = await estimateAudienceDevices(db, 'app', ['third']);
    assert.ok(Math.abs(third - DEVICES / 3) < DEVICES / 10, `${third}`);
    assert.deepEqual(
      [0, 1, 15_000, 1_000_000, 100_000_000].map((devices) => rangeCountFor(devices, 100_000)),
      [1, 1, 2, 16, 1_000],
    );
  });
});
