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

describe('what was found not long ago', () => {
  test('is asked for once by all who want it at the same time, and then not at all', async () => {
    const { cache, lookups } = createCache();
    const results = [cache.get('a'), cache.get('a'), cache.get('a')];
    assert.equal(lookups.length, 1);
    lookups[0]?.resolve('found');
    assert.deepEqual(await Promise.all(results), ['found', 'found', 'found']);
    assert.equal(await cache.get('a'), 'found');
    assert.equal(lookups.length, 1);
  });

  test('is asked for anew once it is to be forgotten, even while it is on its way', async () => {
    const { cache, lookups } = createCache();
    const early = cache.get('a');
    cache.clear();
    const late = cache.get('a');
    lookups[0]?.resolve('old');
    assert.equal(await early, 'old');
    lookups[1]?.resolve('new');
    assert.deepEqual([await late, await cache.get('a'), lookups.length], ['new', 'new', 2]);
  });

  test('is asked for anew by whoever comes when the answer takes too long to be fresh', async ({ mock }) => {
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

  test('is asked for again by everybody if it was not found: it may have been made since', async () => {
    const { cache, lookups } = createCache();
    const [first, second] = [cache.get('a'), cache.get('a')];
    lookups[0]?.resolve(undefined);
    assert.equal(await first, undefined);
    lookups[1]?.resolve('made');
    assert.equal(await second, 'made');
  });

  test('that could not be asked for fails whoever waited, and is asked for next time', async () => {
    const { cache, lookups } = createCache();
    const pending = [cache.get('a'), cache.get('a')];
    lookups[0]?.reject(new Error('away'));
    for (const result of pending) await assert.rejects(result, /away/);
    const again = cache.get('a');
    lookups[1]?.resolve('back');
    assert.equal(await again, 'back');
  });
});
