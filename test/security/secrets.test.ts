import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { open } from '#src/foundation/sealed-box.ts';
import { type Callback, findCallbacks, openCallback } from '#src/storage/accounts/callbacks.ts';
import { providerTokenContext } from '#src/storage/accounts/provider-tokens.ts';
import { findPostgres } from '../../scripts/stack/programs.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { TEST_DATABASES } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { run } from '../support/run-command.ts';

/** Debian does not put PostgreSQL's programs on the PATH. */
const pgDump = join(findPostgres(), 'pg_dump');

const secretText = (name: string) => `${name}-${randomBytes(12).toString('hex')}`;

/** Returns every form in which a secret could appear in a dump. */
const formsOf = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  encodeURIComponent(secret),
];

describe('secrets in the databases', () => {
  let carillon: Carillon;
  before(async () => {
    carillon = await startCarillon({ gateways: 0, settings: { CARILLON_LOG_LEVEL: 'debug' } });
    await carillon.addApp('other');
  });
  after(() => carillon[Symbol.asyncDispose]());

  const dump = async (): Promise<string> => {
    const urls = new Set([carillon.settings.CARILLON_DATABASE_URL as string, ...carillon.shardUrls]);
    assert.equal(urls.size, TEST_DATABASES);
    const dumps = await Promise.all([...urls].map((url) => run(pgDump, ['--dbname', url])));
    for (const { code, stderr } of dumps) assert.equal(code, 0, stderr);
    return dumps.map(({ stdout }) => stdout).join('\n');
  };

  const saveHonor = (appSecret: string, environment: number) =>
    carillon.post('/admin/certificate/save', {
      provider: 8,
      environment,
      name: 'Honor',
      app_id: '104400151',
      app_key: 'the-client-id',
      app_secret: appSecret,
    });

  const readHonor = async (environment: number) => {
    const api = carillon.apis[0]?.apiUrl;
    const response = await fetch(`${api}/push/certificate?provider=8&environment=${environment}`, {
      headers: { app_id: carillon.appId, 'access-token': carillon.adminToken },
    });
    return (await response.json()) as { code: number; data: { app_secret: string } | null; message: string | null };
  };

  test('a dump contains no usable token, password or secret', async () => {
    const password = secretText('password');
    const appSecret = secretText('app-secret');
    const clientSecret = secretText('client-secret');
    const masterSecret = secretText('master-secret');
    const user = await carillon.post<{ user_id: number }>('/admin/user/create', { name: 'ada', password });
    const login = await carillon.post<Record<string, string>>(
      '/token/user',
      { name: 'ada', password, device_guid: 'adas-phone' },
      { token: null },
    );
    const minted = await carillon.post<{ token: string }>('/admin/user/token', { user_id: user.data.user_id });
    const admin = await carillon.post<{ token: string }>('/admin/token/create', { name: 'x', scopes: ['push'] });
    await saveHonor(appSecret, 1);
    await carillon.post('/admin/certificate/save', {
      provider: 6,
      name: 'OPPO',
      app_id: '3000',
      app_key: 'key',
      app_secret: masterSecret,
      certificate: JSON.stringify({ app_secret: clientSecret }),
    });
    // A password in the name field is a common user error.
    await carillon.tryPost('/token/user', { name: password, password: 'ada' }, { token: null });

    const text = await dump();
    assert.ok(text.includes('the-client-id') && text.includes('adas-phone'), 'the dump contains the data of this test');
    const secrets = {
      password,
      appSecret,
      clientSecret,
      masterSecret,
      userToken: login.data.token as string,
      fileKey: login.data.access_key_secret as string,
      fileToken: login.data.store_token as string,
      mintedToken: minted.data.token,
      adminToken: admin.data.token,
      firstAdminToken: carillon.adminToken,
      appleKey: carillon.apns.facts.p8,
      ...Object.fromEntries(
        Object.entries(carillon.settings)
          .filter(([name]) => name.startsWith('CARILLON_MASTER_KEYS_'))
          .map(([name, key]) => [name, key.split(':')[1] as string]),
      ),
    };
    for (const [name, secret] of Object.entries(secrets))
      for (const form of formsOf(secret)) assert.ok(!text.includes(form), `${name} is in the dump`);
    assert.doesNotMatch(text, /PRIVATE KEY/);

    // The stored hashes are not accepted as tokens.
    const hashes = [...text.matchAll(/\\\\x([0-9a-f]{64})\b/g)].map(([, hash]) => hash as string);
    assert.ok(hashes.length >= 4, `${hashes.length} hashes`);
    for (const hash of hashes)
      for (const token of [hash, `cu_${hash}`, Buffer.from(hash, 'hex').toString('base64')]) {
        const { code } = await carillon.tryPost('/push/task/detail', { list: [1] }, { token });
        assert.equal(code, 10008);
      }
  });

  test('neither a dump nor the logs contain callback secrets or provider tokens', async () => {
    const key = secretText('callback-key');
    const signature = { user_name: 'callback-user', key };
    const { data } = await carillon.post<{ path: string }>('/admin/certificate/callback', {
      provider: 2,
      ...signature,
    });
    const callback = (await findCallbacks(carillon.storage.home, carillon.appId))[0] as Callback;
    const { path, referenceKey } = openCallback(carillon.keyrings.callbacks, callback);
    assert.equal(data.path, `/callback/huawei/${path}`);
    // Valid and invalid requests of every kind that could cause the server to report details.
    for (const address of [data.path, `/callback/honor/${path}`, `${data.path}/more`, `/callback/${path}`])
      for (const [method, body] of [
        ['POST', '{"statuses":[]}'],
        ['POST', 'no JSON'],
        ['POST', ' '.repeat(1024 * 1024 + 1)],
        ['GET', null],
      ] as const)
        await (await fetch(`${carillon.apis[0]?.apiUrl}${address}`, { method, body })).text();
    const providerTokens = await useApns();

    const text = await dump();
    const logs = carillon.logLines.join('\n');
    assert.ok(text.includes('COPY public.callbacks') && text.includes('COPY public.provider_tokens'));
    assert.ok(logs.includes('"callback-not-signed"'), 'the logs contain callback events');
    const secrets = { key, path, referenceKey, ...providerTokens };
    for (const [name, secret] of Object.entries(secrets))
      for (const form of formsOf(secret)) {
        assert.ok(!text.includes(form), `${name} is in the dump`);
        assert.ok(!logs.includes(form), `${name} is in a log`);
      }
  });

  /** Sends a notification through APNs. Returns the provider tokens that authenticated Carillon. */
  async function useApns(): Promise<Record<string, string>> {
    const testUser = await carillon.createUser('cleo');
    const { token } = await carillon.logIn(testUser, 'cleos-phone');
    await carillon.post('/device/bind', { provider: 1, token: 'live-secrets' }, { token });
    const setting = { distribution_strategy: 'ospush_only' };
    const taskId = await carillon.notify({ user_id: [testUser.userId] }, { body: 'x' }, setting);
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { apns: [1, 1, 0] }));
    const stored = await carillon.storage.home.query<{ name: string; box: Buffer }>(
      'select name, token as box from provider_tokens where token is not null',
    );
    assert.ok(stored.length > 0, 'a provider token was stored');
    const tokens = stored.map(({ name, box }) => open(carillon.keyrings.credentials, providerTokenContext(name), box));
    for (const opened of tokens) assert.match(opened, /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
    return Object.fromEntries(tokens.map((opened, i) => [`provider token ${i}`, opened]));
  }

  test('the secrets of a callback cannot be decrypted in another row', async () => {
    const { home } = carillon.storage;
    const ask = (provider: number) => carillon.tryPost<{ path: string }>('/admin/certificate/callback', { provider });
    const huawei = (await ask(2)).data.path;
    const honor = (await ask(8)).data.path;
    await home.query(
      `update callbacks c set secrets = o.secrets from callbacks o
        where c.app_id = $1 and o.app_id = $1 and c.channel = 'honor' and o.channel = 'huawei'`,
      [carillon.appId],
    );
    // A call to this address fails with 500, so that the vendor repeats it.
    const response = await fetch(`${carillon.apis[0]?.apiUrl}${honor}`, { method: 'POST', body: '{"statuses":[]}' });
    assert.equal(response.status, 500);
    // The stored secrets cannot be read, so the next request generates new ones.
    const { code, data } = await ask(8);
    assert.equal(code, 200);
    assert.notEqual(data.path, honor);
    assert.notEqual(data.path.split('/').at(-1), huawei.split('/').at(-1));
    assert.equal((await ask(2)).data.path, huawei);
  });

  test('the secrets of credentials cannot be decrypted in another row', async () => {
    const { home } = carillon.storage;
    await saveHonor('production-secret', 1);
    await saveHonor('development-secret', 0);
    assert.equal((await readHonor(1)).data?.app_secret, 'production-secret');

    const move = (set: string, from: string) =>
      home.query(
        `update certificates c set ${set} from certificates o
          where c.app_id = $1 and c.channel = 'honor' and c.environment = 1 and ${from}`,
        [carillon.appId],
      );
    const moves: readonly [string, string, string][] = [
      [
        'from the other environment',
        'app_secret = o.app_secret',
        `o.app_id = $1 and o.channel = 'honor' and o.environment = 0`,
      ],
      [
        'from another provider',
        'app_secret = o.app_secret',
        `o.app_id = $1 and o.channel = 'apns' and o.environment = 1`,
      ],
      [
        'from another field',
        'app_secret = o.certificate',
        `o.app_id = $1 and o.channel = 'honor' and o.environment = 1`,
      ],
      [
        'from another app',
        'app_secret = o.app_secret',
        `o.app_id = 'other' and o.channel = 'apns' and o.environment = 1`,
      ],
    ];
    for (const [name, set, from] of moves) {
      await saveHonor('production-secret', 1);
      await move(set, from);
      const { code, data, message } = await readHonor(1);
      assert.deepEqual([code, data], [50000, null], name);
      assert.doesNotMatch(String(message), /secret|key|seal/i);
    }
    await saveHonor('production-secret', 1);
    assert.equal((await readHonor(1)).code, 200, 'secrets that are saved again can be decrypted');
  });

  test('the private key of an app cannot be decrypted for another app', async () => {
    const { home } = carillon.storage;
    const { data } = await carillon.post<{ user_id: number }>('/admin/user/create', { name: 'bo' });
    const [kept] = await home.query<{ key: Buffer }>('select private_key as key from apps where app_id = $1', [
      carillon.appId,
    ]);
    await home.query(
      `update apps set private_key = (select private_key from apps where app_id = 'other') where app_id = $1`,
      [carillon.appId],
    );
    // Cached apps can be a few seconds out of date. Saving the settings of the app makes the API read it again.
    await carillon.post('/admin/app/update', { token_days: 30 });
    const refused = await carillon.tryPost('/admin/user/token', { user_id: data.user_id });
    assert.deepEqual([refused.code, refused.data], [50000, null]);
    await home.query('update apps set private_key = $2 where app_id = $1', [carillon.appId, kept?.key]);
    await carillon.post('/admin/app/update', { token_days: 90 });
    assert.equal((await carillon.tryPost('/admin/user/token', { user_id: data.user_id })).code, 200);
  });
});
