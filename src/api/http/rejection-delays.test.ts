import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RejectionDelays } from './rejection-delays.ts';

/** Returns how many of these rejections are not delayed. */
async function countImmediate(delays: RejectionDelays, addresses: readonly string[]): Promise<number> {
  let immediate = 0;
  for (const address of addresses) void delays.take(address).then(() => immediate++);
  await new Promise(setImmediate);
  return immediate;
}

const repeat = (count: number, addressOf: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => addressOf(i));

describe('rejections of an address', () => {
  test('are delayed if there are more than the limit', async () => {
    assert.equal(
      await countImmediate(
        new RejectionDelays(20),
        repeat(100, () => '198.51.100.1'),
      ),
      20,
    );
  });

  test('do not delay those of other addresses', async () => {
    const delays = new RejectionDelays(20);
    await countImmediate(
      delays,
      repeat(100, () => '198.51.100.1'),
    );
    assert.equal(await countImmediate(delays, ['198.51.100.2', '2001:db8::1']), 2);
  });

  test('are counted together for the addresses of an IPv6 network', async () => {
    assert.equal(
      await countImmediate(
        new RejectionDelays(20),
        repeat(100, (i) => `2001:db8::${i.toString(16)}`),
      ),
      20,
    );
  });

  test('are not delayed if too many others are, or if the limit is 0', async () => {
    const delays = new RejectionDelays(1);
    assert.equal(
      await countImmediate(
        delays,
        repeat(2_101, () => '198.51.100.1'),
      ),
      1 + 100,
    );
    assert.equal(
      await countImmediate(
        new RejectionDelays(0),
        repeat(100, () => '198.51.100.1'),
      ),
      100,
    );
  });
});
