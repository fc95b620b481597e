import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FreshCache } from './ttl-cache.ts';

/** Questions that are answered by hand. */
function questions() {
  const asked: PromiseWithResolvers<string | undefined>[] = [];
  const cache = new FreshCache<string>(() => {
    const question = Promise.withResolvers<string | undefined>();
    asked.push(question);
    return question.promise;
  });
  return { cache, asked };
}

describe('what was found not long ago', () => {
  test('is asked for once by all who want it at the same time, and then not at all', async () => {
    const { cache, asked } = questions();
    const answers = [cache.get('a'), cache.get('a'), cache.get('a')];
    assert.equal(asked.length, 1);
    asked[0]?.resolve('found');
    assert.deepEqual(await Promise.all(answers), ['found', 'found', 'found']);
    assert.equal(await cache.get('a'), 'found');
    assert.equal(asked.length, 1);
  });

  test('is asked for anew once it is to be forgotten, even while it is on its way', async () => {
    const { cache, asked } = questions();
    const early = cache.get('a');
    cache.forget();
    const late = cache.get('a');
    asked[0]?.resolve('old');
    assert.equal(await early, 'old');
    asked[1]?.resolve('new');
    assert.deepEqual([await late, await cache.get('a'), asked.length], ['new', 'new', 2]);
  });

  test('is asked for anew by whoever comes when the answer takes too long to be fresh', async ({ mock }) => {
    const { cache, asked } = questions();
    const early = cache.get('a');
    const later = performance.now() + 2_001;
    mock.method(performance, 'now', () => later);
    const late = cache.get('a');
    assert.equal(asked.length, 2);
    asked[1]?.resolve('revoked since');
    asked[0]?.resolve('from before');
    assert.deepEqual(
      [await early, await late, await cache.get('a')],
      ['from before', 'revoked since', 'revoked since'],
    );
  });

  test('is asked for again by everybody if it was not found: it may have been made since', async () => {
    const { cache, asked } = questions();
    const [first, second] = [cache.get('a'), cache.get('a')];
    asked[0]?.resolve(undefined);
    assert.equal(await first, undefined);
    asked[1]?.resolve('made');
    assert.equal(await second, 'made');
  });

  test('that could not be asked for fails whoever waited, and is asked for next time', async () => {
    const { cache, asked } = questions();
    const waiting = [cache.get('a'), cache.get('a')];
    asked[0]?.reject(new Error('away'));
    for (const one of waiting) await assert.rejects(one, /away/);
    const again = cache.get('a');
    asked[1]?.resolve('back');
    assert.equal(await again, 'back');
  });
});
