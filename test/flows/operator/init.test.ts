import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { importSPKI, jwtVerify } from 'jose';
import { type RoleProcess, startRole } from '../../../scripts/dev/role-process.ts';
import { newMasterKeys } from '../../../scripts/stack/master-keys.ts';
import { createMigratedDatabases, type TestDatabases } from '../../support/databases.ts';
import { runBin } from '../../support/run-command.ts';
import { testStack } from '../../support/stack.ts';

describe('init creates the first app and its token', () => {
  let databases: TestDatabases;
  let settings: Record<string, string>;
  let token: string;

  before(async () => {
    databases = await createMigratedDatabases();
    settings = {
      ...databases.settings,
      CARILLON_NATS_URLS: (await testStack()).natsUrls.join(','),
      CARILLON_NATS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
      ...newMasterKeys('first'),
    };
  });
  after(() => databases[Symbol.asyncDispose]());

  test('a gateway starts without the master keys, which it does not need, and a worker reports that they are missing', async () => {
    const isKey = (name: string) => name.startsWith('CARILLON_MASTER_KEYS_');
    const keyless = Object.fromEntries(Object.entries(settings).filter(([name]) => !isKey(name)));
    await using gateway = await startRole('gateway', keyless);
    assert.ok(gateway.isAlive);
    const { code, stderr } = await runBin('worker', [], keyless);
    assert.equal(code, 78);
    assert.match(stderr, /CARILLON_MASTER_KEYS_CREDENTIALS is required/);
    assert.doesNotMatch(stderr, /CARILLON_MASTER_KEYS_APPS/);
  });

  test('prints its usage without an app_id or with an invalid one', async () => {
    for (const args of [[], ['two words'], ['-x']]) {
      const { code, stdout, stderr } = await runBin('init', args, settings);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /node src\/bin\/init\.ts <app_id>/);
      assert.doesNotMatch(stderr, /\n\s+at /);
    }
  });

  test('prints only the token to standard output', async () => {
    const { code, stdout, stderr } = await runBin('init', ['shop', 'The Shop'], settings);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^ca_[0-9A-Za-z]+\n$/);
    assert.match(stderr, /not shown again/);
    token = stdout.trim();
  });

  test('fails if an app exists, changes nothing, and prints the next step', async () => {
    const { code, stdout, stderr } = await runBin('init', ['second'], settings);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /already has an app \(shop\)/);
    assert.match(stderr, /--token-for shop/);
  });

  test('the token has access to its app and to the whole installation, and a login is verified with the key of its app', async () => {
    await using api = await startRole('api', settings);
    const call = callerAt(api);
    const made = await call<{ app_id: string; admin_token: string }>(
      '/admin/app/create',
      { new_app_id: 'library', name: 'Library' },
      token,
    );
    assert.equal(made.code, 200);
    const apps = await call<{ app_id: string; public_key: string }[]>('/admin/app/list', {}, token);
    assert.deepEqual(
      apps.data.map(({ app_id }) => app_id),
      ['library', 'shop'],
    );
    assert.notEqual(apps.data[0]?.public_key, apps.data[1]?.public_key, 'each app has its own key pair');
    const beyond = await call('/admin/app/list', {}, made.data.admin_token, 'library');
    assert.equal(beyond.code, 10010, 'the admin of another app manages only that app');
    const audit = await call<{ list: { operation: string; token_name: string; detail: string }[] }>(
      '/admin/audit/list',
      {},
      token,
    );
    assert.deepEqual(
      audit.data.list
        .filter(({ operation }) => operation === 'init')
        .map(({ token_name, detail }) => [token_name, detail]),
      [['command on the server', '{"name":"The Shop"}']],
    );

    for (const [appId, adminToken] of [
      ['shop', token],
      ['library', made.data.admin_token],
    ] as const) {
      const user = await call<{ user_id: number }>('/admin/user/create', { name: 'ada' }, adminToken, appId);
      const login = await call<Record<string, string>>(
        '/admin/user/token',
        { user_id: user.data.user_id },
        adminToken,
        appId,
      );
      const publicKey = apps.data.find(({ app_id }) => app_id === appId)?.public_key as string;
      assert.equal(login.data.public_key, publicKey);
      const { payload } = await jwtVerify(login.data.store_token as string, await importSPKI(publicKey, 'EdDSA'), {
        audience: 'store',
        issuer: appId,
      });
      assert.equal(payload.sub, String(user.data.user_id));
      const other = apps.data.find(({ app_id }) => app_id !== appId)?.public_key as string;
      await assert.rejects(jwtVerify(login.data.store_token as string, await importSPKI(other, 'EdDSA')));
    }
  });

  test('creates another token if all tokens are lost', async () => {
    const missing = await runBin('init', ['--token-for', 'nobody'], settings);
    assert.deepEqual([missing.code, missing.stdout], [1, '']);
    const { code, stdout } = await runBin('init', ['--token-for', 'library'], settings);
    assert.equal(code, 0);
    assert.match(stdout, /^ca_[0-9A-Za-z]+\n$/);
    await using api = await startRole('api', settings);
    const { code: answered } = await callerAt(api)('/admin/app/get', {}, stdout.trim(), 'library');
    assert.equal(answered, 200);
  });

  test('reports the invalid setting', async () => {
    const { code, stderr } = await runBin('init', ['shop'], { ...settings, CARILLON_MASTER_KEYS_APPS: 'x' });
    assert.equal(code, 78);
    assert.match(stderr, /CARILLON_MASTER_KEYS_APPS: A master key must have the form/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  });

  test('reports that the database cannot be reached', async () => {
    const nowhere = 'postgres://127.0.0.1:1/nothing';
    for (const [name, args] of [
      ['init', ['shop']],
      ['worker', []],
    ] as const) {
      const { code, stderr } = await runBin(name, args, { ...settings, CARILLON_DATABASE_URL: nowhere });
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^127\.0\.0\.1:1\/nothing cannot be used: .* Start PostgreSQL, or check CARILLON_DATABASE_URL\./,
      );
      assert.doesNotMatch(stderr, /\n\s+at /);
    }
  });
});

/** Returns a function that calls the API as an admin of an app. */
const callerAt =
  (api: RoleProcess) =>
  async <T>(path: string, body: object, accessToken: string, appId = 'shop') => {
    const response = await fetch(`${api.apiUrl}${path}`, {
      method: 'POST',
      headers: { app_id: appId, 'access-token': accessToken, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { code: number; data: T };
  };
