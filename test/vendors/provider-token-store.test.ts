import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Outcome } from '#src/domain/outcome.ts';
import { createLog } from '#src/foundation/log.ts';
import { parseKeyring } from '#src/foundation/sealed-box.ts';
import type { HomeDb, Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import { huawei } from '#src/vendors/huawei/huawei.ts';
import { VendorSender } from '#src/vendors/sender.ts';
import { type IssuedToken, ProviderTokens, tokenName } from '#src/vendors/tokens/provider-tokens.ts';
import type { ProviderToken, TokenSource, VendorAccount } from '#src/vendors/vendor.ts';
import { ProviderTokenStore } from '#src/worker/accounts/provider-token-store.ts';
import { createMigratedDatabases, type TestDatabases } from '../support/databases.ts';

const LIFE_SECONDS = 3_600;
const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [oldKey, nextKey] = [newKey('old'), newKey('next')];

let databases: TestDatabases;
let storage: Storage;
let db: HomeDb;
let now: Date;
let made: number;
before(async () => {
  databases = await createMigratedDatabases();
  const log = createLog({ level: 'error', fields: { role: 'test' } });
  const settings = { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 10 };
  storage = await openStorage({ settings, connections: 4, log });
  db = storage.home;
});
after(async () => {
  await storage.close();
  await databases[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await db.query('delete from provider_tokens');
  now = await readClock(db);
  made = 0;
});

const newStore = (keys = oldKey) =>
  new ProviderTokenStore(db, parseKeyring('CARILLON_MASTER_KEYS_CREDENTIALS', keys), 10);
const make = async (): Promise<ProviderToken> => ({ token: `canary-${++made}`, lifetimeSeconds: LIFE_SECONDS });
const fail = async (): Promise<Outcome> => ({ kind: 'unreachable', reason: 'outage' });
const storedToken = (token: string): IssuedToken => ({
  token,
  madeAt: now,
  expiresAt: new Date(now.getTime() + LIFE_SECONDS * 1_000),
});
const textOf = (got: IssuedToken | Outcome) => ('kind' in got ? got.kind : got.token);
const getFrom = async (tokens: ProviderTokens, maker: () => Promise<ProviderToken | Outcome> = make) =>
  textOf(await tokens.get('name', now, maker));
const get = (store: ProviderTokenStore, maker?: typeof make | typeof fail) => getFrom(new ProviderTokens(store), maker);
/** Ages the stored tokens by the given share of their lifetime. */
const age = (share: number) =>
  db.query(
    `update provider_tokens set made_at = made_at - $1 * (expires_at - made_at),
                                expires_at = expires_at - $1 * (expires_at - made_at)`,
    [share],
  );

describe('provider tokens of all workers', () => {
  test('are obtained by one worker, even if many workers request them at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(newStore())));
    assert.deepEqual([new Set(answers), made], [new Set(['canary-1']), 1]);
  });

  test('are obtained by another worker after the first worker has crashed', async () => {
    const [dead, next] = [newStore(), newStore()];
    assert.equal(await dead.claim('name'), 'claimed');
    assert.equal(await next.claim('name'), 'claimed-elsewhere');
    await db.query('update provider_tokens set claimed_until = now()');
    assert.equal(await get(next), 'canary-1');
  });

  test('are obtained by another worker immediately if the first worker failed', async () => {
    assert.equal(await get(newStore(), fail), 'unreachable');
    await assert.rejects(
      new ProviderTokens(newStore()).get('name', now, () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(await get(newStore()), 'canary-1');
  });

  test('are sealed in the database', async () => {
    await get(newStore());
    const [row] = await db.query<{ all: string; token: Buffer }>('select p::text as all, token from provider_tokens p');
    assert.ok(row && !row.all.includes('canary') && !row.token.toString('latin1').includes('canary'));
  });

  test('can be opened only under their own name', async () => {
    await newStore().save('name', storedToken('one'));
    await newStore().save('other', storedToken('two'));
    await db.query(`update provider_tokens o set token = n.token from provider_tokens n
                     where o.name = 'other' and n.name = 'name'`);
    assert.equal(await newStore().claim('other'), 'claimed');
  });

  test('are renewed by one worker after three quarters of their lifetime, while the others use the old token', async () => {
    await get(newStore());
    await age(0.8);
    assert.equal(await newStore().claim('name'), 'claimed');
    assert.equal(await get(newStore()), 'canary-1');
    await newStore().save('name', storedToken('next'));
    assert.equal(await get(newStore()), 'next');
  });

  test('that are due for renewal are used, even by a new worker, while no newer token can be obtained', async () => {
    await get(newStore());
    await age(0.8);
    assert.equal(await get(newStore(), fail), 'canary-1');
    assert.equal(await get(newStore()), 'canary-2', 'the next worker can obtain a token');
  });

  test('that are about to expire are not used', async () => {
    await get(newStore());
    await age(0.999);
    assert.equal(await newStore().claim('name'), 'claimed');
    assert.equal(await newStore().claim('name'), 'claimed-elsewhere');
  });

  test('that were rejected are dropped, and a newer token is kept', async () => {
    const store = newStore();
    const first = storedToken('first');
    await store.save('name', first);
    const second = { ...storedToken('second'), madeAt: new Date(now.getTime() + 1) };
    await newStore().save('name', second);
    await store.drop('name', first);
    assert.deepEqual(await store.claim('name'), second);
    await store.drop('name', second);
    assert.equal(await store.claim('name'), 'claimed');
  });

  test('that were rejected are not read from the store again', async () => {
    const tokens = new ProviderTokens(newStore());
    const first = (await tokens.get('name', now, make)) as IssuedToken;
    await tokens.invalidate('name', first);
    // Simulates a worker that read the token from the store just before the token was dropped.
    await newStore().save('name', first);
    const next = getFrom(tokens);
    assert.deepEqual(await newStore().claim('name'), first);
    await newStore().drop('name', first);
    assert.equal(await next, 'canary-2');
  });

  test('are obtained again if their master key is missing', async () => {
    await get(newStore(oldKey));
    assert.equal(await get(newStore(nextKey)), 'canary-2');
    assert.equal(await get(newStore(`${nextKey} ${oldKey}`)), 'canary-2');
  });

  test('are not used in an outage if their master key is missing', async () => {
    await get(newStore(oldKey));
    await age(0.8);
    assert.equal(await get(newStore(nextKey), fail), 'unreachable');
  });
});

test('a notification does not wait beyond its deadline for a token that another worker is obtaining', async () => {
  const account: VendorAccount = {
    appId: 'bells',
    environment: 1,
    vendorAppId: '1',
    appKey: '',
    appSecret: 'secret',
    certificate: '',
    version: 1,
  };
  const source = huawei.tokenSource(account, now);
  assert.equal(await newStore().claim(tokenName('huawei', source as TokenSource)), 'claimed');
  const settings = {
    CARILLON_VENDOR_DEADLINE_SECONDS: 1,
    CARILLON_VENDOR_PROXY_URL: '',
    CARILLON_VENDOR_PROXY_FOR: '',
    CARILLON_WEBPUSH_HOSTS: '',
    CARILLON_HUAWEI_URL: 'https://127.0.0.1:9',
    CARILLON_HUAWEI_TOKEN_URL: 'https://127.0.0.1:9',
  };
  const sender = new VendorSender(settings, newStore());
  const start = performance.now();
  assert.deepEqual(await sender.check('huawei', account, now), {
    kind: 'unreachable',
    reason: 'no provider token in time',
  });
  assert.ok(performance.now() - start < 2_500);
  sender.close();
});
