import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Outcome } from '#src/domain/outcome.ts';
import type { ProviderToken } from '../vendor.ts';
import { type IssuedToken, ProviderTokens, tokenName } from './provider-tokens.ts';

const START = Date.UTC(2026, 0, 1);
const LIFE_SECONDS = 3_600;
const at = (share: number) => new Date(START + share * LIFE_SECONDS * 1_000);
const OUTAGE: Outcome = { kind: 'unreachable', reason: 'outage' };

let tokens: ProviderTokens;
let issuedCount: number;
beforeEach(() => {
  tokens = new ProviderTokens();
  issuedCount = 0;
});

const issue = async (): Promise<ProviderToken> => ({ token: `t${++issuedCount}`, lifetimeSeconds: LIFE_SECONDS });
const fail = async (): Promise<Outcome> => {
  issuedCount++;
  return OUTAGE;
};
const tokenOrKind = (result: IssuedToken | Outcome) => ('kind' in result ? result.kind : result.token);
const get = async (share: number, issuer: () => Promise<ProviderToken | Outcome> = issue) =>
  tokenOrKind(await tokens.get('name', at(share), issuer));
/** Waits for a renewal, which runs in the background. */
const renewalDone = () => new Promise(setImmediate);

describe('a provider token', () => {
  test('is issued once for concurrent requests', async () => {
    assert.deepEqual(await Promise.all([get(0), get(0), get(0)]), ['t1', 't1', 't1']);
  });

  test('is issued separately for each name', async () => {
    await tokens.get('one', at(0), issue);
    assert.deepEqual(await tokens.get('other', at(0), issue), { token: 't2', madeAt: at(0), expiresAt: at(1) });
  });

  test('is used for three quarters of its lifetime and then renewed once', async () => {
    await get(0);
    assert.equal(await get(0.749), 't1');
    await renewalDone();
    assert.equal(issuedCount, 1);
    assert.deepEqual(await Promise.all([get(0.75), get(0.75), get(0.75)]), ['t1', 't1', 't1']);
    await renewalDone();
    assert.equal(issuedCount, 2);
    assert.equal(await get(0.76), 't2');
  });

  test('that is due for renewal is used while the renewal is pending', async () => {
    await get(0);
    const slow = Promise.withResolvers<ProviderToken>();
    assert.equal(await get(0.8, () => slow.promise), 't1');
    slow.resolve({ token: 'slow', lifetimeSeconds: LIFE_SECONDS });
    await renewalDone();
    assert.equal(await get(0.81), 'slow');
  });

  test('that is due for renewal is used if the renewal fails, and the renewal is not retried for every request', async () => {
    await get(0);
    for (let i = 0; i < 5; i++) {
      assert.equal(await get(0.8, fail), 't1');
      await renewalDone();
    }
    assert.equal(issuedCount, 2);
    assert.equal(await get(0.81), 't1');
    await renewalDone();
    assert.equal(await get(0.81), 't3');
  });

  test('that is about to expire is renewed first, and is used once more if the renewal fails', async () => {
    await get(0);
    assert.equal(await get(0.999, fail), 't1');
    assert.equal(await get(0.999), 't3');
  });

  test('that has expired is not used', async () => {
    await get(0);
    assert.equal(await get(1, fail), 'unreachable');
    assert.equal(await get(1), 't3');
  });

  test('from the future is used while it is renewed', async () => {
    await get(0.5);
    assert.equal(await get(0.4), 't1');
    await renewalDone();
    assert.equal(await get(0.4), 't2');
  });

  test('is requested again after a failure', async () => {
    assert.deepEqual(await Promise.all([get(0, fail), get(0, fail)]), ['unreachable', 'unreachable']);
    assert.equal(issuedCount, 1);
    assert.equal(await get(0), 't2');
    const broken = new Error('broken');
    tokens = new ProviderTokens();
    await assert.rejects(
      get(0, () => Promise.reject(broken)),
      broken,
    );
    assert.equal(await get(0), 't3');
  });

  test('with a failing renewal causes no error until it expires', async () => {
    await get(0);
    const breaking = () => Promise.reject(new Error('broken'));
    assert.equal(await get(0.8, breaking), 't1');
    await renewalDone();
    await assert.rejects(get(1, breaking), /broken/);
  });

  test('that the vendor rejected is discarded, but not its successor', async () => {
    const first = (await tokens.get('name', at(0), issue)) as IssuedToken;
    await tokens.invalidate('name', first);
    assert.equal(await get(0), 't2');
    await tokens.invalidate('name', first);
    assert.equal(await get(0), 't2');
  });

  test('that the vendor rejected is not used again if the vendor issues no other token', async () => {
    const first = (await tokens.get('name', at(0), issue)) as IssuedToken;
    await tokens.invalidate('name', first);
    assert.equal(await get(0.1, fail), 'unreachable');
  });

  test('that the vendor issues again after rejecting it is used', async () => {
    const same = async () => ({ token: 'same', lifetimeSeconds: LIFE_SECONDS });
    await tokens.invalidate('name', (await tokens.get('name', at(0), same)) as IssuedToken);
    assert.deepEqual([await get(0, same), await get(0.1)], ['same', 'same']);
  });

  test('is used in this process even if the store fails before saving it', async () => {
    const store = {
      claim: async () => 'claimed' as const,
      save: () => Promise.reject(new Error('away')),
      release: async () => undefined,
      drop: async () => undefined,
    };
    tokens = new ProviderTokens(store);
    await assert.rejects(get(0), /away/);
    assert.deepEqual([await get(0.1), issuedCount], ['t1', 1]);
  });

  test('is cached for at most 1,000 accounts', async () => {
    for (let i = 0; i <= 1_000; i++) await tokens.get(`${i}`, at(0), issue);
    await tokens.get('1', at(0), issue);
    assert.equal(issuedCount, 1_001);
    await tokens.get('0', at(0), issue);
    assert.equal(issuedCount, 1_002);
  });
});

test('the name of a token reveals nothing about its source, and differs between vendors', () => {
  const source = {
    kind: 'signed' as const,
    cacheKeyParts: ['id', 'canary'],
    renewAfterSeconds: 60,
    sign: () => issue(),
  };
  assert.match(tokenName('fcm', source), /^[\w-]{43}$/);
  assert.notEqual(tokenName('fcm', source), tokenName('apns', source));
  assert.notEqual(tokenName('fcm', source), tokenName('fcm', { ...source, cacheKeyParts: ['idc', 'anary'] }));
});
