import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readApnsTally, readApnsTimes } from '../support/apns-tally.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { DatabaseProxy, type ProxyMode } from '../support/database-proxy.ts';
import { TEST_DATABASES } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { insertFleet } from '../support/fleet.ts';

/** More devices than are expanded as one list. */
const DEVICES = 12_000;
const PER_SECOND = 40;
/** Maximum time for which devices are still notified after the response to the cancellation. */
const SECONDS_MAX = 5;
const WATCH_EVERY_MS = 250;
const WATCH_SECONDS = 45;
/** The watch ends early if the whole task is marked as cancelled and no device was notified for this time. */
const QUIET_MS = 4_000;

/** With one database, no database is apart from the home database. */
const skip = TEST_DATABASES < 2;

describe('a cancellation that is committed in the home database but does not reach the shards', { skip }, () => {
  let carillon: Carillon;
  const proxies: DatabaseProxy[] = [];

  before(async () => {
    carillon = await startCarillon({ apis: 0, gateways: 0, workers: 2 });
    const entries: string[] = [];
    for (const entry of (carillon.settings.CARILLON_SHARD_DATABASES as string).split(' ')) {
      const [name, url] = [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)];
      const proxy = await DatabaseProxy.start(url);
      proxies.push(proxy);
      entries.push(`${name}=${proxy.url}`);
    }
    // Only the API process uses the proxies, so the workers can always reach the shards.
    await carillon.start('api', { CARILLON_SHARD_DATABASES: entries.join(' ') });
    await carillon.storage.home.query('update certificates set per_second = $1', [PER_SECOND]);
    await insertFleet(carillon.storage, carillon.appId, DEVICES);
  });
  after(async () => {
    await carillon?.[Symbol.asyncDispose]();
    for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
  });

  function setProxies(mode: ProxyMode): void {
    for (const proxy of proxies) proxy.setMode(mode);
  }

  /** Returns the number of notifications that the APNs simulator accepted. */
  async function countAccepted(taskId: bigint): Promise<number> {
    const tokens = (await readApnsTally(carillon)).get(taskId);
    return tokens ? [...tokens.values()].reduce((sum, times) => sum + times, 0) : 0;
  }

  async function readTask(taskId: bigint): Promise<{ state: string; cancelled: boolean; nextInSeconds: number }> {
    const [row] = await carillon.storage.home.query<{ state: string; cancelled: boolean; nextInSeconds: number }>(
      `select state, cancelled_at is not null as cancelled, extract(epoch from next_at - now())::float8 as "nextInSeconds"
         from tasks where task_id = $1`,
      [taskId],
    );
    assert.ok(row);
    return row;
  }

  /** Returns the number of open slices and expansions, by whether they are marked as cancelled. */
  async function countOpen(taskId: bigint): Promise<{ cancelled: number; notCancelled: number }> {
    const rows = await Promise.all(
      carillon.storage.shards.all.map((db) =>
        db.query<{ cancelled: boolean }>(
          `select cancelled from slices where task_id = $1 and state <> 'closed'
           union all
           select cancelled from expansions where task_id = $1 and state <> 'done'`,
          [taskId],
        ),
      ),
    );
    const cancelled = rows.flat().filter((row) => row.cancelled).length;
    return { cancelled, notCancelled: rows.flat().length - cancelled };
  }

  const openText = ({ cancelled, notCancelled }: { cancelled: number; notCancelled: number }) =>
    `${notCancelled} open slices and expansions are not marked as cancelled, ${cancelled} are`;

  for (const dueSeconds of [0, 3_600])
    test(`of a task that became due ${dueSeconds} s ago stops the sending within ${SECONDS_MAX} s`, async () => {
      const { home } = carillon.storage;
      setProxies('open');
      await home.query('update rates set permits = 0, at = now()');
      const taskId = await carillon.notify('all', { body: 'never mind' });
      await eventually(async () => assert.ok((await countAccepted(taskId)) > 20, 'sending has not started'), 60);
      await eventually(async () => assert.equal((await readTask(taskId)).state, 'planned'), 20);
      if (dueSeconds > 0) {
        // The same state as after an hour of sending, immediately after a sweep has checked the task.
        await home.query(`update tasks set due_at = now() - $2 * interval '1 s', next_at = now() where task_id = $1`, [
          taskId,
          dueSeconds,
        ]);
        await eventually(async () => assert.ok((await readTask(taskId)).nextInSeconds > 5), 10);
      }

      setProxies('refuse');
      const response = await carillon.tryPost('/push/task/cancel', { task_id: taskId });
      const cancelledAt = Date.now();
      setProxies('open');
      const { cancelled, nextInSeconds } = await readTask(taskId);
      const acceptedBefore = await countAccepted(taskId);
      console.log(
        `  due ${dueSeconds} s ago: response ${response.status} ${response.code}, cancelled in home: ${cancelled}, ${acceptedBefore} notified, next check in ${nextInSeconds.toFixed(1)} s`,
      );
      console.log(`  ${openText(await countOpen(taskId))}`);
      assert.equal(cancelled, true);

      let lastMs = 0;
      while (Date.now() - cancelledAt < WATCH_SECONDS * 1_000) {
        await sleep(WATCH_EVERY_MS);
        const [, lastAt = 0] = (await readApnsTimes(carillon)).get(taskId) ?? [];
        lastMs = Math.max(0, lastAt - cancelledAt);
        const { notCancelled } = await countOpen(taskId);
        if (notCancelled === 0 && Date.now() - cancelledAt - lastMs > QUIET_MS) break;
      }
      const watchedSeconds = (Date.now() - cancelledAt) / 1_000;
      console.log(
        `  ${(await countAccepted(taskId)) - acceptedBefore} devices were notified after the cancellation, the last ${(lastMs / 1_000).toFixed(1)} s after it (watched for ${watchedSeconds.toFixed(0)} s)`,
      );
      console.log(
        `  ${openText(await countOpen(taskId))}; next check in ${(await readTask(taskId)).nextInSeconds.toFixed(1)} s`,
      );
      await carillon.post('/push/task/cancel', { task_id: taskId }); // so that the next test has the whole rate
      assert.ok(
        lastMs <= SECONDS_MAX * 1_000,
        `devices were still notified ${(lastMs / 1_000).toFixed(1)} s after the cancellation`,
      );
    });
});
