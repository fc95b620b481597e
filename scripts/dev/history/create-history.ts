import { createLog } from '#src/foundation/log.ts';
import type { Keyrings } from '#src/storage/accounts/master-keys.ts';
import { type HomeDb, inTransaction, type Storage } from '#src/storage/database/database.ts';
import { dayNumberOf, ensureHomePartitions, ensureShardPartitions } from '#src/storage/database/partitions.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
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
  const created = await inTransaction(home, async (db) => {
    const historyApps: HistoryApp[] = [];
    await db.query('select setseed(0.5)'); // the same results at each start
    for (const { appId, name, devices } of apps) {
      await seedApp(db, keyrings, appId);
      await db.query('update apps set name = $2 where app_id = $1', [appId, name]);
      historyApps.push({ app_id: appId, admin_token: await seedAdminToken(db, appId) });
      await insertDevices(db, appId, Math.min(devices, devicesMax));
      for (const task of plannedTasks(appId, new Date())) await insertTask(db, appId, task);
    }
    return historyApps;
  });
  await home.query('analyze');
  await countHistory(storage);
  return created;
}

/** Counts the history as a worker does about once a minute, so that the first page already has a chart. */
async function countHistory(storage: Storage): Promise<void> {
  const today = dayNumberOf(await readClock(storage.home));
  for (let day = today - historyDays; day <= today; day++) await storeDailyCounts(storage, day);
  await countUsage(storage, createLog({ level: 'warn', fields: {} }));
}

/**
 * Pauses a channel, as the service does after the vendor has rejected the credentials, makes other credentials expire
 * soon, and records responses of the vendors. This is repeated at each start, because a start saves new credentials.
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
}
