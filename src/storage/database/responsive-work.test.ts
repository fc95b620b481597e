import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ShardDb } from './database.ts';
import { waitWhileResponsive } from './responsive-work.ts';

const databaseOf = (isSilent: () => boolean) =>
  ({
    get isSilent() {
      return isSilent();
    },
  }) as ShardDb;
const responsive = databaseOf(() => false);
const silent = databaseOf(() => true);
const endless = new Promise<never>(() => undefined);

describe('waitWhileResponsive', () => {
  test('waits for work of responsive databases, but not for that of a silent one', async () => {
    const began = performance.now();
    const groups = [
      { databases: [responsive], work: sleep(120) },
      { databases: [responsive, silent], work: endless },
    ];
    assert.deepEqual([...(await waitWhileResponsive(groups))], [groups[1]]);
    assert.ok(performance.now() - began > 100, 'the work of the responsive database has not ended');
  });

  test('returns no group if all work has ended, even if it failed', async () => {
    const failed = Promise.reject(new Error('failed'));
    const unfinished = await waitWhileResponsive([
      { databases: [silent], work: Promise.resolve() },
      { databases: [responsive], work: failed },
    ]);
    assert.equal(unfinished.size, 0);
  });

  test('stops waiting when a database becomes silent', async () => {
    let isSilent = false;
    setTimeout(() => {
      isSilent = true;
    }, 80);
    const unfinished = await waitWhileResponsive([{ databases: [databaseOf(() => isSilent)], work: endless }]);
    assert.equal(unfinished.size, 1);
  });

  test('waits for silent databases while the caller does not permit to leave their work', async () => {
    const unfinished = await waitWhileResponsive([{ databases: [silent], work: sleep(120) }], () => false);
    assert.equal(unfinished.size, 0);
  });
});
