import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pushTaskDetail } from '#src/contract/push/task/detail.ts';
import { type Channel, channels, type VendorName, vendorNames } from '#src/domain/channel.ts';
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

/** A counter in the list of a channel. `zero` has the reasons for 0, which a received counter has under its question. */
interface ExplainedCounter {
  readonly name: string;
  readonly text: string;
  readonly zero: string;
}

/** Returns the counters that the section of a channel explains. */
function countersOf(text: string): ExplainedCounter[] {
  const items = [
    ...text.matchAll(/^- `(\w+)`: ([\s\S]+?)(?=\n- |\n\n|\n {2}- )(?:\n {2}- 0 if: ([\s\S]+?)(?=\n- |\n\n))?/gm),
  ];
  return items.map(([, name = '', what = '', zero]) => {
    const [, answer = ''] = text.split(`\n#### Why is ${name} 0?\n`);
    return { name, text: what, zero: zero ?? answer.split(/\n#/)[0]?.trim() ?? '' };
  });
}

/** The sections of the channels. */
const [, ...explained] = section('## Counters by channel').split(/^### .+$/m);

describe('docs/reference/counters.md', () => {
  const counters = Object.keys(pushTaskDetail.data.items.properties).filter((name) => name !== 'task_id');

  test('explains every counter of the contract once, with the three counters of a channel under one heading', () => {
    const names = explained.map((text) => countersOf(text).map(({ name }) => name));
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
    for (const { name, text, zero } of explained.flatMap(countersOf)) {
      const [channel, counter] = name.split('_') as [Channel, 'target' | 'sent' | 'received'];
      assert.ok(text.length > 10 && zero.length > 10, name);
      assert.match(text, sourceOf(channel, counter), name);
    }
  });

  test('has a heading with the question why a received counter is zero, with a link to the page on receipts', () => {
    const received = explained.flatMap(countersOf).filter(({ name }) => name.endsWith('_received'));
    for (const { name, zero } of received) {
      assert.ok(section('## Counters by channel').includes(`\n#### Why is ${name} 0?\n`), name);
      const file = name.split('_')[0]?.replace('flyme', 'meizu');
      assert.ok(zero.includes(file === 'nativepush' ? '](mqtt.md' : `](../vendors/${file}.md#receipts)`), name);
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
    rowsOf(section('## Which vendors report delivery')).map(([name, ...cells]) => [wordsIn(name as string)[0], cells]),
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
      assert.equal(signed.startsWith('if you set'), receipts?.isSigned !== undefined);
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
        const isDelivered = (word: string) => ['delivered', 'clicked'].includes(kindOf(receipts, vendor, word));
        assert.deepEqual(words.filter(isDelivered).sort(), listed.sort());
        const received = explained.flatMap(countersOf).find(({ name }) => name === `${vendor}_received`);
        for (const word of listed) assert.match(received?.text ?? '', new RegExp(`\\b${word}\\b`));
      });
  }
});

/** Returns what the text of a counter must contain to name its source. */
function sourceOf(channel: Channel, counter: 'target' | 'sent' | 'received'): RegExp {
  if (counter === 'target') return /Carillon/;
  if (channel === 'nativepush') return counter === 'sent' ? /gateway/ : /PUBACK/;
  if (counter === 'sent') return /'s response/;
  return vendorRegistry[channel].receipts ? /'s callback \(.*the app reports/s : /the app reports/;
}

/** Status values of all vendors: numbers and event names. */
const WORDS = [
  ...Array.from({ length: 1_100 }, (_, code) => `${code}`),
  ...['40000002', 'push_arrive', 'regid_invalid', 'user_daily_limit', 'click'],
];

/** A callback with one status value for one phone, in the format of each vendor. */
const callbacks: Partial<Record<VendorName, (word: string) => unknown>> = {
  huawei: (status) => ({ statuses: [{ token: 't', biTag: 'r', status, timestamp: 1 }] }),
  honor: (status) => ({ statuses: [{ token: 't', biTag: 'r', status, timestamp: 1 }] }),
  harmony: (result) => ({ statuses: [{ token: 't', biTag: 'r', deliveryStatus: { result, timestamp: 1 } }] }),
  xiaomi: (type) => ({ data: JSON.stringify({ m: { param: 'r', type, targets: 't' } }) }),
  oppo: (eventType) => [{ param: 'r', eventType, registrationIds: 't' }],
  vivo: (ackType) => ({ m: { param: 'r', ackType, targets: 't' } }),
  flyme: (type) => ({ cb: JSON.stringify({ m: { param: 'r', type, targets: ['t'] } }) }),
};

function kindOf({ read: readCallback }: ReceiptReader, vendor: VendorName, word: string): string {
  const [receipt] = readCallback(callbacks[vendor]?.(word)) ?? [];
  return receipt?.kind ?? assert.fail(`The callback of ${vendor} with ${word} cannot be read.`);
}
