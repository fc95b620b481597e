import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { widthOf } from '../printable.ts';
import { drawFrame, printSeconds } from './frame.ts';
import type { Progress } from './progress.ts';

const progress: Progress = {
  taskId: 115258093993985n,
  state: 'sending',
  dueAt: new Date('2026-11-15T00:00:00Z'),
  channels: new Map([
    ['apns', { target: 600n, sent: 300n, received: 0n }],
    ['nativepush', { target: 1500n, sent: 1200n, received: 900n }],
  ]),
  waiting: 0n,
  waitingUntil: undefined,
};
const status = { seconds: 12, unchangedSeconds: 0, error: undefined };
const terminal = { live: true, columns: 80, colour: false, unicode: true };
const show = (change: Partial<Progress> = {}, statusChange = {}, on = {}) =>
  `\n${drawFrame({ ...progress, ...change }, { ...status, ...statusChange }, { ...terminal, ...on }).join('\n')}\n`;

describe('a frame', () => {
  test('has a bar for each active channel', () => {
    assert.equal(
      show(),
      `
Task 115258093993985: sending, 12 s
channel     █ received  ▒ sent  ░ not sent               target  sent  received
apns        ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒░░░░░░░░░░░░░░░░░░░░░░     600   300         0
nativepush  █████████████████████████▒▒▒▒▒▒▒▒▒░░░░░░░░░    1500  1200       900
`,
    );
  });

  test('uses ASCII if Unicode is not supported', () => {
    assert.match(show({}, {}, { unicode: false }), /^nativepush {2}#{25}={9}\.{9} /m);
  });

  test('grows with the terminal and always stays narrower than the terminal', () => {
    const widths = new Map<number, number>();
    for (const columns of [20, 24, 30, 36, 40, 50, 60, 80, 132, 500]) {
      const lines = drawFrame(
        progress,
        { ...status, unchangedSeconds: 30, error: 'x'.repeat(90) },
        { ...terminal, columns },
      );
      widths.set(columns, Math.max(...lines.map(widthOf)));
      for (const line of lines) assert.ok(widthOf(line) < columns, `${columns}: ${line}`);
    }
    assert.deepEqual([widths.get(80), widths.get(132), widths.get(500)], [79, 131, 160]);
  });

  test('keeps the numbers if there is no room for bars', () => {
    assert.equal(
      show({}, {}, { columns: 40 }),
      `
Task 115258093993985: sending, 12 s
channel     target  sent  received
apns           600   300         0
nativepush    1500  1200       900
`,
    );
    assert.equal(
      show({}, {}, { columns: 26 }),
      `
Task 115258093993985: sen
received/sent/target
0/300/600 apns
900/1200/1500 nativepush
`,
    );
  });

  test('fills a bar only if nothing is missing, and shows one device among many', () => {
    const bar = (target: bigint, sent: bigint, received: bigint) =>
      /^apns +(\S+)/m.exec(show({ channels: new Map([['apns', { target, sent, received }]]) }))?.[1] ?? '';
    assert.match(bar(1_000_000n, 999_999n, 999_999n), /^█+░$/);
    assert.match(bar(1_000_000n, 1n, 0n), /^▒░+$/);
    assert.match(bar(5n, 5n, 5n), /^█+$/);
    // A vendor may report more devices than were targeted.
    assert.match(bar(1n, 2n, 3n), /^█+$/);
  });

  test('explains a scheduled, an empty, a waiting and an unchanged task', () => {
    assert.match(show({ state: 'held', channels: new Map() }), /: held until 2026-11-15T00:00:00Z, 12 s\n/);
    assert.match(show({ state: 'finished', channels: new Map() }), /No device could be reached\. .*task trace/s);
    const waiting = show({ waiting: 3n, waitingUntil: new Date('2026-11-16T00:00:00Z') });
    assert.ok(
      waiting.endsWith(`
The notification waits in the inboxes of 3 devices until 2026-11-16T00:00:00Z.
A device receives it when it connects.
To see why: carillon task trace 115258093993985 --user-id <id>
Ctrl-C stops watching, not the task.
`),
      waiting,
    );
    assert.match(show({ waiting: 1n }), /waits in the inbox of 1 device\./);
    assert.doesNotMatch(show({}, { unchangedSeconds: 9 }), /Nothing has changed/);
    assert.match(show({}, { unchangedSeconds: 75 }), /Nothing has changed for 1 min 15 s\.\nTo see why: .*\nCtrl-C/);
    assert.doesNotMatch(show({ state: 'finished' }, { unchangedSeconds: 75 }), /Nothing has changed/);
    assert.match(show({}, { error: 'No answer. Trying again.' }), /^No answer\. Trying again\.$/m);
  });

  test('ends with the result of the task', () => {
    assert.match(show({ state: 'finished' }), /^\nTask 115258093993985: finished; 1500 sent, 900 received\n/);
    assert.match(show({ state: 'cancelled' }), /^\nTask 115258093993985: cancelled; 1500 were already sent\n/);
  });

  test('has colours only if they are enabled', () => {
    assert.ok(show({}, {}, { colour: true }).includes('█\u001b[0m\u001b[33m▒'));
    assert.ok(!show().includes('\u001b'));
  });
});

test('durations are printed in seconds, minutes and hours', () => {
  assert.deepEqual([0, 59, 60, 3_599, 7_325].map(printSeconds), [
    '0 s',
    '59 s',
    '1 min 0 s',
    '59 min 59 s',
    '2 h 2 min',
  ]);
});
