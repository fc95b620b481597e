import { setTimeout as sleep } from 'node:timers/promises';
import { startApi } from '#src/api/api.ts';
import { trustedProxies } from '#src/api/server.ts';
import { startHealth } from '#src/foundation/health.ts';
import { createLog, type Log } from '#src/foundation/log.ts';
import { processMetrics } from '#src/foundation/process-metrics.ts';
import { loadSettings, SettingsError, unknownSettings } from '#src/foundation/settings.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { startGateway } from '#src/gateway/gateway.ts';
import { checkDoors } from '#src/gateway/listeners/listeners.ts';
import { Motion } from '#src/signals/signals.ts';
import { openTruth, shardUrls, type Truth } from '#src/storage/database/database.ts';
import { findMissingMigrations } from '#src/storage/database/migrations.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import { startWatch } from '#src/worker/upkeep/backlog-metrics.ts';
import { checkLease, startWorker } from '#src/worker/worker.ts';
import { everySetting, everySettingButKeys, readKeyring, type Settings } from './settings.ts';

export type RoleName = 'api' | 'gateway' | 'worker';

interface Running {
  /** By the name that the line `started` tells them under. */
  readonly ports?: Readonly<Record<string, number | undefined>>;
  /** It will be stopped soon, and nobody should get used to it any more. */
  drain?(): void;
  /** In an orderly way, which may take a while; at once when there is a hurry. */
  stop(hurry: AbortSignal): Promise<void>;
}

interface Parts {
  readonly settings: Settings;
  readonly truth: Truth;
  readonly motion: Motion;
  readonly log: Log;
}

const starters: Record<RoleName, (parts: Parts) => Promise<Running>> = {
  api: async ({ settings, ...parts }) => {
    const keyring = readKeyring(settings.seal);
    const api = await startApi({ ...parts, settings: { ...settings.api, ...settings.channels }, keyring });
    return { ports: { api: api.port }, drain: () => api.drain(), stop: () => api.stop() };
  },

  gateway: async ({ settings, ...parts }) => {
    // A heartbeat must not queue behind anything, and one that takes longer than a second has failed.
    const heartbeatTruth = openTruth({
      settings: { ...settings.truth, CARILLON_DATABASE_QUERY_SECONDS_MAX: 1 },
      connections: 1,
      log: parts.log,
    });
    const gateway = await startGateway({ ...parts, settings: settings.gateway, heartbeatTruth });
    const { tcp, tls, webSocket } = gateway.ports;
    return {
      ports: { gateway: tcp, tls, webSocket },
      stop: (hurry) => gateway.stop(hurry).then(() => heartbeatTruth.close()),
    };
  },

  worker: async ({ settings, ...parts }) => {
    const worker = await startWorker({
      ...parts,
      settings: { ...settings.worker, ...settings.channels },
      keyring: readKeyring(settings.seal),
    });
    const watch = startWatch(parts);
    return { stop: () => Promise.all([watch.stop(), worker.stop()]).then(() => undefined) };
  },
};

/** What the type of a setting does not say. Looked at before anything is opened. */
const checks: Record<RoleName, (settings: Settings) => void> = {
  api: ({ seal, api }) => {
    readKeyring(seal);
    trustedProxies(api);
  },
  gateway: ({ gateway }) => checkDoors(gateway),
  worker: ({ seal, worker, channels }) => {
    readKeyring(seal);
    checkLease({ ...worker, ...channels });
  },
};

/** Connections to each database server, by role. */
const connections: Record<RoleName, number> = { api: 8, gateway: 3, worker: 8 };

/** Reads the settings, starts the roles, and stops them in order when the process is told to end. */
export async function runRoles(roles: readonly RoleName[]): Promise<void> {
  const settings = readSettings(roles);
  const log = createLog({ level: settings.process.CARILLON_LOG_LEVEL, fields: { role: roles.join('+') } });
  for (const name of unknownSettings(everySetting, process.env, 'CARILLON_')) log.warn('unknown-setting', { name });

  const truth = openTruth({
    settings: settings.truth,
    connections: Math.max(...roles.map((role) => connections[role])),
    log,
  });
  await refuseOlderSchema(truth);
  const motion = new Motion(settings.motion, log);
  const running: Running[] = [];
  const ports: Record<string, number | undefined> = {};
  const health = await startHealth({
    host: settings.process.CARILLON_HEALTH_HOST,
    port: settings.process.CARILLON_HEALTH_PORT,
    checks: {
      started: async () => running.length === roles.length,
      // NATS is not asked: without it every role goes on by looking.
      database: async () => readClock(truth.home).then(() => true),
    },
  });
  for (const role of roles) {
    const started = await starters[role]({ settings, truth, motion, log });
    Object.assign(ports, started.ports);
    processMetrics.role.set({ role }, 1);
    running.push(started);
  }
  log.info('started', { health: health.port, ...ports });

  const signal = await nextSignal();
  log.info('stopping', { signal });
  health.drain();
  for (const role of running) role.drain?.();
  const hurry = new AbortController();
  void nextSignal().then(() => hurry.abort());
  const drainMs = settings.process.CARILLON_DRAIN_SECONDS * 1_000;
  await sleep(drainMs, undefined, { signal: hurry.signal }).catch(() => undefined);
  await Promise.all(running.map((role) => role.stop(hurry.signal)));
  await motion.close();
  await truth.close();
  await health.stop();
  log.info('stopped');
}

/**
 * On a database that lacks migrations of this version a role would fail at whatever it does first. One that has more of them
 * than this version is fine: each version works with the schema of the next.
 */
async function refuseOlderSchema(truth: Truth): Promise<void> {
  const missing = await findMissingMigrations(truth).catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error;
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    return end(`${error.message}${cause} Start this again when it can.`, 1);
  });
  if (missing.length === 0) return;
  end(
    `The databases lack what this version needs: ${missing.join(', ')}. Run \`node src/bin/migrate.ts\` of this version with the same settings, then start this again.`,
    1,
  );
}

/** An operator's mistake is told in plain words and without a stack. */
function readSettings(roles: readonly RoleName[]): Settings {
  try {
    const groups = roles.every((role) => role === 'gateway') ? everySettingButKeys : everySetting;
    const settings = loadSettings(groups, process.env);
    shardUrls(settings.truth.CARILLON_DATABASE_URL, settings.truth.CARILLON_SHARD_DATABASES);
    for (const role of roles) checks[role](settings);
    return settings;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return end(error.message, 78);
  }
}

/** What an operator has to do, in plain words and without a stack. */
function end(words: string, code: number): never {
  process.stderr.write(`${words}\n`);
  process.exit(code);
}

function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
}
