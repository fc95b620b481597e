import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Stack, startStack } from '../../../scripts/stack/stack.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { insertFleet } from '../../support/fleet.ts';
import { waitUntilFinished } from '../../support/ledger.ts';
import { explainSettings, type Plan, readPlans, setExplain } from '../../support/recorded-plans.ts';

const DEVICES = 6_000;
/** A step of a plan may read every device once, and most read far fewer. */
const ROWS_MAX = 2 * DEVICES;

let stack: Stack;
let carillon: Carillon;

before(async () => {
  stack = await startStack({
    postgresSettings: { ...explainSettings, 'auto_explain.log_analyze': 'on', autovacuum: 'off' },
  });
  carillon = await startCarillon({ stack });
});
after(async () => {
  await carillon?.[Symbol.asyncDispose]();
  await stack?.stop();
});

/** The rows that a step has read in all its loops, including those that it has discarded. */
const rowsOf = (node: Plan): number =>
  (node['Actual Loops'] ?? 0) *
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0));

// After a restore or a large import, PostgreSQL has no statistics until autovacuum has analyzed the tables.
test('without statistics of PostgreSQL, no statement reads the devices once for each key', async () => {
  const { appId, storage } = carillon;
  const ada = await carillon.createUser('ada');
  const login = await carillon.logIn(ada, 'phone-1');
  await using phone = await connectDevice(carillon.gateways[0] as RoleProcess, login);
  const fleet = await insertFleet(storage, appId, DEVICES);
  const from = await setExplain(stack, storage, true);

  await carillon.post('/device/tag', { add: ['news'] }, { token: login.token });
  await carillon.post('/device/alias', { alias: 'ada' }, { token: login.token });
  const audiences = [
    'all' as const,
    { user_id: [ada.userId] },
    { alias: ['ada'] },
    { tag: ['news'] },
    { push_token: fleet.livePushTokens.slice(0, 500) },
  ];
  const taskIds: bigint[] = [];
  for (const audience of audiences) taskIds.push(await carillon.notify(audience, { body: 'hello' }));
  await eventually(() => assert.equal(phone.received.length, 4));
  await fleet.endThrottle();
  await eventually(async () => {
    await fleet.retryNow();
    for (const taskId of taskIds) await waitUntilFinished(storage, taskId, 1);
  }, 60);
  await setExplain(stack, storage, false);

  const plans = await readPlans(stack, from);
  assert.ok(plans.some(({ text }) => text.includes('from bindings')));
  const large = plans.filter(({ nodes }) => nodes.some((node) => rowsOf(node) > ROWS_MAX));
  assert.deepEqual([...new Set(large.map(({ text }) => text.slice(0, 300)))], []);
});
