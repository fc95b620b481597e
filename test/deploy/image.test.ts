import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { type DatabaseRole, databaseRoleName, databaseRoles } from '#src/storage/database/rights.ts';
import { LOOPBACK_SETTINGS, type RoleProcess } from '../../scripts/dev/role-process.ts';
import { freePort } from '../../scripts/stack/free-port.ts';
import { newMasterKeys } from '../../scripts/stack/master-keys.ts';
import { serverUser } from '../../scripts/stack/programs.ts';
import { connectDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { run } from '../support/run-command.ts';
import { testStack } from '../support/stack.ts';
import { buildImages, type Image } from './build-image.ts';
import { runImage, startImage, startImageWithFlags } from './image-process.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'carillon-image-'));
const PASSWORD = 'it\'s "odd"';

describe('the image, built step by step from the Dockerfile', () => {
  let images: Map<string, Image>;
  let carillon: Image;
  let database: Awaited<ReturnType<typeof makeDatabase>>;
  let settings: Record<string, string>;

  before(async () => {
    chmodSync(directory, 0o755);
    images = await buildImages(directory);
    carillon = images.get('carillon') as Image;
    execFileSync('chmod', ['-R', 'a-w', carillon.root]);
    database = await makeDatabase();
    settings = {
      ...LOOPBACK_SETTINGS,
      CARILLON_DATABASE_URL_FILE: secret('database_url', database.url),
      CARILLON_DATABASE_ROLES: database.name,
      CARILLON_NATS_URLS: (await testStack()).natsUrls.join(','),
      CARILLON_NATS_PREFIX: `image-${randomBytes(6).toString('hex')}`,
      ...Object.fromEntries(
        Object.entries(newMasterKeys('test')).map(([name, key]) => [`${name}_FILE`, secret(name.toLowerCase(), key)]),
      ),
    };
  });

  after(async () => {
    await database?.drop();
    execFileSync('chmod', ['-R', 'u+w', directory]);
    rmSync(directory, { recursive: true });
  });

  test('contains only runtime files: no tests, scripts or documents', () => {
    const files = globSync('**/*', { cwd: join(carillon.root, 'app'), exclude: ['node_modules'] });
    assert.ok(files.includes('src/bin/api.ts'));
    const tops = new Set(files.map((file) => file.split('/')[0]));
    assert.deepEqual([...tops].sort(), ['LICENSE', 'cli', 'console', 'migrations', 'package.json', 'sdk', 'src']);
    // The chunks of the console can be named after a page about test notifications.
    const sources = files.filter((file) => !file.startsWith('console/dist/'));
    assert.deepEqual(
      sources.filter((file) => /\.test\.ts$|\/test-/.test(file)),
      [],
    );
  });

  test('contains exactly the production dependencies, none of which has an install script', () => {
    const locked = readPackages(join(repository, 'package-lock.json'));
    const installed = readPackages(join(carillon.root, 'app/node_modules/.package-lock.json'));
    const wanted = Object.entries(locked).filter(
      ([name, { dev, optional, devOptional }]) => name !== '' && !dev && !optional && !devOptional,
    );
    assert.ok(wanted.length > 50, `${wanted.length} packages`);
    assert.deepEqual(Object.keys(installed).sort(), wanted.map(([name]) => name).sort());
    assert.ok(Object.values(installed).every(({ hasInstallScript }) => !hasInstallScript));
  });

  test('delivers a first notification with the commands migrate, init, api, gateway and worker', async () => {
    const migrated = await runImage(carillon, [...carillon.entrypoint, 'migrate'], settings);
    assert.equal(migrated.code, 0, migrated.stdout + migrated.stderr);
    const initialised = await runImage(carillon, [...carillon.entrypoint, 'init', 'shop', 'The Shop'], settings);
    assert.match(initialised.stdout, /^ca_\S+\n$/, initialised.stderr);

    await using roles = new AsyncDisposableStack();
    const start = async (role: DatabaseRole) => {
      const CARILLON_DATABASE_URL_FILE = secret(`database_url_${role}`, database.urlOf(role));
      return roles.use(await startImage(carillon, role, { ...settings, CARILLON_DATABASE_URL_FILE }));
    };
    const [api, gateway, worker] = await Promise.all([start('api'), start('gateway'), start('worker')]);
    for (const role of [api, gateway, worker]) await checkHealth(role);

    const adminToken = initialised.stdout.trim();
    const user = ['user', 'create', '--name', 'ada', '--password', 'ada-password', '--json'];
    const created = await runImage(carillon, ['node', 'cli/carillon.ts', ...user], {
      CARILLON_URL: api.apiUrl,
      CARILLON_APP_ID: 'shop',
      CARILLON_ADMIN_TOKEN: adminToken,
    });
    const { user_id } = JSON.parse(created.stdout) as { user_id: number };
    const device = { user_id, password: 'ada-password', device_guid: 'phone-1' };
    const login = await post<{ token: string; push_token: string }>(api, '/token/id', device);
    await using phone = await connectDevice(gateway, { ...login, deviceGuid: 'phone-1' });
    const notification = { audience: { user_id: [user_id] }, message: { title: 'Ding' } };
    await post(api, '/push/notify', notification, { 'access-token': adminToken });
    await eventually(() => assert.equal(phone.received.length, 1));
    for (const role of [api, gateway, worker]) assert.equal(await role.stop(), 0, role.role);
  });

  test('runs all roles in one process if no role is given', async () => {
    assert.deepEqual(carillon.command, ['all']);
    await using all = await startImage(carillon, 'all', settings);
    await checkHealth(all);
  });

  test('has a second image with the simulators, which exit on SIGTERM', async () => {
    const simulators = images.get('simulators') as Image;
    await using started = await startImageWithFlags(simulators, ['--json', '--only', 'apns']);
    const { apns } = JSON.parse(started.firstLine) as { apns: { control_url: string } };
    assert.equal((await fetch(`${apns.control_url}/arrived`)).status, 200);
    assert.equal(await started.stop(), 0);
  });

  test('has a third image with everything for a first try', async () => {
    const demo = images.get('demo') as Image;
    assert.deepEqual(demo.entrypoint, ['node', 'scripts/dev.ts']);
    // PostgreSQL requires a user with a name. Only the image has the user 10001.
    const server = serverUser();
    const user = server ? `${server.uid}:${server.gid}` : demo.user;
    const [api, phones] = [await freePort(), await freePort()];
    const flags = ['--json', '--temporary', '--host', '0.0.0.0', '--ports', `api=${api},phones=${phones}`];
    await using started = await startImageWithFlags({ ...demo, user }, flags);
    const { base_url, phones_url } = JSON.parse(started.firstLine) as { base_url: string; phones_url: string };
    assert.deepEqual([base_url, phones_url], [`http://127.0.0.1:${api}`, `http://127.0.0.1:${phones}`]);
    assert.match(await (await fetch(`http://127.0.0.2:${phones}`)).text(), /Send to all phones/);
    assert.equal((await fetch(`http://127.0.0.2:${api}/openapi.json`)).status, 200);
    assert.equal((await fetch(`http://127.0.0.2:${api}/console/`)).status, 200);
    assert.equal(await started.stop(), 0);
  });

  test('lists the supported commands if the command is unknown', async () => {
    const ended = await runImage(carillon, [...carillon.entrypoint, 'dispatcher'], settings);
    assert.equal(ended.code, 64);
    assert.match(ended.stderr, /^The first argument must be one of api, gateway, worker, all, migrate, /);
  });

  test('its health check fails if the process does not respond', async () => {
    const ended = await runImage(carillon, carillon.healthcheck, { CARILLON_HEALTH_PORT: '9' });
    assert.equal(ended.code, 1);
  });

  async function checkHealth({ role, healthUrl, ports }: RoleProcess): Promise<void> {
    await eventually(async () => assert.equal((await fetch(`${healthUrl}/readyz`)).status, 200));
    const ended = await runImage(carillon, carillon.healthcheck, { CARILLON_HEALTH_PORT: String(ports.health) });
    assert.equal(ended.code, 0, `${role}: ${ended.stderr}`);
  }
});

async function post<T>(api: RoleProcess, path: string, body: object, headers: object = {}): Promise<T> {
  const response = await fetch(`${api.apiUrl}${path}`, {
    method: 'POST',
    headers: { app_id: 'shop', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const { code, data, message } = (await response.json()) as { code: number; data: T; message: string };
  assert.equal(code, 200, `${path}: ${message}`);
  return data;
}

interface Package {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
}

function readPackages(lockfile: string): Record<string, Package> {
  return (JSON.parse(readFileSync(lockfile, 'utf8')) as { packages: Record<string, Package> }).packages;
}

function secret(name: string, value: string): string {
  const path = join(directory, name);
  writeFileSync(path, `${value}\n`, { mode: 0o444 });
  return path;
}

/**
 * Creates a database with the script of the PostgreSQL image, so that the tests use a role without special privileges.
 */
async function makeDatabase() {
  const stack = await testStack();
  const admin = new URL(stack.databaseUrl('postgres'));
  const name = `image_${randomBytes(6).toString('hex')}`;
  for (const role of databaseRoles) secret(`database_password_${role}`, PASSWORD);
  const made = await run('sh', [join(repository, 'deploy/postgres/10-database.sh')], {
    PGHOST: admin.hostname,
    PGPORT: admin.port,
    PGPASSWORD: admin.password,
    POSTGRES_USER: admin.username,
    DATABASE_NAME: name,
    DATABASE_PASSWORD_FILE: secret('database_password', PASSWORD),
  });
  assert.equal(made.code, 0, made.stderr);
  const urlOf = (username: string) => {
    const url = new URL(stack.databaseUrl(name));
    url.username = username;
    url.password = PASSWORD;
    return url.href;
  };
  return {
    name,
    url: urlOf(name),
    urlOf: (role: DatabaseRole) => urlOf(databaseRoleName(name, role)),
    drop: async () => {
      const client = new Client({ connectionString: admin.href });
      await client.connect();
      await client.query(`drop database ${name} with (force)`);
      for (const role of databaseRoles) await client.query(`drop role ${databaseRoleName(name, role)}`);
      await client.query(`drop role ${name}`);
      await client.end();
    },
  };
}
