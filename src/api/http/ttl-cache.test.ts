import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TtlCache } from './ttl-cache.ts';

/** Creates a cache whose lookups are resolved by the test. */
function createCache() {
  const lookups: PromiseWithResolvers<string | undefined>[] = [];
  const cache = new TtlCache<string>(() => {
    const lookup = Promise.withResolvers<string | undefined>();
    lookups.push(lookup);
    return lookup.promise;
  });
  return { cache, lookups };
}

describe('TTL cache', () => {
  test('looks a key up once for simultaneous callers and then serves it from the cache', async () => {
    const { cache, lookups } = createCache();
    const results = [cache.get('a'), cache.get('a'), cache.get('a')];
    assert.equal(lookups.length, 1);
    lookups[0]?.resolve('found');
    assert.deepEqual(await Promise.all(results), ['found', 'found', 'found']);
    assert.equal(await cache.get('a'), 'found');
    assert.equal(lookups.length, 1);
  });

  test('looks a key up again after a clear, even if a lookup is pending', async () => {
    const { cache, lookups } = createCache();
    const early = cache.get('a');
    cache.clear();
    const late = cache.get('a');
    lookups[0]?.resolve('old');
    assert.equal(await early, 'old');
    lookups[1]?.resolve('new');
    assert.deepEqual([await late, await cache.get('a'), lookups.length], ['new', 'new', 2]);
  });

  test('starts a new lookup if the pending one is older than the TTL', async ({ mock }) => {
    const { cache, lookups } = createCache();
    const early = cache.get('a');
    const later = performance.now() + 2_001;
    mock.method(performance, 'now', () => later);
    const late = cache.get('a');
    assert.equal(lookups.length, 2);
    lookups[1]?.resolve('revoked since');
    lookups[0]?.resolve('from before');
    assert.deepEqual(
      [await early, await late, await cache.get('a')],
      ['from before', 'revoked since', 'revoked since'],
    );
  });

  test('looks a missing key up again for every caller, because it may have been created since', async () => {
    const { cache, lookups } = createCache();
    const [first, second] = [cache.get('a'), cache.get('a')];
    lookups[0]?.resolve(undefined);
    assert.equal(await first, undefined);
    lookups[1]?.resolve('made');
    assert.equal(await second, 'made');
  });

  test('fails all waiting callers if a lookup fails, and looks the key up again next time', async () => {
    const { cache, lookups } = createCache();
    const pending = [cache.get('a'), cache.get('a')];
    lookups[0]?.reject(new Error('away'));
    for (const result of pending) await assert.rejects(result, /away/);
    const again = cache.get('a');
    lookups[1]?.resolve('back');
    assert.equal(await again, 'back');
  });
});
