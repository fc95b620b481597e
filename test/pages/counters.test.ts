import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pushTaskDetail } from '#src/contract/push/task/detail.ts';
import { channels, type VendorName, vendorNames } from '#src/domain/channel.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import type { ReceiptReader } from '#src/vendors/translate/receipt.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/reference/counters.md');

/** Returns the text below a heading, up to the next heading of its level or above. */
function section(heading: string): string {
  const [hashes] = heading.split(' ') as [string];
  const [, after = ''] = page.split(`\n${heading}\n`);
  return after.split(new RegExp(`\n#{2,${hashes.length}} `))[0] as string;
}

/** Returns the cells of the rows that start with a code span. */
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| `.+ \|$/gm)].map(([row]) => row.slice(2, -2).split(' | '));

const wordsIn = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word as string);

describe('docs/reference/counters.md', () => {
  const counters = Object.keys(pushTaskDetail.data.items.properties).filter((name) => name !== 'task_id');
  const [, ...explained] = section('## Each counter, channel by channel').split(/^### .+$/m);

  test('explains every counter of the contract once, with the three counters of a channel under one heading', () => {
    const names = explained.map((text) => rowsOf(text).map(([name]) => wordsIn(name as string)[0]));
    assert.equal(names.length, channels.length);
    for (const three of names) {
      const [channel] = (three[0] as string).split('_');
      assert.deepEqual(
        three,
        ['target', 'sent', 'received'].map((counter) => `${channel}_${counter}`),
      );
    }
    assert.deepEqual(names.flat().sort(), counters.sort());
  });

  test('states for each counter what is counted, who reports it and why it can be zero', () => {
    for (const [name, ...cells] of explained.flatMap(rowsOf)) {
      assert.equal(cells.length, 3, name);
      assert.ok(
        cells.every((cell) => cell.length > 10),
        name,
      );
    }
  });

  test('names only existing counters', () => {
    const named = [...page.matchAll(/`([a-z]+_(?:target|sent|received))`/g)].map(([, name]) => name as string);
    assert.ok(named.length >= counters.length);
    assert.deepEqual(
      named.filter((name) => !counters.includes(name)),
      [],
    );
  });
});

describe('the table of vendors that report delivery', () => {
  const rows = new Map(
    rowsOf(section('## Who tells of arrivals')).map(([name, ...cells]) => [wordsIn(name as string)[0], cells]),
  );
  const cellsOf = (vendor: VendorName) => rows.get(vendor) as [string, string, string, string];

  test('has a row for each channel', () => {
    assert.deepEqual([...rows.keys()].sort(), [...channels].sort());
  });

  for (const vendor of vendorNames) {
    const receipts = vendorRegistry[vendor].receipts;

    test(`states whether ${vendor} reports delivery and signs its callbacks, as in the code`, () => {
      const [tells, , signed, todo] = cellsOf(vendor);
      assert.equal(tells, receipts ? 'yes' : 'no');
      assert.equal(signed.startsWith('if you enter'), receipts?.isSigned !== undefined);
      assert.equal(todo.includes('/device/receipt'), receipts === undefined);
      assert.equal(todo.includes('/admin/certificate/callback'), receipts !== undefined);
    });

    test(`states whether messages to ${vendor} contain the callback URL`, () => {
      const names = read(`src/vendors/${vendor}/payload.ts`).includes('callbackUrl');
      assert.equal(cellsOf(vendor)[3].includes('CARILLON_PUBLIC_URL'), names);
    });

    if (receipts)
      test(`lists exactly the status values of ${vendor} that count as delivered`, () => {
        const listed = wordsIn(cellsOf(vendor)[1]);
        const words = [...new Set([...listed, ...WORDS])];
        assert.deepEqual(words.filter((word) => kindOf(receipts, vendor, word) === 'delivered').sort(), listed.sort());
      });
  }
});

/** Status values of all vendors: numbers and event names. */
const WORDS = [
  ...Array.from({ length: 1_100 }, (_, code) => `${code}`),
  ...['40000002', 'push_arrive', 'regid_invalid', 'user_daily_limit', 'click'],
];

/** A callback with one status value for one phone, in the format of each vendor. */
const callbacks: Partial<Record<VendorName, (word: string) => unknown>> = {
  huawei: (status) => ({ statuses: [{ token: 't', biTag: 'r', status, timestamp: 1 }] }),
  honor: (status) => ({ statuses: [{ token: 't', biTag: 'r', status, timestamp: 1 }] }),
  xiaomi: (type) => ({ data: JSON.stringify({ m: { param: 'r', type, targets: 't' } }) }),
  oppo: (eventType) => [{ param: 'r', eventType, registrationIds: 't' }],
  vivo: (ackType) => ({ m: { param: 'r', ackType, targets: 't' } }),
  flyme: (type) => ({ cb: JSON.stringify({ m: { param: 'r', type, targets: ['t'] } }) }),
};

function kindOf({ read: readCallback }: ReceiptReader, vendor: VendorName, word: string): string {
  const [receipt] = readCallback(callbacks[vendor]?.(word)) ?? [];
  return receipt?.kind ?? assert.fail(`The callback of ${vendor} with ${word} cannot be read.`);
}
