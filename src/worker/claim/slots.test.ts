import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Slots, type Taken } from './slots.ts';

function raise(error: unknown): never {
  throw error;
}

/** Slots whose looks are ended by hand. */
function slotsOf(count: number, lent?: () => number) {
  const looks: { taken: Taken; end: (more: boolean) => void }[] = [];
  const begun = new EventTarget();
  const ask = (taken: Taken) =>
    new Promise<boolean>((end) => {
      looks.push({ taken, end });
      begun.dispatchEvent(new Event('look'));
    });
  const slots = new Slots({ count, ask, onError: raise, ...(lent && { lent }) });
  const nextLook = () => new Promise((resolve) => begun.addEventListener('look', resolve, { once: true }));
  return { slots, looks, nextLook };
}

describe('slots', () => {
  test('one looks at a time, and all that ring meanwhile are one more look', async () => {
    const { slots, looks } = slotsOf(4);
    for (let i = 0; i < 10; i++) slots.ring();
    assert.equal(looks.length, 1);
    looks[0]?.taken();
    assert.equal(looks.length, 2, 'the first one is at work, and the next looks');
    looks[1]?.taken();
    assert.equal(looks.length, 2, 'nobody has rung since');
    for (const { end } of looks) end(false);
    await slots.stop();
  });

  test('whoever looks for long holds nobody up', async () => {
    const { slots, looks, nextLook } = slotsOf(4);
    slots.ring();
    slots.ring();
    const next = nextLook();
    assert.equal(looks.length, 1);
    await next;
    assert.equal(looks.length, 2);
    for (const { end } of looks) end(false);
    await slots.stop();
  });

  test('no more are at work than there are slots; a ring meanwhile is heard when one is free', async () => {
    const { slots, looks, nextLook } = slotsOf(2);
    for (let i = 0; i < 2; i++) {
      slots.ring();
      looks[i]?.taken();
    }
    slots.ring();
    assert.equal(looks.length, 2);
    const next = nextLook();
    looks[0]?.end(false);
    await next;
    assert.equal(looks.length, 3);
    for (const { end } of looks) end(false);
    await slots.stop();
  });

  test('one that is lent is another’s at once, and no longer than it is lent', async () => {
    let lent = 0;
    const { slots, looks, nextLook } = slotsOf(1, () => lent);
    slots.ring();
    looks[0]?.taken();
    slots.ring();
    assert.equal(looks.length, 1);
    lent = 1;
    slots.lend();
    assert.equal(looks.length, 2);
    looks[1]?.taken();
    lent = 0;
    slots.ring();
    looks[0]?.end(false);
    await new Promise((resume) => setImmediate(resume));
    assert.equal(looks.length, 2, 'the slot is the second one’s');
    const next = nextLook();
    looks[1]?.end(false);
    await next;
    for (const { end } of looks) end(false);
    await slots.stop();
  });
});
