import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { createLog } from '#src/foundation/log.ts';
import { migrateHome, migrateShard } from '#src/storage/database/migrate.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { seedAdminToken, seedApp, seedCertificate } from '../../../scripts/dev/seed.ts';
import { startApnsProcess } from '../../../scripts/dev/simulator-process.ts';
import { keyringsOf, newMasterKeys } from '../../../scripts/stack/master-keys.ts';
import type { Stack } from '../../../scripts/stack/stack.ts';
import { Carillon } from '../../support/carillon.ts';
import { testStack } from '../../support/stack.ts';

/**
 * Prepares the service on two clusters. The home database and one shard database are on the first cluster, and the
 * other shard database is on the second. No role is running yet.
 */
export async function prepareService(first: Stack, second: Stack): Promise<Carillon> {
  await using starting = new AsyncDisposableStack();
  const [home, low, high] = await Promise.all([
    createDatabase(first, 'home', (url) => migrateHome(url, ['low', 'high'])),
    createDatabase(first, 'low', migrateShard),
    createDatabase(second, 'high', migrateShard),
  ]);
  const apns = starting.use(await startApnsProcess());
  const masterKeys = newMasterKeys('test');
  const databases = { CARILLON_DATABASE_URL: home, CARILLON_SHARD_DATABASES: `low=${low} high=${high}` };
  const settings = {
    ...databases,
    ...apns.settings,
    CARILLON_NATS_URLS: (await testStack()).natsUrls.join(','),
    CARILLON_NATS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    ...masterKeys,
    // A short lease, so that work claimed by a killed worker is taken over sooner.
    CARILLON_LEASE_SECONDS: '14',
  };
  const storage = await openStorage({
    settings: { ...databases, CARILLON_DATABASE_QUERY_SECONDS_MAX: 30 },
    connections: 2,
    log: createLog({ level: 'error', fields: { role: 'test' } }),
  });
  starting.defer(() => storage.close());
  const appId = 'bells';
  const keyrings = keyringsOf(masterKeys);
  await seedApp(storage.home, keyrings, appId);
  await seedCertificate(storage.home, keyrings, appId, 'apns', apns.certificate);
  const adminToken = await seedAdminToken(storage.home, appId);
  return new Carillon({ storage, apns, keyrings, appId, adminToken, settings, parts: starting.move() });
}

export async function startRoles(carillon: Carillon): Promise<void> {
  await Promise.all((['api', 'gateway', 'worker'] as const).map((role) => carillon.start(role)));
}

/** Kills all role processes and removes them from the lists, so that processes started later take their positions. */
export async function killRoles({ apis, gateways, workers }: Carillon): Promise<void> {
  for (const roles of [apis, gateways, workers]) await Promise.all(roles.splice(0).map((role) => role.kill()));
}

async function createDatabase(stack: Stack, name: string, migrate: (url: string) => Promise<unknown>): Promise<string> {
  const client = new Client(stack.databaseUrl('postgres'));
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  await migrate(stack.databaseUrl(name));
  return stack.databaseUrl(name);
}
