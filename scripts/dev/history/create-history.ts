import { vendorFacts, vendorNames } from '#src/domain/channel.ts';
import { createLog } from '#src/foundation/log.ts';
import type { Keyrings } from '#src/storage/accounts/master-keys.ts';
import { saveQuotaUsage } from '#src/storage/accounts/quota-usage.ts';
import { type HomeDb, inTransaction, type Storage } from '#src/storage/database/database.ts';
import { dayNumberOf, ensureHomePartitions, ensureShardPartitions } from '#src/storage/database/partitions.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import { nextBeijingMidnight } from '#src/vendors/translate/beijing-midnight.ts';
import { storeDailyCounts } from '#src/worker/upkeep/daily-counts.ts';
import { countUsage } from '#src/worker/upkeep/usage-counts.ts';
import { seedAdminToken, seedApp } from '../seed.ts';
import { insertDevices } from './insert-devices.ts';
import { insertTask } from './insert-task.ts';
import { historyDays, plannedTasks } from './planned-tasks.ts';

/** The apps that `npm run dev -- --demo` adds, and their numbers of devices. */
const apps = [
  { appId: 'shop', name: 'Lantern Shop', devices: 32_000 },
  { appId: 'news', name: 'Morning News', devices: 18_000 },
] as const;

/** An app with its admin token. */
export interface HistoryApp {
  readonly app_id: string;
  readonly admin_token: string;
}

/** The channel that is paused, and the credentials that expire soon. */
const PAUSED = { appId: 'shop', channel: 'oppo' } as const;
const EXPIRING = { appId: 'news', channel: 'apns' } as const;

/**
 * Adds two apps with 50,000 devices and two weeks of finished tasks, so that each page and report has something to
 * show. The rows are those that the service would have written. The home database is also the only shard. `devicesMax`
 * limits the devices of an app. Returns the apps.
 */
export async function createHistory(
  storage: Storage,
  keyrings: Keyrings,
  { devicesMax = Number.POSITIVE_INFINITY }: { readonly devicesMax?: number } = {},
): Promise<readonly HistoryApp[]> {
  const { home, shards } = storage;
  await ensureHomePartitions(home, historyDays);
  for (const db of shards.all) await ensureShardPartitions(db, historyDays);
  const planned: AppWithDevices[] = [];
  for (const app of apps) {
    const count = Math.min(app.devices, devicesMax);
    planned.push({ ...app, count, firstNumber: await reserveDeviceNumbers(home, count) });
  }
  const created = await Promise.all(planned.map((app) => createApp(home, keyrings, app)));
  await home.query('analyze');
  await countHistory(storage);
  return created;
}

interface AppWithDevices {
  readonly appId: string;
  readonly name: string;
  readonly count: number;
  readonly firstNumber: number;
}

/** Returns the first of `count` device numbers. The apps are created in parallel, so each needs its own numbers. */
async function reserveDeviceNumbers(home: HomeDb, count: number): Promise<number> {
  const [row] = await home.query<{ first: number }>(
    `select (setval('device_numbers', nextval('device_numbers') + $1) - $1)::int as first`,
    [count],
  );
  return (row as { first: number }).first;
}

async function createApp(home: HomeDb, keyrings: Keyrings, app: AppWithDevices): Promise<HistoryApp> {
  const { appId, name, count, firstNumber } = app;
  return inTransaction(home, async (db) => {
    await db.query('select setseed(0.5)'); // the same results at each start
    await seedApp(db, keyrings, appId);
    await db.query('update apps set name = $2 where app_id = $1', [appId, name]);
    const adminToken = await seedAdminToken(db, appId);
    await insertDevices(db, appId, count, firstNumber);
    for (const [index, task] of plannedTasks(appId, new Date()).entries())
      await insertTask(db, appId, task, (firstNumber + index * 1_031) % 4_096);
    return { app_id: appId, admin_token: adminToken };
  });
}

/** Counts the history as a worker does about once a minute, so that the first page already has a chart. */
async function countHistory(storage: Storage): Promise<void> {
  const today = dayNumberOf(await readClock(storage.home));
  for (let day = today - historyDays; day <= today; day++) await storeDailyCounts(storage, day);
  await countUsage(storage, createLog({ level: 'warn', fields: {} }));
}

/**
 * Pauses a channel, as the service does after the vendor has rejected the credentials, makes other credentials expire
 * soon, and records responses and receipts of the vendors and used quotas. This is repeated at each start, because a start saves new
 * credentials, and because quotas apply to one day.
 */
export async function pauseAndExpire(db: HomeDb): Promise<void> {
  await db.query(
    `insert into breakers (app_id, channel, environment, version, cause, reason, tripped_at, probe_at)
     select app_id, channel, environment, version, 'locked-out', '11: Invalid AuthToken', now() - interval '5 h',
            now() + interval '1 day'
       from certificates where app_id = $1 and channel = $2 and environment = 1
     on conflict (app_id, channel, environment) do update set version = excluded.version, probe_at = excluded.probe_at`,
    [PAUSED.appId, PAUSED.channel],
  );
  await db.query(
    `update certificates set expires_at = now() + interval '5 days' where app_id = $1 and channel = $2 and environment = 1`,
    [EXPIRING.appId, EXPIRING.channel],
  );
  await db.query(
    `insert into last_responses (app_id, channel, environment, version, kind, reason, at)
     select c.app_id, c.channel, c.environment, c.version, coalesce(b.cause, 'accepted'), coalesce(b.reason, ''),
            coalesce(b.tripped_at, now() - interval '17 min')
       from certificates c left join breakers b using (app_id, channel, environment)
      where c.app_id = any($1) and c.environment = 1
     on conflict (app_id, channel, environment) do update set version = excluded.version`,
    [apps.map(({ appId }) => appId)],
  );
  await db.query(
    `insert into last_receipts (app_id, channel, at)
     select c.app_id, c.channel, coalesce(b.tripped_at, now() - interval '16 min')
       from certificates c left join breakers b using (app_id, channel, environment)
      where c.app_id = any($1) and c.channel = any($2) and c.environment = 1
     on conflict (app_id, channel) do nothing`,
    [apps.map(({ appId }) => appId), reportingVendors],
  );
  const resetsAt = nextBeijingMidnight(await readClock(db));
  const counter = '00000000-0000-4000-8000-000000000000';
  await saveQuotaUsage(
    db,
    apps.flatMap(({ appId }) =>
      usedQuotas.map((quota) => ({ ...quota, appId, environment: 1 as const, resetsAt, counter })),
    ),
  );
}

const reportingVendors = vendorNames.filter((vendor) => vendorFacts[vendor].sendsReceipts);

const usedQuotas = [
  { channel: 'xiaomi', class: '', accepted: 4_436 },
  { channel: 'flyme', class: '', accepted: 294 },
  { channel: 'vivo', class: 'operational', accepted: 3_260 },
  { channel: 'vivo', class: 'system', accepted: 197 },
] as const;
