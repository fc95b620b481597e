import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  claim,
  isDue,
  mark,
  markCancelled,
  reclaim,
  recordFailure,
  reopen,
  type SliceRow,
  writeAsHolder,
} from './claim.ts';
import { placeStatus } from './slice.ts';
import { changeViolations, countBits, ledgerViolations, rowViolations } from './verification/ledger-invariants.ts';

const row: SliceRow = {
  ...{ taskId: 64n, bucket: 0, sliceNumber: 1, appId: 'app', channel: 'apns', lane: 'prompt', placeCount: 3 },
  ...{ state: 'ready', epoch: 4, nextAt: 1_000, attempts: 1, cancelled: false, failures: 0 },
  ...{ tried: [], nativeSlice: null },
  ...{
    status: Buffer.alloc(3),
    sent: '100',
    received: '000',
    clicked: null,
    deviceIds: [1n, 2n, 3n],
    generations: [1, 1, 1],
  },
  ...{ history: [], historyDropped: 0 },
};
const write = {
  status: Buffer.alloc(3, placeStatus.sent),
  sent: '011',
  state: 'closed',
  dueInMs: 0,
  attempts: 2,
} as const;

describe('a claim', () => {
  test('gives a due slice a lease and a new epoch', () => {
    assert.ok(isDue(row, 1_000));
    assert.ok(!isDue(row, 999));
    assert.ok(!isDue({ ...row, state: 'closed' }, 1_000));
    const claimed = claim(row, 5_000, 30_000);
    assert.deepEqual([claimed.state, claimed.epoch, claimed.nextAt], ['leased', 5, 35_000]);
  });

  test('that has expired writes nothing', () => {
    assert.equal(writeAsHolder(row, { ...write, claimed: { epoch: 3 } }, 0), undefined);
    const written = writeAsHolder(row, { ...write, claimed: { epoch: 4 } }, 0);
    assert.equal(written?.sent, '111', 'sent bits are added');
    assert.equal(written?.state, 'closed');
  });
});

describe('a slice that fails alone', () => {
  const held = claim(row, 0, 30_000);

  test('is due after a pause, then quarantined, and its holder loses the claim', () => {
    const failed = recordFailure(held, 5, [20], 1_000);
    assert.deepEqual([failed?.state, failed?.epoch, failed?.failures, failed?.nextAt], ['ready', 6, 1, 21_000]);
    const again = claim(failed as SliceRow, 21_000, 30_000);
    assert.equal(recordFailure(again, 7, [20], 22_000)?.nextAt, Number.POSITIVE_INFINITY);
    assert.equal(recordFailure(held, 4, [20], 1_000), undefined);
  });

  test('can be claimed again by its holder, until it has a result', () => {
    assert.equal(reclaim(held, 5, 1_000, 30_000)?.epoch, 6);
    assert.equal(reclaim(held, 4, 1_000, 30_000), undefined);
    assert.equal(reclaim({ ...held, state: 'closed' }, 5, 1_000, 30_000), undefined);
  });

  test('starts to count again after a result, but not after the intent of a call', () => {
    const failing = { ...held, failures: 3 };
    assert.equal(writeAsHolder(failing, { ...write, claimed: { epoch: 5 } }, 0)?.failures, 0);
    assert.equal(writeAsHolder(failing, { ...write, state: 'leased', claimed: { epoch: 5 } }, 0)?.failures, 3);
  });
});

test('a slice that starts to wait is due immediately if its last receipts were recorded after the claim', () => {
  const status = Buffer.from([placeStatus.sent, placeStatus.waiting, placeStatus.waiting]);
  const waits = { ...write, status, state: 'waiting', dueInMs: 86_400_000 } as const;
  const dueWith = (received: string) =>
    writeAsHolder({ ...row, received }, { ...waits, claimed: { epoch: 4 } }, 0)?.nextAt;
  assert.deepEqual([dueWith('010'), dueWith('011')], [86_400_000, 0]);
});

describe('a mark', () => {
  test('adds bits idempotently, and sets the sent bit with the received bit', () => {
    const once = mark(row, { sent: '000', received: '010' }, 0) as SliceRow;
    assert.deepEqual([once.sent, once.received], ['110', '010']);
    assert.deepEqual(mark(once, { sent: '000', received: '010' }, 0), once);
  });

  test('is ignored if it belongs to a slice of another size', () => {
    assert.equal(mark(row, { sent: '0', received: '1' }, 0), undefined);
  });

  test('makes a waiting slice due when no place is open without a receipt, and does not change a lease', () => {
    const status = Buffer.from([placeStatus.expired, placeStatus.waiting, placeStatus.waiting]);
    const at = (state: SliceRow['state'], received: string) =>
      mark({ ...row, status, state, nextAt: 90_000 }, { sent: '000', received }, 10_000)?.nextAt;
    assert.equal(at('waiting', '010'), 90_000);
    assert.equal(at('waiting', '011'), 10_000);
    assert.equal(at('awaiting', '010'), 90_000);
    assert.equal(at('awaiting', '111'), 10_000);
    assert.equal(at('leased', '111'), 90_000);
  });
});

test('a reopened slice has no holder', () => {
  const again = reopen({ ...row, state: 'closed' }, Buffer.alloc(3, placeStatus.waiting), 7_000);
  assert.deepEqual([again.state, again.epoch, again.nextAt], ['waiting', 5, 7_000]);
});

test('cancelling makes a slice due immediately, unless a worker holds it', () => {
  const at = (state: SliceRow['state']) => markCancelled({ ...row, state, nextAt: 9_000 }, 5_000);
  assert.deepEqual([at('waiting').cancelled, at('waiting').nextAt], [true, 5_000]);
  assert.deepEqual([at('leased').cancelled, at('leased').nextAt], [true, 9_000]);
  assert.equal(at('closed').cancelled, false);
});

describe('ledger invariants', () => {
  const assertViolated = (violations: readonly string[], invariant: string) =>
    assert.ok(
      violations.some((sentence) => sentence.startsWith(invariant)),
      `${invariant}: ${violations.join(', ')}`,
    );

  test('hold for a valid row through claim and write', () => {
    const claimed = claim(row, 0, 30_000);
    const written = writeAsHolder(claimed, { ...write, claimed: { epoch: 5 } }, 0) as SliceRow;
    assert.deepEqual([...rowViolations(row), ...rowViolations(written)], []);
    assert.deepEqual([...changeViolations(row, claimed), ...changeViolations(claimed, written, 5)], []);
  });

  test('detect an invalid row', () => {
    assertViolated(rowViolations({ ...row, sent: '10' }), 'L3');
    assertViolated(rowViolations({ ...row, received: '010' }), 'L4 a received place');
    assertViolated(rowViolations({ ...row, status: Buffer.alloc(3, placeStatus.sent) }), 'L4 a place that is sent');
    assertViolated(rowViolations({ ...row, state: 'closed' }), 'L7');
  });

  test('detect an invalid change', () => {
    assertViolated(changeViolations(row, { ...row, sent: '000' }), 'L5 bits');
    assertViolated(changeViolations(row, { ...row, epoch: 3 }), 'L5 epochs');
    assertViolated(changeViolations(row, row, 3), 'L6');
    assertViolated(changeViolations(row, { ...row, status: Buffer.alloc(3, placeStatus.dead) }), 'L6 only a holder');
    const dead = { ...row, status: Buffer.alloc(3, placeStatus.dead) };
    assertViolated(changeViolations(dead, { ...dead, status: Buffer.alloc(3) }, 4), 'L5 a final place');
  });

  test('allow a place that fell back to wait again if its slice is reopened', () => {
    const fellBack: SliceRow = { ...row, state: 'closed', status: Buffer.alloc(3, placeStatus.fellBack) };
    assert.deepEqual(changeViolations(fellBack, reopen(fellBack, Buffer.alloc(3, placeStatus.waiting), 0)), []);
  });

  test('detect an invalid ledger', () => {
    const ledger = {
      tasks: [{ taskId: 64n, appId: 'app', finished: false }],
      slices: [row],
      tasksWithOpenExpansions: new Set<bigint>(),
    };
    const appOfDevice = () => 'app';
    assert.deepEqual(ledgerViolations({ ...ledger, appOfDevice }), []);
    assertViolated(ledgerViolations({ ...ledger, slices: [row, { ...row, sliceNumber: 2 }], appOfDevice }), 'L2');
    assertViolated(ledgerViolations({ ...ledger, appOfDevice: () => 'other' }), 'L10');
    const finished = [{ taskId: 64n, appId: 'app', finished: true }];
    assertViolated(
      ledgerViolations({ ...ledger, tasks: finished, appOfDevice }),
      'L7 a finished task has no open slice',
    );
    assertViolated(
      ledgerViolations({
        ...ledger,
        tasks: finished,
        slices: [],
        tasksWithOpenExpansions: new Set([64n]),
        appOfDevice,
      }),
      'L7 a finished task has no unfinished expansion',
    );
  });

  test('countBits counts single bits', () => {
    assert.deepEqual(['', '000', '101'].map(countBits), [0, 0, 2]);
  });
});
