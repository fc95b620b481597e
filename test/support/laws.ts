import assert from 'node:assert/strict';
import type { HomeDb, ShardDb, Truth } from '#src/truth/database.ts';

/** Each law of the ledger as a question whose right answer is no row at all. */
const homeLaws = {
  'L1 a request key maps to a task that exists': `
    select k.app_id, k.author, k.request_id
      from request_keys k left join tasks t using (task_id)
     where t.task_id is null or t.app_id <> k.app_id`,
} as const;

const shardLaws = {
  'L2 within a task and channel a device has one place': `
    select s.task_id, s.channel, d.device_id
      from slices s join slice_targets t using (task_id, shard, slice), unnest(t.device_ids) as d (device_id)
     group by 1, 2, 3
    having count(*) > 1`,
  'L3 a slice has n statuses, n bits and n targets': `
    select s.task_id, s.slice
      from slices s left join slice_targets t using (task_id, shard, slice)
     where length(s.status) <> s.n or length(s.sent) <> s.n or length(s.received) <> s.n
        or cardinality(t.device_ids) is distinct from s.n::int or cardinality(t.generations) is distinct from s.n::int`,
  'L4 what was received was sent': `
    select task_id, slice from slices where bit_count(received & ~sent) > 0`,
  'L4 a place that is sent has its sent bit': `
    select s.task_id, s.slice, p.place
      from slices s, generate_series(0, s.n - 1) as p (place)
     where get_byte(s.status, p.place) = 10 and get_bit(s.sent, p.place) = 0`,
  'L7 a closed slice has no open place': `
    select s.task_id, s.slice, p.place
      from slices s, generate_series(0, s.n - 1) as p (place)
     where s.state = 'closed' and get_byte(s.status, p.place) < 10`,
  'L9 no inbox row outlives its expiry by more than a sweep': `
    select device_id, task_id from inbox where expires_at < now() - interval '60 s'`,
  "L10 a slice's devices are its app's": `
    select s.task_id, s.slice
      from slices s join slice_targets t using (task_id, shard, slice), unnest(t.device_ids) as x (device_id)
      join devices d on d.device_id = x.device_id
     where d.app_id <> s.app_id`,
} as const;

/** Fails with the first law that is broken. Finished tasks are held against the shards as well (L7). */
export async function checkLaws(truth: Truth): Promise<void> {
  await check(truth.home, homeLaws);
  for (const db of truth.shards.all) await check(db, shardLaws);
  const finished = await truth.home.query<{ taskId: bigint; expansions: number }>(
    `select task_id as "taskId", expansions from tasks where state = 'finished'`,
  );
  const done = new Map<bigint, number>();
  for (const db of truth.shards.all) {
    const open = await db.query(`select task_id from slices where state <> 'closed' and task_id = any($1)`, [
      finished.map(({ taskId }) => taskId),
    ]);
    assert.deepEqual(open, [], 'L7 a finished task has no open slice');
    const expanded = await db.query<{ taskId: bigint }>(
      `select task_id as "taskId" from expansions where state = 'done'`,
    );
    for (const { taskId } of expanded) done.set(taskId, (done.get(taskId) ?? 0) + 1);
  }
  for (const { taskId, expansions } of finished)
    assert.equal(done.get(taskId), expansions, 'L7 a finished task has no undone expansion');
}

async function check(db: HomeDb | ShardDb, laws: Readonly<Record<string, string>>): Promise<void> {
  for (const [law, question] of Object.entries(laws)) assert.deepEqual(await db.query(question), [], law);
}
