import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Gauge, register } from 'prom-client';
import type { Environment, VendorName } from '#src/domain/channel.ts';
import { createLog, type Log } from '#src/foundation/log.ts';
import { disableApp, enableApp } from '#src/storage/accounts/apps.ts';
import { saveCertificate } from '#src/storage/accounts/certificates.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { warnExpiringCertificates } from '#src/worker/upkeep/certificate-expiry.ts';
import { seedApp } from '../../scripts/dev/seed.ts';
import { keyringsOf, newMasterKeys } from '../../scripts/stack/master-keys.ts';
import { startCarillon } from '../support/carillon.ts';
import { createMigratedDatabases, type TestDatabases } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';

const DAY_MS = 86_400_000;
const now = new Date();
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);

let databases: TestDatabases;
let storage: Storage;
before(async () => {
  databases = await createMigratedDatabases();
  const settings = { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 10 };
  storage = await openStorage({
    settings,
    connections: 2,
    log: createLog({ level: 'error', fields: { role: 'test' } }),
  });
  const keyrings = keyringsOf(newMasterKeys('test'));
  for (const appId of ['bells', 'shut']) await seedApp(storage.home, keyrings, appId);
});
after(async () => {
  await storage.close();
  await databases[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await storage.home.query('delete from certificates');
  await storage.home.query('delete from limit_points');
});

async function save(channel: VendorName, expiresAt: Date | null, appId = 'bells', environment: Environment = 1) {
  const secrets = { appSecret: randomBytes(8), certificate: randomBytes(8) };
  const name = `${channel} of ${appId}`;
  await saveCertificate(storage.home, {
    appId,
    channel,
    environment,
    name,
    vendorAppId: '',
    appKey: '',
    ...secrets,
    expiresAt,
    perSecond: null,
  });
}

/** Runs the check as of the given time and returns the log lines. */
async function readWarnings(at = now): Promise<{ level: string; event: string; [field: string]: unknown }[]> {
  const lines: { level: string; event: string }[] = [];
  const note = (level: string) => (event: string, fields?: object) => void lines.push({ level, event, ...fields });
  const log: Log = {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
    security: note('security'),
    with: () => log,
  };
  await warnExpiringCertificates(storage.home, at, log);
  return lines;
}

const summarize = (lines: Awaited<ReturnType<typeof readWarnings>>) =>
  lines.map(({ level, channel, daysLeft }) => [level, channel, daysLeft]);

async function readMetric(): Promise<Record<string, number>> {
  const metric = register.getSingleMetric('carillon_certificates_expiring') as Gauge;
  const { values } = await metric.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.within, value]));
}

describe('expiring credentials', () => {
  test('are reported, the earliest first: a warning within 30 days, an error within 3 days and afterwards', async () => {
    await save('vivo', null);
    await save('oppo', inDays(31));
    await save('fcm', inDays(29.5));
    await save('honor', inDays(3.5));
    await save('huawei', inDays(2.5));
    await save('apns', inDays(-1.5));
    assert.deepEqual(summarize(await readWarnings()), [
      ['error', 'apns', -2],
      ['error', 'huawei', 2],
      ['warn', 'honor', 3],
      ['warn', 'fcm', 29],
    ]);
    assert.deepEqual(await readMetric(), { '0d': 1, '3d': 2, '14d': 3, '30d': 4 });
  });

  test('are reported with all fields that identify them, and without secrets', async () => {
    await save('apns', inDays(10), 'bells', 0);
    assert.deepEqual(await readWarnings(), [
      {
        level: 'warn',
        event: 'certificate-expires',
        appId: 'bells',
        channel: 'apns',
        environment: 0,
        name: 'apns of bells',
        expiresAt: inDays(10),
        daysLeft: 10,
      },
    ]);
  });

  test('of a disabled app are not reported until it is enabled', async () => {
    await save('apns', inDays(1), 'shut');
    await disableApp(storage.home, 'shut');
    assert.deepEqual([await readWarnings(), await readMetric()], [[], { '0d': 0, '3d': 0, '14d': 0, '30d': 0 }]);
    await enableApp(storage.home, 'shut');
    assert.equal((await readWarnings()).length, 1);
  });

  test('are reported once a day by all workers together, and immediately when they become urgent', async () => {
    await save('apns', inDays(10));
    const both = await Promise.all([readWarnings(), readWarnings()]);
    assert.equal(both.flat().length, 1);
    assert.deepEqual(await readWarnings(), []);
    assert.deepEqual(summarize(await readWarnings(inDays(8))), [['error', 'apns', 2]]);
    await storage.home.query(`update limit_points set until = until - interval '1 day'`);
    assert.equal((await readWarnings()).length, 1);
    assert.equal((await readMetric())['14d'], 1, 'every worker counts the expiring credentials');
  });

  test('are no longer reported after new credentials are saved', async () => {
    await save('apns', inDays(2));
    assert.equal((await readWarnings()).length, 1);
    await save('apns', inDays(400));
    assert.deepEqual([await readWarnings(), (await readMetric())['30d']], [[], 0]);
    await save('apns', inDays(1));
    assert.equal((await readWarnings()).length, 1);
  });
});

test('a worker reports expiring credentials during housekeeping', async () => {
  await using carillon = await startCarillon({ apis: 0, gateways: 0, workers: 0 });
  await carillon.storage.home.query('update certificates set expires_at = $1', [inDays(2.5)]);
  await carillon.start('worker');
  const line = await eventually(async () => {
    const warningLine = carillon.logLines.find(
      (one) => one.includes('"certificate-expires"') && one.includes('"environment":1'),
    );
    return warningLine ?? assert.fail();
  });
  const { time: _, ...fields } = JSON.parse(line);
  const expected = { level: 'error', appId: carillon.appId, channel: 'apns', environment: 1, daysLeft: 2 };
  assert.partialDeepStrictEqual(fields, { ...expected, expiresAt: inDays(2.5).toISOString() });
  assert.ok(fields.name.length > 0 && fields.name !== '[secret]');
});
