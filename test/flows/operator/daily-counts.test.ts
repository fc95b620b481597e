import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLog } from '#src/foundation/log.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { ShardDb, Storage } from '#src/storage/database/database.ts';
import { startOfDay } from '#src/storage/database/partitions.ts';
import { deleteOldDailyCounts, replaceDailyCounts } from '#src/storage/ledger/daily-counts.ts';
import { refreshDailyCounts } from '#src/worker/upkeep/daily-counts.ts';
import { retireDay } from '#src/worker/upkeep/retire-days.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { createDayPartitions, dayNumberBefore, insertFinishedTasks } from '../../support/old-tasks.ts';

interface Daily {
  readonly list: readonly Readonly<Record<string, unknown>>[];
  readonly counted_at: number | null;
}

const log = createLog({ level: 'error', fields: { role: 'test' } });
const DAYS_AGO = 20;
/** The day of a test, and its name in the API. */
const dayBefore = (daysAgo: number) => dayNumberBefore(daysAgo);
const nameOf = (day: number) => startOfDay(day).toISOString().slice(0, 10);

describe('counts by day and channel', () => {
  let carillon: Carillon;
  let storage: Storage;

  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 0, checksLaws: false });
    ({ storage } = carillon);
    await createDayPartitions(storage, DAYS_AGO);
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const read = async (day: number, more: object = {}): Promise<Daily> =>
    (await carillon.post<Daily>('/push/statistics/daily', { from: nameOf(day), to: nameOf(day), ...more })).data;
  /** Waits until PostgreSQL's statistics contain the changes of this test, then until a refresh has counted them. */
  const refreshUntil = (day: number, expected: readonly object[]) =>
    eventually(async () => {
      await refreshDailyCounts(storage, log);
      assert.deepEqual((await read(day)).list, expected);
    });
  const row = (day: number, channel: string, target: number, received: number) => ({
    ...{ day: nameOf(day), channel, target, sent: target, received, clicked: 0 },
  });

  test('are the sums over all tasks and databases', async () => {
    const day = dayBefore(10);
    const databases = storage.shards.all.flatMap((db) => storage.shards.rangesOf(db)).length;
    await insertFinishedTasks(storage, carillon.appId, day, [
      { places: { apns: 4, none: 3 } },
      { places: { apns: 2, nativepush: 6 }, everyone: true },
    ]);
    await refreshUntil(day, [
      row(day, 'apns', 4 + 2 * databases, 2 + databases),
      row(day, 'nativepush', 6 * databases, 3 * databases),
    ]);
    assert.deepEqual(
      (await read(day, { channel: 'apns' })).list.map(({ channel }) => channel),
      ['apns'],
    );
    assert.deepEqual((await read(day - 1)).list, []);
  });

  test('contain later changes once, however often they are counted', async () => {
    const day = dayBefore(9);
    const [taskId] = (await insertFinishedTasks(storage, carillon.appId, day, [{ places: { fcm: 4 } }])) as [bigint];
    await refreshUntil(day, [row(day, 'fcm', 4, 2)]);
    await Promise.all(
      storage.shards.all.map((db) =>
        db.query(`update slices set received = '1111', clicked = '1000' where task_id = $1`, [taskId]),
      ),
    );
    const changed = [{ ...row(day, 'fcm', 4, 4), clicked: 1 }];
    await refreshUntil(day, changed);
    await storage.home.query('delete from daily_count_days');
    await refreshUntil(day, changed);
  });

  test('are not counted again without a change', async () => {
    await eventually(async () => {
      await refreshDailyCounts(storage, log);
      const before = await countTimes();
      await refreshDailyCounts(storage, log);
      assert.deepEqual(await countTimes(), before);
    });
  });
  const countTimes = () => storage.home.query('select day, database, counted_at from daily_count_days order by 1, 2');

  test('stay as they are while a database is unavailable, and so does the time', async () => {
    const day = dayBefore(8);
    await insertFinishedTasks(storage, carillon.appId, day, [{ places: { oppo: 2 }, everyone: true }]);
    const databases = storage.shards.all.flatMap((db) => storage.shards.rangesOf(db)).length;
    const expected = [row(day, 'oppo', 2 * databases, databases)];
    await refreshUntil(day, expected);
    const [broken] = storage.shards.all as [ShardDb];
    const unavailable = { ...broken, query: () => Promise.reject(new Unavailable('down')) } as unknown as ShardDb;
    const shards: Storage['shards'] = {
      dbFor: (bucket) => storage.shards.dbFor(bucket),
      rangesOf: (db) => storage.shards.rangesOf(db),
      all: [unavailable, ...storage.shards.all.slice(1)],
      nameOf: (db: ShardDb) => storage.shards.nameOf(db === unavailable ? broken : db),
    };
    await refreshDailyCounts({ ...storage, shards }, log);
    const { list, counted_at: countedAt } = await read(day);
    assert.deepEqual(list, expected);
    assert.ok(countedAt !== null && Math.abs(Date.now() - countedAt) < 60_000);
    await refreshDailyCounts({ ...storage, shards }, log);
    assert.deepEqual(await read(day), { list, counted_at: countedAt });
    await refreshDailyCounts(storage, log);
    assert.ok(((await read(day)).counted_at as number) > countedAt);
  });

  test('stay after their day was dropped, with the changes of its last minute', async () => {
    const day = dayBefore(DAYS_AGO);
    await insertFinishedTasks(storage, carillon.appId, day, [{ places: { vivo: 8 } }]);
    assert.equal(await retireDay(storage, day), 'dropped');
    const expected = [row(day, 'vivo', 8, 4)];
    assert.deepEqual((await read(day)).list, expected);
    // A repeated removal and a refresh find no data of the day any more.
    assert.equal(await retireDay(storage, day), 'dropped');
    await refreshDailyCounts(storage, log);
    assert.deepEqual((await read(day)).list, expected);
  });

  test('are not replaced by a count that started earlier', async () => {
    const day = dayBefore(7);
    const [db] = storage.shards.all as [ShardDb];
    const write = (startedAt: Date, target: bigint) =>
      replaceDailyCounts(storage.home, { day, changes: null, database: storage.shards.nameOf(db), startedAt }, [
        { appId: carillon.appId, channel: 'honor', target, sent: 0n, received: 0n, clicked: 0n },
      ]);
    const now = new Date();
    await write(now, 5n);
    await write(new Date(now.getTime() - 1_000), 3n);
    assert.equal((await read(day)).list[0]?.target, 5);
    await write(new Date(now.getTime() + 1_000), 6n);
    assert.equal((await read(day)).list[0]?.target, 6);
  });

  test('are deleted after the time for which counters are kept', async () => {
    const day = dayBefore(DAYS_AGO);
    assert.equal(await deleteOldDailyCounts(storage.home, day + 1, 100), 1);
    assert.deepEqual((await read(day)).list, []);
  });
});
