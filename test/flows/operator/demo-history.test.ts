import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { providerByVendor } from '#src/domain/channel.ts';
import { createHistory, type HistoryApp, pauseAndExpire } from '../../../scripts/dev/history/create-history.ts';
import { seedCertificate } from '../../../scripts/dev/seed.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { checkLaws } from '../../support/laws.ts';

const DEVICES_MAX = 1_200;

describe('the history of npm run dev -- --demo', () => {
  let carillon: Carillon;
  let apps: readonly HistoryApp[];
  before(async () => {
    carillon = await startCarillon({ databases: 1, gateways: 0 });
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
  }
  const tasksOf = async (appId: string) =>
    (await call<{ list: Task[] }>(appId, '/push/task/list', { limit: 100, counts: true })).data.list;

  test('has finished and cancelled tasks with counters', async () => {
    for (const { app_id } of apps) {
      const tasks = await tasksOf(app_id);
      assert.ok(tasks.length >= 20, `${app_id} has ${tasks.length} tasks`);
      assert.ok(tasks.every(({ target, sent }) => target > 0n && target >= sent));
    }
    const states = new Set((await tasksOf('news')).map(({ state }) => state));
    assert.deepEqual([...states].sort(), ['cancelled', 'finished']);
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
    const { data } = await call<{ provider: number; environment: number; open: boolean; expire: bigint | null }[]>(
      'shop',
      '/admin/channel/list',
      {},
    );
    const paused = data.filter(({ open }) => !open).map(({ provider, environment }) => [provider, environment]);
    assert.deepEqual(paused, [[providerByVendor.oppo, 1]]);
    const [row] = await carillon.storage.home.query<{ days: number }>(
      `select extract(day from expires_at - now())::int as days from certificates where app_id = 'news' and expires_at is not null`,
    );
    assert.equal(row?.days, 4);
  });

  test('satisfies the invariants of the ledger', () => checkLaws(carillon.storage));
});
