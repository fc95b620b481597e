import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { startStack } from '../../scripts/stack/stack.ts';
import { startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';

const TASKS = 40;

test('a page of tasks with counters needs one statement per database, and the last page one more', async () => {
  await using resources = new AsyncDisposableStack();
  const stack = await startStack({ postgresSettings: { shared_preload_libraries: 'pg_stat_statements' } });
  resources.defer(() => stack.stop());
  const carillon = resources.use(await startCarillon({ stack, gateways: 0 }));
  const { home, shards } = carillon.storage;
  await carillon.logIn(await carillon.createUser('ann'), 'anns-phone');
  for (let i = 0; i < TASKS; i++) await carillon.notify('all', { body: `${i}` });

  const list = async (limit: number) => {
    const { data } = await carillon.post<{ list: { target: number }[] }>('/push/task/list', { counts: true, limit });
    return data.list.map(({ target }) => target);
  };
  const oneDeviceEach = Array.from({ length: TASKS }, () => 1);
  await eventually(async () => assert.deepEqual(await list(TASKS), oneDeviceEach), 60);
  // Only the API remains. It reads the tables of the ledger for this operation only.
  await (carillon.workers[0] as RoleProcess).stop();

  await home.query('create extension pg_stat_statements');
  const statementsOf = async (limit: number) => {
    await home.query('select pg_stat_statements_reset()');
    assert.deepEqual(await list(limit), oneDeviceEach.slice(0, limit));
    const [row] = await home.query<{ tasks: bigint; slices: bigint }>(
      `select coalesce(sum(calls) filter (where query ~ 'from tasks'), 0)::bigint as tasks,
              coalesce(sum(calls) filter (where query ~ 'slices'), 0)::bigint as slices
         from pg_stat_statements`,
    );
    return row;
  };
  const slices = BigInt(shards.all.length);
  assert.deepEqual(await statementsOf(1), { tasks: 1n, slices });
  assert.deepEqual(await statementsOf(TASKS - 1), { tasks: 1n, slices });
  // The second statement reads the older days.
  assert.deepEqual(await statementsOf(TASKS), { tasks: 2n, slices });
});
