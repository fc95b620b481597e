import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BUCKETS } from '#src/domain/bucket.ts';
import { placeStatus } from '#src/domain/slice.ts';
import { bucketOfTask } from '#src/domain/task.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { seedAdminToken } from '../../../scripts/dev/seed.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';

interface Part {
  readonly laws: readonly string[];
  readonly tasks: number;
  readonly slices: number;
  readonly places: number;
  readonly list: readonly {
    law: string;
    what: string;
    task_id: number | null;
    bucket: number | null;
    slice: number | null;
  }[];
  readonly next: string | null;
}

const OTHER_APP = 'other-app';

describe('verification of the ledger invariants', () => {
  let carillon: Carillon;
  let user: TestUser;
  const logins: Login[] = [];
  /** A finished task to all phones through APNs, in one slice. */
  let taskId: bigint;
  let everyone: bigint;
  let db: ShardDb;

  before(async () => {
    carillon = await startCarillon({ checksLaws: false, settings: { CARILLON_SINGLE_EXPANSION_DEVICES_MAX: '0' } });
    await carillon.addApp(OTHER_APP);
    user = await carillon.createUser('ann');
    for (const name of ['one', 'two', 'three']) {
      const login = await carillon.logIn(user, `phone-${name}`);
      await carillon.post('/device/bind', { provider: 1, token: `live-${name}` }, { token: login.token });
      logins.push(login);
    }
    const setting = { request_id: 'r', distribution_strategy: 'ospush_only' };
    taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'hello' }, setting);
    everyone = await carillon.notify('all', { body: 'hello' });
    await waitUntilFinished(carillon.storage, taskId);
    await waitUntilFinished(carillon.storage, everyone);
    db = carillon.storage.shards.dbFor(bucketOfTask(taskId));
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  async function verify(): Promise<Part[]> {
    const parts: Part[] = [];
    for (let next: string | null | undefined; next !== null; next = parts.at(-1)?.next) {
      assert.ok(parts.length < 100, 'the pages come to an end');
      parts.push((await carillon.post<Part>('/admin/ledger/verify', next === undefined ? {} : { after: next })).data);
    }
    return parts;
  }

  /** Corrupts the ledger, returns the violated invariants with their tasks, and repairs the ledger. */
  async function broken(breaking: () => Promise<() => Promise<unknown>>): Promise<[string, bigint | null][]> {
    const repair = await breaking();
    try {
      const list = (await verify()).flatMap((part) => part.list);
      await assert.rejects(checkLaws(carillon.storage), 'the tests detect the violation too');
      return [...new Map(list.map(({ law, task_id }) => [law, task_id === null ? null : BigInt(task_id)]))];
    } finally {
      await repair();
    }
  }

  /** Sets columns of the slice, and returns a function that restores them. */
  const withSlice = (set: string) => async () => {
    const columns = 'status, sent, received, state, app_id, n';
    await db.query(`create table kept as select ${columns} from slices where task_id = $1`.replace('$1', `${taskId}`));
    await db.query(`update slices set ${set} where task_id = $1`, [taskId]);
    return async () => {
      await db.query(`update slices set (${columns}) = (select ${columns} from kept) where task_id = $1`, [taskId]);
      await db.query('drop table kept');
    };
  };

  test('an intact ledger violates no invariant, and everything is checked', async () => {
    const parts = await verify();
    assert.deepEqual(
      parts.flatMap(({ list }) => list),
      [],
    );
    const laws = new Set(parts.flatMap((part) => part.laws));
    assert.deepEqual([...laws].sort(), ['L1', 'L10', 'L11', 'L2', 'L3', 'L4', 'L7', 'L8', 'L9']);
    const sum = (name: 'tasks' | 'places') => parts.reduce((total, part) => total + part[name], 0);
    assert.deepEqual([sum('tasks'), sum('places')], [2, 6]);
    await checkLaws(carillon.storage);
  });

  test('L1: a request key without a task', async () => {
    const { home } = carillon.storage;
    const reported = await broken(async () => {
      await home.query(`update request_keys set task_id = task_id + 1000 where request_id = 'r'`);
      return () => home.query(`update request_keys set task_id = task_id - 1000 where request_id = 'r'`);
    });
    assert.deepEqual(reported, [['L1', taskId + 1_000n]]);
  });

  const twice = async () => {
    const { places } = (
      await db.query<{ places: bigint[] }>('select device_ids as places from slice_targets where task_id = $1', [
        taskId,
      ])
    )[0] as { places: bigint[] };
    await db.query('update slice_targets set device_ids[2] = device_ids[1] where task_id = $1', [taskId]);
    return async () => {
      await db.query('update slice_targets set device_ids = $2 where task_id = $1', [taskId, places]);
    };
  };
  test('L2: a device with two places', async () => {
    assert.deepEqual(await broken(twice), [['L2', taskId]]);
  });

  const rows: readonly (readonly [string, string, string])[] = [
    ['L3', 'an extra status', `status = status || '\\x0a'`],
    ['L4', 'received but not sent', `received = '010', sent = '101', status = '\\x0a0f0a'`],
    ['L4', 'a sent place without its bit', `sent = '101'`],
    ['L7', 'an open place in a closed slice', `status = set_byte(status, 1, ${placeStatus.waiting})`],
    ['L7', 'an open slice of a finished task', `state = 'waiting', next_at = 'infinity'`],
  ];
  for (const [law, what, set] of rows)
    test(`${law}: ${what}`, async () => assert.deepEqual(await broken(withSlice(set)), [[law, taskId]]));

  test('L3: bitmaps of another length do not prevent the check of other invariants', async () => {
    assert.deepEqual(await broken(withSlice(`sent = '1', received = '11'`)), [['L3', taskId]]);
  });

  test('L8 and L10: a slice whose app ID differs from that of its task is missing from the counters of the task', async () => {
    assert.deepEqual(await broken(withSlice(`app_id = '${OTHER_APP}'`)), [
      ['L10', taskId],
      ['L8', taskId],
    ]);
  });

  test('L7: an unfinished expansion', async () => {
    const at = carillon.storage.shards.dbFor(0);
    const setState = (state: string) =>
      at.query(`update expansions set state = $2, next_at = 'infinity' where task_id = $1 and bucket = 0`, [
        everyone,
        state,
      ]);
    const reported = await broken(async () => {
      await setState('ready');
      return () => setState('done');
    });
    assert.deepEqual(reported, [['L7', everyone]]);
  });

  for (const [what, from, to] of [
    ['a gap', 0, 1],
    ['an overlap', 1, 0],
  ] as const)
    test(`L11: ranges with ${what}`, async () => {
      const last = carillon.storage.shards.dbFor(BUCKETS - 1);
      const move = (by: number) =>
        last.query(
          `update expansions set last_bucket = last_bucket - $2 where task_id = $1 and last_bucket = (
             select max(last_bucket) from expansions where task_id = $1)`,
          [everyone, by],
        );
      const reported = await broken(async () => {
        await move(to - from);
        return () => move(from - to);
      });
      assert.deepEqual(reported, [['L11', everyone]]);
    });

  test('L9: an expired notification in an inbox', async () => {
    // The worker would delete it within two minutes, which is longer than the test takes.
    const reported = await broken(async () => {
      await db.query(
        `insert into inbox (app_id, bucket, device_id, task_id, generation, slice_bucket, slice, place, n, expires_at)
         values ($1, 0, 4096, $2, 1, 0, 1, 0, 1, now() - interval '10 min')`,
        [carillon.appId, taskId],
      );
      return () => db.query('delete from inbox where task_id = $1', [taskId]);
    });
    assert.deepEqual(reported, [['L9', taskId]]);
  });

  test('L10: a place with a device of another app', async () => {
    const reported = await broken(async () => {
      const guid = logins[0]?.deviceGuid;
      const move = async (from: string, to: string) => {
        for (const shards of carillon.storage.shards.all)
          await shards.query('update devices set app_id = $2 where app_id = $1 and device_guid = $3 and user_id = $4', [
            from,
            to,
            guid,
            user.userId,
          ]);
      };
      await move(carillon.appId, OTHER_APP);
      return () => move(OTHER_APP, carillon.appId);
    });
    assert.deepEqual(
      reported.map(([law]) => law),
      ['L10'],
    );
  });

  test('a violation in one app is not reported to another app, and the repaired ledger is intact', async () => {
    const token = await seedAdminToken(carillon.storage.home, OTHER_APP);
    const repair = await withSlice(`sent = '101'`)();
    const options = { token, headers: { app_id: OTHER_APP } };
    const { data } = await carillon.post<Part>('/admin/ledger/verify', { after: `t${taskId}.0.0.1` }, options);
    assert.deepEqual([data.tasks, data.slices, data.list, data.next], [0, 0, [], null]);
    await repair();
    assert.deepEqual(
      (await verify()).flatMap(({ list }) => list),
      [],
    );
  });
});
