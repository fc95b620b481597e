import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Stack, startStack } from '../../scripts/stack/stack.ts';
import { type ApiResponse, type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';

const CALLS = 20;
/**
 * Time to wait before checking that no call has returned. A response sent before its commit would be received within a
 * few milliseconds.
 */
const EARLY_RESPONSE_MS = 500;
const UNAVAILABLE_CODE = 50003;

type Notified = ApiResponse<{ task_id: number }>;

describe('commit before the 200 response', () => {
  let stack: Stack;
  let carillon: Carillon;

  before(async () => {
    stack = await startStack();
    carillon = await startCarillon({ stack, gateways: 0, workers: 0 });
  });
  after(async () => {
    await carillon?.[Symbol.asyncDispose]();
    await stack?.stop();
  });

  /** Sends calls and collects the responses as they are received. */
  function notifyMany(prefix: string): { answers: Notified[]; all: Promise<unknown> } {
    const answers: Notified[] = [];
    const calls = Array.from({ length: CALLS }, async (_, i) => {
      const body = { audience: 'all', message: { body: 'hello' }, setting: { request_id: `${prefix}-${i}` } };
      answers.push(await carillon.tryPost<{ task_id: number }>('/push/notify', body));
    });
    return { answers, all: Promise.all(calls) };
  }

  async function countTasks(taskIds: readonly number[]): Promise<bigint> {
    const [row] = await carillon.storage.home.query<{ tasks: bigint }>(
      'select count(*) as tasks from tasks where task_id = any($1)',
      [taskIds.map(BigInt)],
    );
    return row?.tasks ?? 0n;
  }

  test('returns no task id before PostgreSQL has committed the task', async () => {
    await using commits = await holdCommits(stack);
    const { answers, all } = notifyMany('held');
    await commits.someoneWaits();
    await sleep(EARLY_RESPONSE_MS);
    assert.equal(answers.length, 0, `${answers.length} calls returned before their commit`);

    await commits.release();
    await all;
    assert.deepEqual(new Set(answers.map(({ code }) => code)), new Set([200]));
    assert.equal(await countTasks(answers.map(({ data }) => data.task_id)), BigInt(CALLS));
  });

  test('returns only task ids that survive if PostgreSQL is killed during the commit, and creates one task per request id on a retry', async () => {
    const commits = await holdCommits(stack);
    const { answers, all } = notifyMany('cut');
    await commits.someoneWaits();
    await commits.forget();
    await stack.kill('postgres');
    await all;
    // PostgreSQL applies the setting asynchronously, so a few commits may not have waited.
    const accepted = answers.filter(({ code }) => code === 200).map(({ data }) => data.task_id);
    const otherCodes = answers.map(({ code }) => code).filter((code) => code !== 200);
    assert.deepEqual(new Set(otherCodes), new Set([UNAVAILABLE_CODE]));

    await stack.start('postgres');
    const again = await eventually(async () => {
      const repeated = notifyMany('cut');
      await repeated.all;
      assert.deepEqual(new Set(repeated.answers.map(({ code }) => code)), new Set([200]));
      return repeated.answers.map(({ data }) => data.task_id);
    });
    assert.equal(new Set(again).size, CALLS);
    assert.equal(await countTasks(accepted), BigInt(accepted.length));
    assert.ok(accepted.every((taskId) => again.includes(taskId)));
    const [row] = await carillon.storage.home.query<{ keys: bigint }>(
      `select count(*) as keys from request_keys k join tasks t using (task_id) where k.request_id like 'cut-%'`,
    );
    assert.equal(row?.keys, BigInt(CALLS));
  });
});

/** Makes every commit of the server wait for a standby that does not exist. */
async function holdCommits(stack: Stack): Promise<
  {
    someoneWaits(): Promise<void>;
    release(): Promise<void>;
    /** Resets the setting without a reload, so that commits no longer wait after the next start of PostgreSQL. */
    forget(): Promise<void>;
  } & AsyncDisposable
> {
  const client = new Client(stack.databaseUrl('postgres'));
  client.on('error', () => {}); // the server is killed while this client is connected
  await client.connect();
  await client.query(`alter system set synchronous_standby_names = 'nobody'`);
  await client.query('select pg_reload_conf()');
  const reset = () => client.query('alter system reset synchronous_standby_names');
  const release = async () => {
    await reset();
    await client.query('select pg_reload_conf()');
  };
  return {
    someoneWaits: () =>
      eventually(async () => {
        const { rowCount } = await client.query(`select from pg_stat_activity where wait_event = 'SyncRep'`);
        assert.ok(rowCount, 'no commit is waiting');
      }),
    release,
    forget: async () => {
      await reset();
      await client.end();
    },
    [Symbol.asyncDispose]: async () => {
      await release();
      await client.end();
    },
  };
}
