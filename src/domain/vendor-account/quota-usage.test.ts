import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type QuotaUsage, QuotaUsageCounts } from './quota-usage.ts';

const vivo = { appId: 'bells', channel: 'vivo', environment: 1 } as const;
const oppo = { ...vivo, channel: 'oppo' } as const;
const MIDNIGHT = new Date('2026-11-15T16:00:00Z');
const NEXT_MIDNIGHT = new Date('2026-11-16T16:00:00Z');
const EVENING = new Date('2026-11-15T15:59:59Z');

function newCounts(accountsMax = 10): QuotaUsageCounts {
  let counters = 0;
  return new QuotaUsageCounts({ accountsMax, newCounter: () => `counter-${++counters}` });
}

/** Saves the counts that are due, and returns them as `channel class counter accepted`. */
async function savedBy(counts: QuotaUsageCounts, now = EVENING): Promise<string[]> {
  const saved: QuotaUsage[] = [];
  await counts.save(now, async (usage) => void saved.push(...usage));
  return saved.map((row) => [row.channel, row.class || '-', row.counter, row.accepted].join(' ')).sort();
}

describe('the usage of daily quotas', () => {
  test('is counted for each account and class, and is saved with its sum', async () => {
    const counts = newCounts();
    counts.add(vivo, 'operational', MIDNIGHT, 3);
    counts.add(vivo, 'system', MIDNIGHT, 2);
    counts.add(oppo, '', MIDNIGHT, 100);
    counts.add({ ...oppo, environment: 0 }, '', MIDNIGHT, 7);
    counts.add(vivo, 'system', MIDNIGHT, 4);
    assert.deepEqual(await savedBy(counts), [
      'oppo - counter-2 100',
      'oppo - counter-3 7',
      'vivo operational counter-1 3',
      'vivo system counter-1 6',
    ]);
    counts.add(oppo, '', MIDNIGHT, 1);
    assert.deepEqual(await savedBy(counts), ['oppo - counter-2 101']);
    assert.deepEqual(await savedBy(counts), [], 'nothing has changed');
  });

  test('starts at zero after the end of the day, and the last devices of the day are saved for that day', async () => {
    const counts = newCounts();
    counts.add(oppo, '', MIDNIGHT, 5);
    await savedBy(counts);
    counts.add(oppo, '', MIDNIGHT, 2);
    counts.add(oppo, '', NEXT_MIDNIGHT, 1);
    assert.deepEqual(await savedBy(counts, MIDNIGHT), ['oppo - counter-1 7', 'oppo - counter-2 1']);
    counts.add(oppo, '', MIDNIGHT, 1);
    assert.deepEqual(await savedBy(counts, MIDNIGHT), ['oppo - counter-3 1'], 'ended days are forgotten');
  });

  test('is saved again with the same counter if the result of the write is unknown', async () => {
    const counts = newCounts();
    counts.add(oppo, '', MIDNIGHT, 5);
    await assert.rejects(
      counts.save(EVENING, () => Promise.reject(new Error('no response'))),
      /no response/,
    );
    counts.add(oppo, '', MIDNIGHT, 1);
    assert.deepEqual(await savedBy(counts), ['oppo - counter-1 6']);
  });

  test('is kept after midnight until it has been saved', async () => {
    const counts = newCounts();
    counts.add(oppo, '', MIDNIGHT, 5);
    await assert.rejects(counts.save(MIDNIGHT, () => Promise.reject(new Error('no response'))));
    assert.deepEqual(await savedBy(counts, MIDNIGHT), ['oppo - counter-1 5']);
  });

  test('contains devices that are counted during a write in the next write', async () => {
    const counts = newCounts();
    counts.add(oppo, '', MIDNIGHT, 5);
    await counts.save(EVENING, async () => counts.add(oppo, '', MIDNIGHT, 1));
    assert.deepEqual(await savedBy(counts), ['oppo - counter-1 6']);
  });

  test('is limited to a number of accounts, and a forgotten account begins a new count', async () => {
    const counts = newCounts(2);
    for (const appId of ['a', 'b', 'a', 'c']) counts.add({ ...oppo, appId }, '', MIDNIGHT, 1);
    assert.deepEqual(await savedBy(counts), ['oppo - counter-1 2', 'oppo - counter-3 1'], 'b is forgotten');
    counts.add({ ...oppo, appId: 'b' }, '', MIDNIGHT, 1);
    assert.deepEqual(await savedBy(counts), ['oppo - counter-4 1']);
  });
});
