import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type OnClaimed, Slots } from './slots.ts';

function raise(error: unknown): never {
  throw error;
}

/** Returns slots whose claims are ended by the test. */
function createSlots(count: number, freedMax = 0) {
  const claims: { onClaimed: OnClaimed; end: (more: boolean) => void }[] = [];
  const begun = new EventTarget();
  const claim = (onClaimed: OnClaimed) =>
    new Promise<boolean>((end) => {
      claims.push({ onClaimed, end });
      begun.dispatchEvent(new Event('claim'));
    });
  const slots = new Slots({ count, claim, onError: raise, freedMax });
  const nextClaim = () => new Promise((resolve) => begun.addEventListener('claim', resolve, { once: true }));
  return { slots, claims, nextClaim };
}

describe('slots', () => {
  test('run one claim at a time, and combine all wake-ups during a claim into one more claim', async () => {
    const { slots, claims } = createSlots(4);
    for (let i = 0; i < 10; i++) slots.wakeUp();
    assert.equal(claims.length, 1);
    claims[0]?.onClaimed();
    assert.equal(claims.length, 2, 'the first claim is processed while the next one runs');
    claims[1]?.onClaimed();
    assert.equal(claims.length, 2, 'there was no further wake-up');
    for (const { end } of claims) end(false);
    await slots.stop();
  });

  test('do not wait for a slow claim', async () => {
    const { slots, claims, nextClaim } = createSlots(4);
    slots.wakeUp();
    slots.wakeUp();
    const next = nextClaim();
    assert.equal(claims.length, 1);
    await next;
    assert.equal(claims.length, 2);
    for (const { end } of claims) end(false);
    await slots.stop();
  });

  test('limit the concurrent work, and repeat a wake-up when a slot is free', async () => {
    const { slots, claims, nextClaim } = createSlots(2);
    for (let i = 0; i < 2; i++) {
      slots.wakeUp();
      claims[i]?.onClaimed();
    }
    slots.wakeUp();
    assert.equal(claims.length, 2);
    const next = nextClaim();
    claims[0]?.end(false);
    await next;
    assert.equal(claims.length, 3);
    for (const { end } of claims) end(false);
    await slots.stop();
  });

  test('use a slot that is freed during a vendor call, and only until the call ends', async () => {
    const { slots, claims, nextClaim } = createSlots(1, 1);
    const vendor = Promise.withResolvers<void>();
    slots.wakeUp();
    claims[0]?.onClaimed();
    slots.wakeUp();
    assert.equal(claims.length, 1);
    const secondClaim = nextClaim();
    const waiting = slots.freeDuring(vendor.promise);
    await secondClaim;
    assert.equal(claims.length, 2);
    claims[1]?.onClaimed();
    vendor.resolve();
    await waiting;
    slots.wakeUp();
    claims[0]?.end(false);
    await new Promise((resume) => setImmediate(resume));
    assert.equal(claims.length, 2, 'the second claim occupies the slot');
    const next = nextClaim();
    claims[1]?.end(false);
    await next;
    for (const { end } of claims) end(false);
    await slots.stop();
  });
});
