import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyBadge } from './badge.ts';
import { type DeviceStorage, loadPersistedState } from './persisted-state.ts';
import { SEEN_IDS_MAX, SeenIds } from './seen-ids.ts';

const KEY = 'device';

describe('ids of shown notifications', () => {
  test('are kept up to a limit, and the oldest are removed first', () => {
    const seen = new SeenIds();
    for (let i = 0; i <= SEEN_IDS_MAX; i++) seen.add(`${i}`);
    assert.equal(seen.list().length, SEEN_IDS_MAX);
    assert.deepEqual([seen.has('0'), seen.has('1'), seen.has(`${SEEN_IDS_MAX}`)], [false, true, true]);
  });

  test('count as new when they are added again', () => {
    const seen = new SeenIds(Array.from({ length: SEEN_IDS_MAX }, (_, i) => `${i}`));
    seen.add('0');
    seen.add('next');
    assert.deepEqual([seen.has('0'), seen.has('1')], [true, false]);
  });

  test('are cut to the limit when they are loaded', () => {
    const seen = new SeenIds(Array.from({ length: SEEN_IDS_MAX + 5 }, (_, i) => `${i}`));
    assert.deepEqual([seen.list().length, seen.list()[0]], [SEEN_IDS_MAX, '5']);
  });
});

describe('persisted state', () => {
  /** Delays each write, like a database in a browser, and counts the writes. */
  class SlowStorage implements DeviceStorage {
    readonly items = new Map<string, string>();
    writes = 0;
    getItem(key: string): Promise<string | null> {
      return Promise.resolve(this.items.get(key) ?? null);
    }
    async setItem(key: string, value: string): Promise<void> {
      await new Promise((resolve) => setImmediate(resolve));
      this.writes++;
      this.items.set(key, value);
    }
  }

  test('survives a reload', async () => {
    const storage = new SlowStorage();
    const before = await loadPersistedState(storage, KEY);
    before.seen.add('17');
    before.badge = 3;
    before.receipts.push('1.2.3');
    before.clicks.push('1.2.4');
    await before.save();
    const after = await loadPersistedState(storage, KEY);
    assert.equal(after.deviceGuid, before.deviceGuid);
    assert.deepEqual([after.seen.list(), after.badge, after.receipts, after.clicks], [['17'], 3, ['1.2.3'], ['1.2.4']]);
  });

  test('a save resolves when the state is written, and many concurrent saves need two writes', async () => {
    const storage = new SlowStorage();
    const memory = await loadPersistedState(storage, KEY);
    const saves = Array.from({ length: 50 }, (_, i) => {
      memory.seen.add(`${i}`);
      return memory.save();
    });
    await saves[49];
    assert.ok(storage.items.get(KEY)?.includes('"49"'));
    await Promise.all(saves);
    assert.equal(storage.writes, 2);
  });

  test('a failed write rejects its save, and the next save still writes', async () => {
    const storage = new SlowStorage();
    const memory = await loadPersistedState(storage, KEY);
    const write = storage.setItem.bind(storage);
    storage.setItem = () => Promise.reject(new Error('full'));
    const failing = memory.save();
    storage.setItem = write;
    const next = memory.save();
    await assert.rejects(failing, /full/);
    await next;
    assert.equal((await loadPersistedState(storage, KEY)).deviceGuid, memory.deviceGuid);
  });

  for (const text of ['', 'no json', 'null', '[]', '{"device_guid":5,"seen":[1],"badge":"x","receipts":{}}'])
    test(`${text === '' ? 'nothing' : text} in the storage results in a new state`, async () => {
      const storage = new SlowStorage();
      storage.items.set(KEY, text);
      const memory = await loadPersistedState(storage, KEY);
      assert.match(memory.deviceGuid, /^[0-9a-f]{32}$/);
      assert.deepEqual([memory.seen.list(), memory.badge, memory.receipts], [[], 0, []]);
    });

  test('a device without storage gets a new GUID each time', async () => {
    const [one, other] = [await loadPersistedState(undefined, KEY), await loadPersistedState(undefined, KEY)];
    await one.save();
    assert.notEqual(one.deviceGuid, other.deviceGuid);
  });
});

describe('badge', () => {
  test('is increased or set', () => {
    assert.deepEqual([applyBadge(3, '+2'), applyBadge(3, '2'), applyBadge(3, '0'), applyBadge(3, '+0')], [5, 2, 0, 3]);
  });

  test('stays within an int32, and does not change if the value is invalid', () => {
    assert.equal(applyBadge(5, '+9999999999'), 2 ** 31 - 1);
    for (const nonsense of ['', '+', '-1', 'x', '1.5']) assert.equal(applyBadge(3, nonsense), 3);
  });
});
