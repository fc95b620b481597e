import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readApnsTally } from '../support/apns-tally.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { countWarnings } from '../support/count-warnings.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { type Fleet, insertFleet } from '../support/fleet.ts';

const DEVICES = Number(process.env.DEVICES ?? 4_000);
/** With `OUTAGES=0`, no device may be notified twice either: the duplicates are caused by the outages. */
const OUTAGES = Number(process.env.OUTAGES ?? 3);
const OUTAGE_MS = 2_000;
/** Each outage starts after this many further devices were notified. */
const DEVICES_BETWEEN_OUTAGES = 300;

describe('short outages of the home database while slices are sent', () => {
  let carillon: Carillon;
  let proxy: DatabaseProxy;
  let fleet: Fleet;

  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 0 });
    proxy = await DatabaseProxy.start(carillon.settings.CARILLON_DATABASE_URL as string);
    await carillon.start('worker', { CARILLON_DATABASE_URL: proxy.url });
    fleet = await insertFleet(carillon.storage, carillon.appId, DEVICES);
  });
  after(async () => {
    await carillon?.[Symbol.asyncDispose]();
    await proxy?.[Symbol.asyncDispose]();
  });

  /** Returns the number of open places whose sent bit is set. */
  async function countOpenWithSentBit(taskId: bigint): Promise<number> {
    const rows = await Promise.all(
      carillon.storage.shards.all.map((db) =>
        db.query<{ count: number }>(
          `select count(*)::int as count from slices s, generate_series(0, s.n - 1) as p
            where s.task_id = $1 and s.state <> 'closed' and get_bit(s.sent, p) = 1 and get_byte(s.status, p) in (0, 1, 2, 3)`,
          [taskId],
        ),
      ),
    );
    return rows.flat().reduce((sum, { count }) => sum + count, 0);
  }

  test('no device that APNs has accepted is notified again', async () => {
    const { home } = carillon.storage;
    const taskId = await carillon.notify('all', { body: 'once' });
    const readTokens = async () => (await readApnsTally(carillon)).get(taskId) ?? new Map<string, number>();
    let openWithSentBit = 0;
    for (let i = 0; i < OUTAGES; i++) {
      const enough = (await readTokens()).size + DEVICES_BETWEEN_OUTAGES;
      const hasMore = await eventually(async () => assert.ok((await readTokens()).size >= enough), 30).then(
        () => true,
        () => false,
      );
      if (!hasMore) break;
      proxy.setMode('refuse');
      await sleep(OUTAGE_MS);
      const count = await countOpenWithSentBit(taskId);
      openWithSentBit += count;
      const { size } = await readTokens();
      console.log(`  outage ${i + 1}: ${size} devices notified, ${count} open places have their sent bit`);
      proxy.setMode('open');
    }
    await fleet.endThrottle();
    await eventually(async () => {
      await fleet.retryNow();
      const { size } = await readTokens();
      const [task] = await home.query<{ state: string }>('select state from tasks where task_id = $1', [taskId]);
      assert.equal(task?.state, 'finished', `only ${size} devices were notified`);
    }, 60);

    const tokens = [...(await readTokens()).values()];
    const repeated = tokens.filter((times) => times > 1);
    const duplicates = repeated.reduce((sum, times) => sum + times - 1, 0);
    console.log(
      `  ${DEVICES} devices, ${OUTAGES} outages: ${tokens.length} tokens notified, ${repeated.length} of them more than once (${duplicates} duplicates)`,
    );
    console.log(`  ${openWithSentBit} places were open with their sent bit during the outages`);
    console.log('  warnings', JSON.stringify(countWarnings(carillon)));
    assert.equal(repeated.length, 0, `${repeated.length} devices were notified more than once`);
  });
});
