import { setTimeout as sleep } from 'node:timers/promises';
import { startHealth } from '#src/foundation/health.ts';
import { createLog } from '#src/foundation/log.ts';
import { processMetrics } from '#src/foundation/process-metrics.ts';
import { repeat } from '#src/foundation/repeat.ts';
import { ListenFailure, loadSettings, SettingsError } from '#src/foundation/settings.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { Signals } from '#src/signals/signals.ts';
import { checkMasterKeys, type Keyrings } from '#src/storage/accounts/master-keys.ts';
import { explainHomeFailure } from '#src/storage/database/connection-failure.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { findMissingMigrations, findMissingShardMigrations } from '#src/storage/database/migrations.ts';
import { openStorage, type StorageOptions, shardUrls, withHome } from '#src/storage/database/open-storage.ts';
import { isSchemaOwner } from '#src/storage/database/rights.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
// Every process declares all metrics, and sets only those of its roles.
import './metrics.ts';
import type { RoleModule, RunningRole } from './roles/role-module.ts';
import { purposesOf, type RoleName, readKeyrings, type Settings, settingsOf, unknownVariables } from './settings.ts';

/** Each process loads only its own roles, because loading a role takes time and memory. */
const loadRole: Record<RoleName, () => Promise<RoleModule>> = {
  api: async () => (await import('./roles/api.ts')).apiRole,
  gateway: async () => (await import('./roles/gateway.ts')).gatewayRole,
  worker: async () => (await import('./roles/worker.ts')).workerRole,
};

/** Interval at which every process checks whether the bucket map has changed. */
const BUCKET_MAP_REFRESH_MS = 10_000;

/** A process does not wait longer for a shard database at its start, because it serves the other databases. */
const SHARD_CHECK_MS_MAX = 250;

/** Connections to each database server, by role. */
const databaseConnections: Record<RoleName, number> = { api: 8, gateway: 3, worker: 8 };

/** Reads the settings, starts the roles, and stops them in order on SIGTERM or SIGINT. */
export async function runRoles(roles: readonly RoleName[]): Promise<void> {
  try {
    await startAndStopRoles(roles);
  } catch (error) {
    if (!(error instanceof ListenFailure)) throw error;
    exitWithMessage(error.message, 1);
  }
}

async function startAndStopRoles(roles: readonly RoleName[]): Promise<void> {
  const modules = await Promise.all(roles.map((role) => loadRole[role]()));
  const settings = readSettings(roles, modules);
  const log = createLog({
    level: settings.process.CARILLON_LOG_LEVEL,
    fields: { role: roles.join('+') },
    security: settings.process.CARILLON_SECURITY_LOG,
  });
  for (const name of unknownVariables(process.env)) log.warn('unknown-setting', { name });

  const storage = await openCurrentStorage(
    {
      settings: settings.storage,
      connections: Math.max(...roles.map((role) => databaseConnections[role])),
      log,
    },
    readKeyrings(settings.seal, purposesOf(roles)),
  );
  if (roles.length === 1 && (await isSchemaOwner(storage.home))) log.warn('database-role-is-owner');
  const mapRefresh = repeat({
    pauseMs: BUCKET_MAP_REFRESH_MS,
    work: () => storage.refreshBucketMap(),
    onError: (error) => log.warn('bucket-map-refresh-failed', { error }),
  });
  const signals = new Signals(settings.signals, log);
  const runningRoles: RunningRole[] = [];
  const ports: Record<string, number | undefined> = {};
  const health = await startHealth({
    host: settings.process.CARILLON_HEALTH_HOST,
    port: settings.process.CARILLON_HEALTH_PORT,
    checks: {
      started: async () => runningRoles.length === roles.length,
      // NATS is not checked, because every role continues to work without it by polling.
      database: async () => readClock(storage.home).then(() => true),
    },
  });
  for (const [index, { start }] of modules.entries()) {
    const runningRole = await start({ settings, storage, signals, log });
    Object.assign(ports, runningRole.ports);
    processMetrics.role.set({ role: roles[index] as RoleName }, 1);
    runningRoles.push(runningRole);
  }
  log.info('started', { health: health.port, ...ports });

  const signal = await nextSignal();
  log.info('stopping', { signal });
  health.drain();
  for (const role of runningRoles) role.drain?.();
  const forceStop = new AbortController();
  void nextSignal().then(() => forceStop.abort());
  const readinessDelayMs = settings.process.CARILLON_READINESS_DELAY_SECONDS * 1_000;
  await sleep(readinessDelayMs, undefined, { signal: forceStop.signal }).catch(() => undefined);
  await Promise.all(runningRoles.map((role) => role.stop(forceStop.signal)));
  await mapRefresh.stop();
  await signals.close();
  await storage.close();
  await health.stop();
  log.info('stopped');
}

/**
 * Opens the databases. Exits if a database lacks migrations of this version, because the role would fail at its first
 * query. A database with newer migrations is accepted: each version works with the schema of the next version. Exits
 * also if a master key is wrong.
 */
async function openCurrentStorage(options: StorageOptions, keyrings: Partial<Keyrings>): Promise<Storage> {
  try {
    requireNoneMissing(await withHome(options, (home) => findMissingMigrations(home, 'home')));
    const storage = await openStorage(options);
    await checkShardMigrations(storage);
    await checkMasterKeys(storage.home, keyrings);
    return storage;
  } catch (error) {
    if (error instanceof SettingsError) return exitWithMessage(error.message, 78);
    if (!(error instanceof Unavailable)) throw error;
    return exitWithMessage(explainHomeFailure(error, options.settings.CARILLON_DATABASE_URL), 1);
  }
}

/** Exits if a shard database lacks migrations. The check of a slow database continues while the process starts. */
async function checkShardMigrations({ shards }: Storage): Promise<void> {
  const checks = shards.all.map(async (db) => requireNoneMissing(await findMissingShardMigrations(db)));
  await Promise.race([Promise.all(checks), sleep(SHARD_CHECK_MS_MAX, undefined, { ref: false })]);
}

function requireNoneMissing(missingMigrations: readonly string[]): void {
  if (missingMigrations.length === 0) return;
  exitWithMessage(
    `The databases lack migrations of this version: ${missingMigrations.join(', ')}. Run \`node src/bin/migrate.ts\` of this version with the same settings, then start this process again.`,
    1,
  );
}

/**
 * Reads and checks the settings. Exits with a message for the operator, without a stack trace, if a setting is invalid.
 */
function readSettings(roles: readonly RoleName[], modules: readonly RoleModule[]): Settings {
  try {
    const settings = loadSettings(settingsOf(roles), process.env);
    shardUrls(settings.storage.CARILLON_DATABASE_URL, settings.storage.CARILLON_SHARD_DATABASES);
    for (const { checkSettings } of modules) checkSettings(settings);
    return settings;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return exitWithMessage(error.message, 78);
  }
}

/** Prints a message for the operator, without a stack trace, and exits. */
function exitWithMessage(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
}
