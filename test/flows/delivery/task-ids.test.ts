import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUCKETS } from '#src/domain/bucket.ts';
import { bucketOfTask, firstTaskIdAt } from '#src/domain/task.ts';
import { createLog } from '#src/foundation/log.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { acceptTasks, type NewTask } from '#src/storage/ledger/tasks.ts';
import { createMigratedDatabases, type TestDatabases } from '../../support/databases.ts';

const TASKS = 20_000;
/** As many tasks as an API process accepts in one statement. */
const BATCH = 200;
const CONNECTIONS = 4;
const AHEAD_SECONDS_MAX = 512;
const IDS_PER_SECOND = 1_024n * BigInt(BUCKETS);
const NOW = new Date(Math.floor(Date.now() / 1_000) * 1_000);

describe('task IDs', () => {
  let databases: TestDatabases;
  let storage: Storage;
  /** The function that generates IDs. The tests replace its clock by one that repeats the same second. */
  let definition: string;

  before(async () => {
    databases = await createMigratedDatabases();
    const settings = { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 60 };
    const log = createLog({ level: 'error', fields: { role: 'test' } });
    storage = await openStorage({ settings, connections: CONNECTIONS, log });
    const [mint] = await storage.home.query<{ definition: string }>(
      `select pg_get_functiondef('mint_task_id'::regproc) as definition`,
    );
    definition = mint?.definition as string;
    const frozen = definition.replace(
      'extract(epoch from clock_timestamp())',
      `(${NOW.getTime() / 1_000} + extract(epoch from clock_timestamp()) % 1)`,
    );
    assert.notEqual(frozen, definition);
    await storage.home.query(frozen);
  });
  after(async () => {
    await storage?.close();
    await databases?.[Symbol.asyncDispose]();
  });

  /** Accepts tasks in batches, on several connections at the same time. Returns a result for each task. */
  async function accept(tasks: readonly NewTask[]): Promise<{ task: NewTask; taskId: bigint; repeated: boolean }[]> {
    const batches = Array.from({ length: Math.ceil(tasks.length / BATCH) }, (_, i) =>
      tasks.slice(i * BATCH, (i + 1) * BATCH),
    );
    const accepted: { task: NewTask; taskId: bigint; repeated: boolean }[] = [];
    const work = async () => {
      for (let batch = batches.pop(); batch; batch = batches.pop())
        (await acceptTasks(storage.home, batch)).forEach((result, i) => {
          if (result instanceof Error) throw result;
          accepted.push({ task: (batch as NewTask[])[i] as NewTask, ...result });
        });
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    return accepted;
  }

  const newTask = (appId: string, bucket: number, requestId: string | null): NewTask => ({
    token: { kind: 'admin', tokenId: 1n, parent: null },
    ...{ bucket, appId, author: 'admin', requestId, bodyHash: Buffer.alloc(32), lane: 'prompt', byRange: false },
    ...{ strategy: 'combined', ospushSequence: [], audience: { kind: 'user_id', userIds: [] }, groupId: null },
    ...{ messageText: '{}', dueAt: null, notAfter: null },
  });

  const distributions: Readonly<Record<string, (i: number) => number>> = {
    'spread evenly': (i) => (i * 2_654_435_761) % BUCKETS,
    // The first bucket gets half of the tasks, the next one a quarter, and so on.
    'skewed to a few buckets': (i) => Math.clz32(i + 1),
    'all in one bucket': () => 4_095,
  };
  for (const [what, bucketOf] of Object.entries(distributions))
    for (const withKeys of [true, false])
      test(`are distinct for ${TASKS} tasks in one second, ${what}, ${withKeys ? 'with' : 'without'} idempotency keys`, async () => {
        const appId = `${what} ${withKeys}`;
        const tasks = await accept(
          Array.from({ length: TASKS }, (_, i) => newTask(appId, bucketOf(i), withKeys ? `key-${i}` : null)),
        );
        assert.equal(new Set(tasks.map(({ taskId }) => taskId)).size, TASKS);
        for (const { task, taskId } of tasks) assert.equal(bucketOfTask(taskId), task.bucket);
        const ids = tasks.map(({ taskId }) => taskId).sort((a, b) => Number(a - b));
        const ahead = Number(((ids.at(-1) as bigint) - firstTaskIdAt(NOW)) / IDS_PER_SECOND);
        assert.ok(ahead <= AHEAD_SECONDS_MAX, `an ID is ${ahead} s ahead`);
        const stored = await storage.home.query<{ taskId: bigint }>(
          'select task_id as "taskId" from tasks where app_id = $1 order by 1',
          [appId],
        );
        assert.deepEqual(
          stored.map(({ taskId }) => taskId),
          ids,
        );
        const keys = await storage.home.query<{ key: string; bucket: number; taskId: bigint }>(
          'select request_id as key, bucket, task_id as "taskId" from request_keys where app_id = $1',
          [appId],
        );
        const byKey = new Map(tasks.map(({ task, taskId }) => [task.requestId, { bucket: task.bucket, taskId }]));
        assert.equal(keys.length, withKeys ? TASKS : 0);
        for (const { key, bucket, taskId } of keys) assert.deepEqual(byKey.get(key), { bucket, taskId });
      });

  test('a repeated idempotency key adds nothing, even if it is repeated at the same time', async () => {
    const tasks = Array.from({ length: 400 }, (_, i) => newTask('repeated', i % 3, `key-${i}`));
    const first = await accept([...tasks, ...tasks.toReversed()]);
    assert.equal(first.filter(({ repeated }) => !repeated).length, 400);
    assert.equal(new Set(first.map(({ taskId }) => taskId)).size, 400);
    assert.ok((await accept(tasks)).every(({ repeated }) => repeated));
    const [stored] = await storage.home.query(`select from tasks where app_id = 'repeated' having count(*) = 400`);
    assert.ok(stored);
  });

  test('are ordered by the time of acceptance', async () => {
    await storage.home.query(definition);
    const ids: bigint[] = [];
    for (let i = 0; i < 50; i++) {
      const [accepted] = await accept([newTask('ordered', (i * 1_000) % BUCKETS, null)]);
      ids.push(accepted?.taskId as bigint);
      await sleep(2);
    }
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => Number(a - b)),
    );
  });
});
