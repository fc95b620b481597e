import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { Silence } from './stall-detector.ts';

let now: number;
let silence: Silence;
beforeEach(() => {
  now = 0;
  silence = new Silence(() => now);
});

/** Requests that are under way, until they are told what came of them. */
function ask(requests: number): { end(heard: boolean): Promise<void> } {
  const work = Promise.withResolvers<boolean>();
  const done = silence.during('key', requests, work.promise, (heard) => heard);
  return {
    end: async (heard) => {
      work.resolve(heard);
      await done;
    },
  };
}
const isSilent = () => silence.isSilent('key');

describe('a vendor is silent', () => {
  test('when twenty wait and nothing was heard for two seconds', () => {
    for (let i = 0; i < 20; i++) ask(1);
    now = 1_999;
    assert.equal(isSilent(), false);
    now = 2_000;
    assert.equal(isSilent(), true);
    assert.equal(silence.isSilent('another'), false);
  });

  test('not while few wait, however long', () => {
    ask(19);
    now = 60_000;
    assert.equal(isSilent(), false);
  });

  test('not while one of them is answered now and then', async () => {
    ask(40);
    for (now = 1_000; now <= 10_000; now += 1_000) {
      await ask(1).end(true);
      assert.equal(isSilent(), false);
    }
    now += 1_000;
    assert.equal(isSilent(), true);
  });

  test('until something is heard, though fewer wait by then', async () => {
    const [first, second] = [ask(1), ask(19)];
    now = 10_000;
    await first.end(false);
    assert.equal(isSilent(), true);
    await ask(1).end(true);
    assert.equal(isSilent(), false);
    now = 20_000;
    assert.equal(isSilent(), false);
    await second.end(false);
  });

  test('until nobody waits any more', async () => {
    const all = ask(20);
    now = 10_000;
    assert.equal(isSilent(), true);
    await all.end(false);
    assert.equal(isSilent(), false);
    ask(1);
    now = 20_000;
    assert.equal(isSilent(), false);
  });
});
