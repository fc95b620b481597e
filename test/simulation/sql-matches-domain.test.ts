import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { orderByAppTurns } from '#src/domain/app-turns.ts';
import type { SliceRow } from '#src/domain/claim.ts';
import * as claims from '#src/domain/claim.ts';
import { applyBadge } from '#src/domain/message.ts';
import { placeStatus, type SliceState, sliceKeyText } from '#src/domain/slice.ts';
import { firstTaskIdAt } from '#src/domain/task.ts';
import { createLog } from '#src/foundation/log.ts';
import type { ShardDb, Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { changeBadges } from '#src/storage/devices/badges.ts';
import { findDueApps } from '#src/storage/ledger/app-turns.ts';
import { cancelTask, cancelTaskInShards, findCancelledTasks } from '#src/storage/ledger/cancel.ts';
import { claimExpansions, endExpansion, expansionOf, planExpansions } from '#src/storage/ledger/expansions.ts';
import { recordSliceFailure } from '#src/storage/ledger/failed-work.ts';
import { markSlices } from '#src/storage/ledger/mark-slices.ts';
import {
  claimSlices,
  insertSlices,
  type NewSlice,
  reclaimSlice,
  releaseSlices,
  renewSlices,
  reopenSlice,
  writeSlices,
} from '#src/storage/ledger/slices.ts';
import { createMigratedDatabases, type TestDatabases } from '../support/databases.ts';
import { randomFrom } from './environment/random.ts';

/** Returns the time at the start of a history entry. */
const instantOf = (entry = '0'): number => Number(entry.split(' ')[0]);
const withoutInstant = (entry: string): string => entry.slice(entry.indexOf(' '));

/** Statements finish within this time, so times that SQL and the domain functions set differ by less. */
const CLOSE_MS = 10_000;
const STEPS = 600;

describe('SQL statements on slices and the functions of the domain', () => {
  let databases: TestDatabases;
  let storage: Storage;
  let db: ShardDb;
  const taskId = firstTaskIdAt(new Date()) + 1n;
  const range = [taskId, taskId] as const;

  before(async () => {
    databases = await createMigratedDatabases(undefined, { checksLaws: false });
    const settings = { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 30 };
    storage = await openStorage({
      settings,
      connections: 2,
      log: createLog({ level: 'error', fields: { role: 'test' } }),
    });
    db = storage.shards.dbFor(0);
  });
  after(async () => {
    await storage?.close();
    await databases?.[Symbol.asyncDispose]();
  });

  async function rows(): Promise<SliceRow[]> {
    return db.query<SliceRow>(
      `select s.task_id as "taskId", s.bucket, s.slice as "sliceNumber", s.app_id as "appId", s.channel, s.lane, s.n as "placeCount", s.state, s.epoch,
              extract(epoch from s.next_at)::float8 * 1000 as "nextAt", s.attempts, s.cancelled,
              coalesce(s.failures, 0) as failures, s.tried,
              s.native_slice as "nativeSlice", s.status, s.sent::text as sent, s.received::text as received, s.clicked::text as clicked,
              t.device_ids as "deviceIds", t.generations, s.history, s.history_dropped as "historyDropped"
         from slices s join slice_targets t using (task_id, bucket, slice)
        order by s.slice`,
    );
  }

  async function now(): Promise<number> {
    const [row] = await db.query<{ now: number }>('select extract(epoch from now())::float8 * 1000 as now');
    return (row as { now: number }).now;
  }

  test(`have the same results after each of ${STEPS} random steps`, async () => {
    const random = randomFrom(7);
    const lane = 'prompt' as const;
    const slice = (placeCount: number): NewSlice => ({
      ...{ taskId, bucket: 0, appId: 'app', channel: 'fcm', lane, state: 'ready', dueInMs: 0, tried: [] },
      ...{
        nativeSlice: null,
        status: Buffer.alloc(placeCount),
        placeCount,
        generations: Array<number>(placeCount).fill(1).join(','),
      },
      deviceIds: Array.from({ length: placeCount }, (_, i) => i * 4_096).join(','),
    });
    await insertSlices(db, [1, 2, 3, 5].map(slice));
    // The history is nearly full, so that old entries are dropped within these steps.
    await db.query(
      `update slices set history = array(select '0 unreachable 0 ' || i from generate_series(1, 28) as i)`,
    );
    const bits = (n: number) => Array.from({ length: n }, () => random.below(2)).join('');
    const states: readonly SliceState[] = ['ready', 'leased', 'awaiting', 'waiting', 'closed'];
    const seen = new Set<string>();

    for (let step = 0; step < STEPS; step++) {
      const before = await rows();
      const at = await now();
      const row = random.pick(before);
      const key = { taskId, bucket: 0, sliceNumber: row.sliceNumber };
      const expected = new Map(before.map((one) => [sliceKeyText(one), one]));
      const expect = (after: SliceRow | undefined) => after && expected.set(sliceKeyText(row), after);
      const action = random.pick([
        ...(['claim', 'write', 'mark', 'release', 'reopen', 'cancel', 'wake', 'reclaim', 'renew', 'fail'] as const),
      ]);
      if (action === 'claim') {
        for (const one of before)
          if (claims.isDue(one, at)) expected.set(sliceKeyText(one), claims.claim(one, at, 30_000));
        await claimSlices(db, { lane, limit: 64, leaseSeconds: 30, taskRange: range, weightMax: 2_048, turns: null });
      } else if (action === 'write') {
        const received = random.chance(0.5) ? row.received : bits(row.placeCount);
        const claimed = { ...row, epoch: row.epoch - random.below(2), received };
        const status = Buffer.alloc(row.placeCount, placeStatus.attempting);
        const entries = random.chance(0.2)
          ? []
          : [{ code: 'unreachable', detail: `try ${step}`, places: [0] } as const];
        const sent = bits(row.placeCount);
        const write = {
          claimed,
          status,
          sent,
          state: random.pick(states),
          dueInMs: 60_000,
          attempts: 3,
          historyEntries: entries,
        };
        const after = claims.writeAsHolder(row, write, at);
        expect(after);
        const [written] = await writeSlices(db, [write]);
        assert.deepEqual(written, after && { ...key, received: after.received, cancelled: after.cancelled });
        seen.add(written ? 'written' : 'refused');
      } else if (action === 'mark') {
        const n = random.chance(0.2) ? row.placeCount + 1 : row.placeCount;
        const received = bits(n);
        // A clicked place is also received.
        const clicked = random.chance(0.5)
          ? [...received].map((bit) => (random.chance(0.5) ? bit : '0')).join('')
          : undefined;
        const marks = { sent: bits(n), received, clicked };
        const after = claims.mark(row, marks, at);
        seen.add(after ? `marked ${row.state}` : 'another size');
        if (after?.clicked) seen.add(row.clicked ? 'clicked again' : 'clicked');
        expect(after);
        assert.deepEqual(await markSlices(db, [{ ...key, ...marks }]), []);
      } else if (action === 'release') {
        const epoch = row.epoch - random.below(2);
        const after = claims.release(row, epoch, at);
        seen.add(after ? 'released' : 'not held');
        expect(after);
        await releaseSlices(db, [{ ...key, epoch }]);
      } else if (action === 'reclaim') {
        const epoch = row.epoch - random.below(2);
        const after = claims.reclaim(row, epoch, at, 30_000);
        seen.add(after ? 'reclaimed' : 'not reclaimed');
        expect(after);
        const reclaimed = await reclaimSlice(db, { ...key, epoch }, 30);
        assert.deepEqual([reclaimed?.epoch, reclaimed?.failures], [after?.epoch, after?.failures]);
      } else if (action === 'renew') {
        const epoch = row.epoch - random.below(2);
        const after = claims.renew(row, epoch, at, 40_000);
        seen.add(after ? 'renewed' : 'not renewed');
        expect(after);
        await renewSlices(db, [{ ...key, epoch }], 40);
      } else if (action === 'fail') {
        const epoch = row.epoch - random.below(2);
        const pausesSeconds = [100, 200];
        const after = claims.recordFailure(row, epoch, pausesSeconds, at);
        seen.add(after ? `failed ${after.failures}` : 'not failed');
        expect(after);
        const failures = await recordSliceFailure(db, { ...key, epoch }, { error: 'broken', pausesSeconds });
        assert.equal(failures, after?.failures);
      } else if (action === 'reopen') {
        const status = Buffer.alloc(row.placeCount, placeStatus.waiting);
        expect(claims.reopen(row, status, at));
        await reopenSlice(db, key, status);
      } else if (action === 'cancel') {
        for (const one of before) if (!one.cancelled) expected.set(sliceKeyText(one), claims.markCancelled(one, at));
        await cancelTaskInShards(db, taskId);
        seen.add('cancelled');
      } else {
        // Makes rows available for further claims and cancels.
        await db.query(`update slices set next_at = now(), cancelled = false where slice = $1`, [row.sliceNumber]);
        expect({ ...row, nextAt: at, cancelled: false });
      }
      const actual = await rows();
      for (const one of actual) {
        const { nextAt, history, ...rest } = one;
        const { nextAt: due, history: expectedHistory, ...expectedRest } = expected.get(sliceKeyText(one)) as SliceRow;
        assert.deepEqual(rest, expectedRest, `${action} of ${sliceKeyText(one)}`);
        assert.deepEqual(
          history.map(withoutInstant),
          expectedHistory.map(withoutInstant),
          `${action} of ${sliceKeyText(one)}`,
        );
        assert.ok(Math.abs(instantOf(history.at(-1)) - instantOf(expectedHistory.at(-1))) < CLOSE_MS);
        if (rest.historyDropped > 0) seen.add('dropped');
        const isSame = nextAt === due || Math.abs(nextAt - due) < CLOSE_MS;
        assert.ok(isSame, `${action}: due in ${nextAt - at} ms instead of ${due - at} ms`);
      }
    }
    const expectedEvents = [
      'written',
      'refused',
      'another size',
      'released',
      'not held',
      'cancelled',
      'marked waiting',
      'marked awaiting',
      'marked leased',
      ...['clicked', 'clicked again'],
      ...['reclaimed', 'not reclaimed', 'renewed', 'not renewed', 'failed 1', 'failed 3', 'not failed'],
      'dropped',
    ];
    assert.deepEqual(
      expectedEvents.filter((name) => !seen.has(name)),
      [],
    );
  });

  test('a cancel marks unfinished expansions and does not change a lease', async () => {
    const other = taskId + 1n;
    const task = { taskId: other, appId: 'app', lane: 'bulk' } as const;
    const ranges = [1, 2].map((bucket) => expansionOf(task, { firstBucket: bucket, lastBucket: bucket }));
    await planExpansions(db, ranges, { done: false });
    const claim = {
      lane: 'bulk' as const,
      limit: 1,
      leaseSeconds: 30,
      taskRange: [other, other] as const,
      turns: null,
    };
    const [claimed] = await claimExpansions(db, claim);
    assert.ok(claimed);
    assert.equal(claimed.cancelled, false);
    await cancelTaskInShards(db, other);
    await cancelTaskInShards(db, other);
    const remaining = await claimExpansions(db, { ...claim, limit: 2 });
    assert.deepEqual(
      remaining.map(({ bucket, cancelled }) => ({ bucket, cancelled })),
      [{ bucket: 3 - claimed.bucket, cancelled: true }],
    );
    assert.equal(await endExpansion(db, claimed), 'cancelled');
    assert.equal(await endExpansion(db, claimed), 'lost');
  });

  test('a finished or unknown task is not cancelled', async () => {
    assert.equal(await cancelTask(storage.home, taskId), false);
    assert.deepEqual(await findCancelledTasks(storage.home, [taskId]), []);
  });

  for (const size of [40, 700])
    test(`claim in the order of app turns among ${size} slices`, async () => {
      const random = randomFrom(size);
      const task = taskId + BigInt(size);
      const claim = { lane: 'bulk', leaseSeconds: 30, taskRange: [task, task], weightMax: 10_000 } as const;
      await insertSlices(
        db,
        Array.from({ length: size }, (): NewSlice => {
          const appId = random.pick(random.chance(0.9) ? ['busy'] : ['calm', 'rare']);
          return {
            ...{ taskId: task, bucket: 0, appId, channel: 'fcm', lane: 'bulk', state: 'ready', tried: [] },
            ...{ nativeSlice: null, status: Buffer.alloc(1), placeCount: 1, generations: '1', deviceIds: '4096' },
            dueInMs: -random.between(1, 1_000_000),
          };
        }),
      );
      for (let round = 0; round < 5; round++) {
        const apps = await findDueApps(db, 'slices', 'bulk', claim.taskRange);
        const turns = new Map(apps.map((appId) => [appId, random.below(4)]));
        const at = await now();
        const due = (await rows()).filter((row) => row.taskId === task && claims.isDue(row, at));
        const expectedSlices = orderByAppTurns(due, turns).slice(0, 7);
        const claimed = await claimSlices(db, { ...claim, limit: 7, turns });
        assert.deepEqual(claimed.map(sliceKeyText).sort(), expectedSlices.map(sliceKeyText).sort());
        assert.ok(
          round > 0 || new Set(claimed.map(({ appId }) => appId)).size > 1,
          'the first claim contains several apps',
        );
      }
    });

  test('concurrent claims of a backlog return different slices', async () => {
    const task = taskId + 5_000n;
    const claim = {
      lane: 'bulk',
      leaseSeconds: 30,
      taskRange: [task, task],
      weightMax: 10_000,
      turns: null,
    } as const;
    await insertSlices(
      db,
      Array.from(
        { length: 600 },
        (_, i): NewSlice => ({
          ...{
            taskId: task,
            bucket: 0,
            appId: `app-${i % 3}`,
            channel: 'fcm',
            lane: 'bulk',
            state: 'ready',
            tried: [],
          },
          ...{
            nativeSlice: null,
            status: Buffer.alloc(1),
            placeCount: 1,
            generations: '1',
            deviceIds: '4096',
            dueInMs: 0,
          },
        }),
      ),
    );
    const claimed = (
      await Promise.all(Array.from({ length: 20 }, () => claimSlices(db, { ...claim, limit: 30 })))
    ).flat();
    assert.equal(new Set(claimed.map(sliceKeyText)).size, claimed.length);
    const rest = await claimSlices(db, { ...claim, limit: 600 });
    assert.equal(claimed.length + rest.length, 600);
  });

  test('change badges like the domain', async () => {
    const random = randomFrom(11);
    const expected = new Map<bigint, { generation: number; badge: number }>();
    for (let round = 0; round < 60; round++) {
      const changes = Array.from({ length: random.between(1, 12) }, () => {
        const bucket = random.below(2);
        // Devices of two blocks.
        const deviceId = (BigInt(random.below(4)) << 29n) + BigInt(random.below(3) * 4_096 + bucket);
        const badge = random.pick(['+1', '+1', '+250', '7', '0', '+0', '2147483647']);
        return { appId: 'app', bucket, deviceId, generation: 1 + random.below(1 + Math.ceil(round / 10)), badge };
      });
      // Within one call, all changes of a device belong to one login.
      const latest = new Map(changes.map(({ deviceId, generation }) => [deviceId, generation]));
      const consistent = changes.map((change) => ({ ...change, generation: latest.get(change.deviceId) as number }));
      await changeBadges(db, consistent, { isAsync: random.chance(0.5) });
      for (const { deviceId, generation, badge } of consistent) {
        const entry = expected.get(deviceId) ?? { generation: 0, badge: 0 };
        if (generation < entry.generation && entry.badge > 0) continue;
        const current = generation === entry.generation ? entry.badge : 0;
        expected.set(deviceId, { generation, badge: applyBadge(current, badge) });
      }
      const rows = await db.query<{ deviceId: bigint; generation: number; badge: number }>(
        `select e.device_id as "deviceId", e.generation, e.badge
           from badge_blocks b, unnest(b.device_ids, b.generations, b.badges) as e (device_id, generation, badge)
          where e.badge > 0`,
      );
      const present = [...expected].flatMap(([deviceId, entry]) => (entry.badge > 0 ? [{ deviceId, ...entry }] : []));
      const sorted = <T extends { deviceId: bigint }>(list: readonly T[]) =>
        list.toSorted((one, other) => (one.deviceId < other.deviceId ? -1 : 1));
      assert.deepEqual(sorted(rows), sorted(present));
    }
    assert.ok(expected.size > 20);
  });
});
