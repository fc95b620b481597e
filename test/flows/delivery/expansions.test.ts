import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { firstTaskIdAt } from '#src/domain/task.ts';
import { createLog } from '#src/foundation/log.ts';
import { openStorage, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import type { DeviceGroup } from '#src/storage/devices/devices.ts';
import {
  type ClaimedExpansion,
  claimExpansions,
  endExpansion,
  insertExpansions,
  streamExpansion,
} from '#src/storage/ledger/expansions.ts';
import { createMigratedDatabases, type TestDatabases } from '../../support/databases.ts';

const SHARD = 5;
/** More than two pages of devices. */
const DEVICES = 20_000;

describe('expansion of one shard', () => {
  let databases: TestDatabases;
  let storage: Storage;
  let db: ShardDb;
  let taskId = firstTaskIdAt(new Date());

  before(async () => {
    databases = await createMigratedDatabases();
    const settings = { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 30 };
    storage = openStorage({ settings, connections: 2, log: createLog({ level: 'error', fields: { role: 'test' } }) });
    db = storage.shards.dbFor(SHARD);
    // Every tenth device has no user, and every eleventh is registered tomorrow. Some devices belong to another app or
    // another shard.
    await db.query(
      `insert into devices (app_id, shard, device_id, device_guid, user_id, push_token, generation, reach, seen_on,
                            registered_at)
       select app_id, shard, n::bigint * 64 + shard, 'guid-' || n || '-' || shard, nullif(n % 10, 0),
              'token-' || n || '-' || shard, 1 + n % 3, (n % 4) * (n % 4), current_date - n % 5 * 10,
              case when n % 11 = 0 then now() + interval '1 day' else now() - interval '1 day' end
         from (values ('app', ${SHARD}), ('app', 6), ('other', ${SHARD})) as a (app_id, shard),
              generate_series(1, ${DEVICES}) as n
        where app_id = 'app' and shard = ${SHARD} or n < 100`,
    );
    // Autovacuum would analyze the tables later. The tables of sessions and tags have no statistics yet.
    await db.query('analyze devices');
    await db.query(
      `insert into gateways (gateway, epoch, heartbeat_at) values ('here', 1, now() + interval '1 day'), ('gone', 1, 'epoch')`,
    );
    await db.query(
      `insert into sessions (shard, device_id, gateway, epoch, generation, online, since)
       select shard, device_id, case when n % 6 = 0 then 'here' else 'gone' end, 1,
              case when n % 12 = 0 then generation + 1 else generation end, n % 18 <> 0, now()
         from devices, lateral (select device_id / 64 as n) as numbered
        where app_id = 'app' and n % 3 = 0`,
    );
    await db.query(
      `insert into tags (app_id, tag, shard, device_id)
       select app_id, tag, shard, device_id
         from devices, (values ('third', 3), ('fourth', 4), ('rare', 6500)) as t (tag, every)
        where device_id / 64 % every = 0`,
    );
  });
  after(async () => {
    await storage?.close();
    await databases?.[Symbol.asyncDispose]();
  });

  async function claim(): Promise<ClaimedExpansion> {
    taskId += 1n;
    await insertExpansions(db, [{ taskId, shard: SHARD, appId: 'app', lane: 'bulk' }]);
    const range = [taskId, taskId] as const;
    const [held] = await claimExpansions(db, {
      lane: 'bulk',
      limit: 1,
      leaseSeconds: 30,
      taskRange: range,
      turns: null,
    });
    return held as ClaimedExpansion;
  }

  async function read(tags: readonly string[] | null): Promise<{ groups: DeviceGroup[]; pages: number }> {
    const groups: DeviceGroup[] = [];
    const lasts: boolean[] = [];
    const end = await streamExpansion(db, await claim(), { dueAt: new Date(), tags }, async (_, page, last) => {
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
      lines.push(`${n * 64 + SHARD} ${1 + (n % 3)} ${(n % 4) ** 2} ${n % 5 < 3} ${online ? 'here' : null}`);
    }
    return lines.sort();
  }

  test('all: returns every device of the app in the shard once, page by page, with its generation and gateway', async () => {
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
      streamExpansion(db, held, { dueAt: new Date(), tags: ['rare'] }, async (tx) => {
        await tx.query(`insert into tags (app_id, tag, shard, device_id) values ('app', 'trace', ${SHARD}, 64)
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
});
