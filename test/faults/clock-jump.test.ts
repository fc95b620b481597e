import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';
import { waitUntilFinished } from '../support/ledger.ts';

/** More than two sweeps, each of which would claim the task. */
const PAUSED_MS = 2_500;

describe('a clock of the home database that jumps', () => {
  let carillon: Carillon;
  let userId: bigint;

  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 0 });
    ({ userId } = await carillon.createUser('ann'));
    const { home } = carillon.storage;
    const database = new URL(carillon.settings.CARILLON_DATABASE_URL as string).pathname.slice(1);
    // Workers find this function instead of the one of PostgreSQL. It returns the real time plus the jump.
    await home.query('create schema clock');
    await home.query(`create table clock.jump as select interval '0' as size`);
    await home.query('grant usage on schema clock to public; grant select on clock.jump to public');
    await home.query(
      `create function clock.clock_timestamp() returns timestamptz volatile language sql
       as 'select pg_catalog.clock_timestamp() + size from clock.jump'`,
    );
    await home.query(`alter database ${database} set search_path = clock, pg_catalog, public`);
    await carillon.start('worker');
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const jumpBy = (size: string) => carillon.storage.home.query('update clock.jump set size = $1::interval', [size]);
  const countEvents = (event: string) => carillon.logLines.filter((line) => line.includes(`"${event}"`)).length;

  async function stateOf(taskId: bigint): Promise<string | undefined> {
    const { home } = carillon.storage;
    const [task] = await home.query<{ state: string }>('select state from tasks where task_id = $1', [taskId]);
    return task?.state;
  }

  for (const [direction, size] of [
    ['forwards', '2 min'],
    ['backwards', '-2 min'],
  ] as const)
    test(`${direction} stops claims until it has its expected value again`, async () => {
      const [jumped, stable] = [countEvents('clock-jumped'), countEvents('clock-stable')];
      await waitUntilFinished(carillon.storage, await carillon.notify({ user_id: [userId] }, { body: 'before' }));
      await jumpBy(size);
      await eventually(() => assert.equal(countEvents('clock-jumped'), jumped + 1));
      const taskId = await carillon.notify({ user_id: [userId] }, { body: 'during' });
      await sleep(PAUSED_MS); // Nothing can be awaited, because nothing happens.
      assert.equal(await stateOf(taskId), 'accepted');
      assert.equal(countEvents('clock-jumped'), jumped + 1, 'a jump is logged once');
      await jumpBy('0');
      await waitUntilFinished(carillon.storage, taskId);
      assert.equal(countEvents('clock-stable'), stable + 1);
    });

  test('by less than a minute does not stop claims', async () => {
    const jumped = countEvents('clock-jumped');
    await jumpBy('50 s');
    await waitUntilFinished(carillon.storage, await carillon.notify({ user_id: [userId] }, { body: 'after' }));
    await jumpBy('0');
    assert.equal(countEvents('clock-jumped'), jumped);
  });
});
