import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createLog } from '#src/foundation/log.ts';
import { loadSettings } from '#src/foundation/settings.ts';
import { readNatsFacts } from '#src/signals/server-facts.ts';
import { signalsSettings } from '#src/signals/settings.ts';
import { withHome } from '#src/storage/database/open-storage.ts';
import { type Stack, startStack } from '../../scripts/stack/stack.ts';

/** Linux connects this address to the loopback interface, but it is not a loopback address. */
const OTHER_MACHINE = '0.0.0.0';

const directory = mkdtempSync(join(tmpdir(), 'carillon-tls-'));
const pathOf = (name: string) => join(directory, name);

/** Creates a certificate for an address, and a CA that signed it. */
function createCertificate(name: string, address: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-days',
    '2',
    '-subj',
    '/CN=ca',
    '-keyout',
    `${name}-ca.key`,
    '-out',
    `${name}-ca.pem`,
  );
  const names = ['-addext', `subjectAltName=IP:${address}`];
  const signed = ['-CA', `${name}-ca.pem`, '-CAkey', `${name}-ca.key`];
  openssl(
    'req',
    '-x509',
    ...key,
    ...signed,
    '-days',
    '2',
    '-subj',
    '/CN=server',
    ...names,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.pem`,
  );
}

describe('connections to PostgreSQL and NATS on another machine', () => {
  let plain: Stack;
  let encrypted: Stack;

  before(async () => {
    createCertificate('right', OTHER_MACHINE);
    createCertificate('wrong', '192.0.2.1');
    [plain, encrypted] = await Promise.all([
      startStack(),
      startStack({ tls: { certificateFile: pathOf('right.pem'), keyFile: pathOf('right.key') } }),
    ]);
  });
  after(async () => {
    await Promise.all([plain?.stop(), encrypted?.stop()]);
    rmSync(directory, { recursive: true });
  });

  const urlOf = (stack: Stack, parameters = '', host = OTHER_MACHINE) =>
    `${stack.databaseUrl('postgres').replace('127.0.0.1', host)}${parameters}`;

  /** Returns whether PostgreSQL sees TLS on the connection. */
  const isEncrypted = (url: string): Promise<boolean> =>
    withHome(
      {
        settings: { CARILLON_DATABASE_URL: url, CARILLON_SHARD_DATABASES: '', CARILLON_DATABASE_QUERY_SECONDS_MAX: 5 },
        connections: 1,
        log: createLog({ level: 'error', fields: {} }),
      },
      async (db) => {
        const [row] = await db.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
        return row?.ssl === true;
      },
    );

  test('PostgreSQL without TLS is refused', async () => {
    await assert.rejects(isEncrypted(urlOf(plain)), { name: 'Unavailable' });
  });

  test('PostgreSQL without TLS is accepted if the URL contains sslmode=disable', async () => {
    assert.equal(await isEncrypted(urlOf(plain, '?sslmode=disable')), false);
  });

  test('PostgreSQL with a certificate of an unknown CA, or for another name, is refused', async () => {
    await assert.rejects(isEncrypted(urlOf(encrypted)), { name: 'Unavailable' });
    await assert.rejects(isEncrypted(urlOf(encrypted, `?sslmode=require&sslrootcert=${pathOf('wrong-ca.pem')}`)), {
      name: 'Unavailable',
    });
    const otherName = urlOf(encrypted, `?sslmode=require&sslrootcert=${pathOf('right-ca.pem')}`, '127.0.0.1');
    await assert.rejects(isEncrypted(otherName), { name: 'Unavailable' });
  });

  test('PostgreSQL with the right certificate is used over TLS', async () => {
    assert.equal(await isEncrypted(urlOf(encrypted, `?sslrootcert=${pathOf('right-ca.pem')}`)), true);
  });

  test('on a loopback address, PostgreSQL is used without TLS', async () => {
    assert.equal(await isEncrypted(encrypted.databaseUrl('postgres')), false);
  });

  const natsFacts = (stack: Stack, settings: Readonly<Record<string, string>> = {}) => {
    const url = (stack.natsUrls[0] as string).replace('127.0.0.1', OTHER_MACHINE);
    const loaded = loadSettings({ signals: signalsSettings }, { CARILLON_NATS_URLS: url, ...settings });
    return readNatsFacts(url, loaded.signals);
  };

  test('NATS without TLS is refused, unless a setting permits it', async () => {
    await assert.rejects(natsFacts(plain));
    assert.ok((await natsFacts(plain, { CARILLON_NATS_TLS: 'off' })).version);
  });

  test('NATS is used over TLS if its certificate can be verified', async () => {
    await assert.rejects(natsFacts(encrypted));
    await assert.rejects(natsFacts(encrypted, { CARILLON_NATS_CA_FILE: pathOf('wrong-ca.pem') }));
    assert.ok((await natsFacts(encrypted, { CARILLON_NATS_CA_FILE: pathOf('right-ca.pem') })).version);
  });
});
