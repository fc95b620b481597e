import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { providerByVendor } from '#src/domain/channel.ts';
import { lastDays } from '../../../console/src/shared/days.ts';
import { createHistory, type HistoryApp, pauseAndExpire } from '../../../scripts/dev/history/create-history.ts';
import { plannedTasks } from '../../../scripts/dev/history/planned-tasks.ts';
import { seedCertificate } from '../../../scripts/dev/seed.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { checkLaws } from '../../support/laws.ts';

const DEVICES_MAX = 1_200;
const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

interface Counters {
  readonly target: bigint;
  readonly sent: bigint;
  readonly received: bigint;
}
const sumOf = (list: readonly Counters[]): Counters =>
  list.reduce(
    (sum, row) => ({
      target: sum.target + BigInt(row.target),
      sent: sum.sent + BigInt(row.sent),
      received: sum.received + BigInt(row.received),
    }),
    { target: 0n, sent: 0n, received: 0n },
  );

describe('the history of npm run dev -- --demo', () => {
  let carillon: Carillon;
  let apps: readonly HistoryApp[];
  before(async () => {
    carillon = await startCarillon({ databases: 1, gateways: 0, workers: 0 });
    const { storage, keyrings, apns } = carillon;
    apps = await createHistory(storage, keyrings, { devicesMax: DEVICES_MAX });
    for (const { app_id } of apps)
      for (const vendor of ['apns', 'oppo'] as const)
        await seedCertificate(storage.home, keyrings, app_id, vendor, apns.certificate);
    await pauseAndExpire(storage.home);
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const call = <T>(appId: string, path: string, body: object) => {
    const token = apps.find(({ app_id }) => app_id === appId)?.admin_token as string;
    return carillon.post<T>(path, body, { token, headers: { app_id: appId } });
  };

  interface Task {
    readonly task_id: bigint;
    readonly state: string;
    readonly audience: string;
    readonly target: bigint;
    readonly sent: bigint;
    readonly received: bigint;
  }
  const tasksOf = async (appId: string) => {
    const tasks: Task[] = [];
    for (let after: bigint | null | undefined; after !== null; ) {
      const page = { limit: 100, counts: true, ...(after !== undefined && { after }) };
      const { data } = await call<{ list: Task[]; next: bigint | null }>(appId, '/push/task/list', page);
      tasks.push(...data.list);
      after = data.next;
    }
    return tasks;
  };

  test('has finished and cancelled tasks with counters', async () => {
    for (const { app_id } of apps) {
      const tasks = await tasksOf(app_id);
      assert.ok(tasks.length >= 20, `${app_id} has ${tasks.length} tasks`);
      assert.ok(tasks.every(({ target, sent }) => target > 0n && target >= sent));
    }
    const states = new Set((await tasksOf('news')).map(({ state }) => state));
    assert.deepEqual([...states].sort(), ['cancelled', 'finished']);
  });

  test('has the same tasks on each day, with a cancelled one and one that a vendor rejected at each hour', () => {
    const midnight = Date.UTC(2026, 10, 20);
    const planned = (app: string, now: number) =>
      plannedTasks(app, new Date(now)).map(({ at, ...task }) => ({ ...task, ageMs: now - at.getTime() }));
    for (let hour = 0; hour < 24; hour++) {
      const now = midnight + hour * HOUR_MS + 1;
      for (const app of ['shop', 'news']) {
        const tasks = planned(app, now);
        assert.ok(tasks.some(({ cancelled }) => cancelled));
        for (let days = 1; days <= 12; days++) assert.deepEqual(planned(app, now + days * DAY_MS), tasks);
      }
      assert.ok(planned('shop', now).some(({ audience, rejectedBy }) => audience.kind === 'all' && rejectedBy));
    }
  });

  test('has counts by day that are the sums over the tasks, before a worker has counted', async () => {
    for (const { app_id } of apps) {
      const { data } = await call<{ list: Counters[] }>(app_id, '/push/statistics/daily', lastDays(30, Date.now()));
      const counted = sumOf(data.list);
      assert.ok(counted.received > 0n);
      assert.deepEqual(counted, sumOf(await tasksOf(app_id)));
    }
  });

  test('has the usage of the apps, before a worker has counted', async () => {
    const usage = await carillon.storage.home.query<{ appId: string; devices: bigint }>(
      `select app_id as "appId", devices from app_usage where app_id = any($1) order by 1 desc`,
      [apps.map(({ app_id }) => app_id)],
    );
    assert.deepEqual(
      usage.map(({ appId, devices }) => [appId, Number(devices)]),
      apps.map(({ app_id }) => [app_id, DEVICES_MAX]),
    );
  });

  test('has places that a trace explains', async () => {
    const task = (await tasksOf('news')).find(({ audience, state }) => audience === 'all' && state === 'finished');
    const [device] = await carillon.storage.home.query<{ pushToken: string }>(
      `select push_token as "pushToken" from devices where app_id = 'news' and latest_domestic = 'huawei' limit 1`,
    );
    const { data } = await call<{ explanation: string }>('news', '/push/task/trace', {
      task_id: task?.task_id,
      push_token: device?.pushToken,
    });
    assert.match(
      JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      /[Hh]uawei/,
    );
  });

  test('has a paused channel and credentials that expire', async () => {
    interface Channel {
      readonly provider: number;
      readonly environment: number;
      readonly open: boolean;
      readonly last_response: { readonly result: string } | null;
    }
    const { data } = await call<Channel[]>('shop', '/admin/channel/list', {});
    const paused = data.filter(({ open }) => !open).map(({ provider, environment }) => [provider, environment]);
    assert.deepEqual(paused, [[providerByVendor.oppo, 1]]);
    assert.deepEqual(
      data
        .filter(({ environment }) => environment === 1)
        .map(({ open, last_response }) => [open, last_response?.result]),
      [
        [true, 'accepted'],
        [false, 'locked-out'],
      ],
    );
    const [row] = await carillon.storage.home.query<{ days: number }>(
      `select extract(day from expires_at - now())::int as days from certificates where app_id = 'news' and expires_at is not null`,
    );
    assert.equal(row?.days, 4);
  });

  test('satisfies the invariants of the ledger', () => checkLaws(carillon.storage));
});
