import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkHistory, describeHistory } from './check-history.ts';
import type { HistoryEvents } from './history.ts';

const TASK = 7n;

/** A correct history: one task to a phone and to APNs, with two reads of its counts, and one cancelled task. */
const correct: HistoryEvents = {
  accepts: [
    { taskId: TASK, start: 1_000, end: 1_010 },
    { taskId: 8n, start: 1_000, end: 1_010 },
  ],
  cancels: [{ taskId: 8n, start: 2_000, end: 2_010 }],
  reads: [
    { taskId: TASK, start: 1_500, end: 1_510, counts: { nativepush_received: 0, apns_sent: 1 } },
    { taskId: TASK, start: 9_000, end: 9_010, counts: { nativepush_received: 1, apns_sent: 1 } },
  ],
  deliveries: [
    { taskId: TASK, device: 'phone', start: 1_600, end: 1_601 },
    { taskId: 8n, device: 'phone', start: 7_010, end: 7_011 },
  ],
  vendorDeliveries: [{ taskId: TASK, token: 'live-1', calls: 1, start: 1_400, end: 1_400 }],
  faults: [{ fault: 'outage', start: 20_000, end: 30_000 }],
  finished: new Set([TASK, 8n]),
  vendorCallsInDoubt: undefined,
};

const findingsOf = (change: Partial<HistoryEvents>) => checkHistory({ ...correct, ...change });
const [firstRead, lastRead] = correct.reads;
const [delivery] = correct.deliveries;
const [vendorDelivery] = correct.vendorDeliveries;
assert.ok(firstRead && lastRead && delivery && vendorDelivery);

describe('the checker of histories', () => {
  test('accepts a correct history', () => {
    assert.deepEqual(checkHistory(correct), []);
    assert.equal(
      describeHistory(correct),
      '2 accepts, 1 cancels, 2 reads of counts; devices received 2, 0 repeats with 0 in doubt; vendors accepted for 1 tokens, 0 repeats with 0 in doubt',
    );
  });

  test('reports a count that fell', () => {
    const fallen = { ...lastRead, counts: { nativepush_received: 1, apns_sent: 0 } };
    assert.deepEqual(findingsOf({ reads: [fallen, firstRead] }), ['a count fell: apns_sent of task 7 was 1, later 0']);
  });

  test('reports a task that is missing in a later read', () => {
    assert.deepEqual(findingsOf({ reads: [firstRead, { ...lastRead, counts: { nativepush_received: 1 } }] }), [
      'a count fell: apns_sent of task 7 was 1, later missing',
    ]);
  });

  test('does not compare two reads at the same time', () => {
    const earlier = { ...lastRead, start: lastRead.start - 5, counts: { nativepush_received: 1, apns_sent: 1 } };
    const overlapping = { ...lastRead, counts: { nativepush_received: 1, apns_sent: 0 } };
    assert.deepEqual(findingsOf({ reads: [earlier, overlapping] }), []);
  });

  test('reports an accepted task that is not finished', () => {
    assert.deepEqual(findingsOf({ finished: new Set([8n]) }), [
      'an accepted task is not finished: task 7, accepted 1970-01-01T00:00:01.010Z',
    ]);
  });

  test('reports a notification that a device received more than 5 s after its cancellation', () => {
    const late = { taskId: 8n, device: 'phone', start: 7_200, end: 7_201 };
    assert.deepEqual(findingsOf({ deliveries: [delivery, late] }), [
      'a send started after a cancellation: task 8 to phone, 5.2 s later',
    ]);
  });

  test('reports a notification that a vendor received more than 5 s after its cancellation', () => {
    const late = { taskId: 8n, token: 'live-2', calls: 1, start: 2_100, end: 7_200 };
    assert.deepEqual(findingsOf({ vendorDeliveries: [vendorDelivery, late] }), [
      'a send started after a cancellation: task 8 to live-2, 5.2 s later',
    ]);
  });

  test('reports a received count that is higher than the number of devices that received the notification', () => {
    assert.deepEqual(findingsOf({ deliveries: [] }), [
      'a count is too high: nativepush_received of task 7 is 1, but 0 had received it',
    ]);
    const later = { ...delivery, start: 9_500, end: 9_501 };
    assert.deepEqual(findingsOf({ deliveries: [later] }).length, 1, 'the count was read before the delivery');
  });

  test('reports a receipt that is not counted', () => {
    const missing = { ...lastRead, counts: { nativepush_received: 0, apns_sent: 1 } };
    assert.deepEqual(findingsOf({ reads: [firstRead, missing] }), [
      'a receipt is not counted: 1 devices acknowledged task 7, 0 are counted',
    ]);
    const inDoubt = [{ fault: 'outage', start: 1_700, end: 2_000 }];
    assert.deepEqual(findingsOf({ reads: [firstRead, missing], faults: inDoubt }), []);
    assert.deepEqual(findingsOf({ reads: [firstRead] }), [], 'the count was read before the receipt');
  });

  test('reports a sent count that is higher than the number of tokens that the vendor accepted', () => {
    const twice = { ...lastRead, counts: { nativepush_received: 1, apns_sent: 2 } };
    assert.deepEqual(findingsOf({ reads: [firstRead, twice] }), [
      'a count is too high: apns_sent of task 7 is 2, but 1 had received it',
    ]);
  });

  test('reports a device that received a notification again although its receipt was not in doubt', () => {
    const again = { ...delivery, start: 3_000, end: 3_001 };
    assert.deepEqual(findingsOf({ deliveries: [delivery, again] }), [
      'a device received a repeat: phone received task 7 2 times, 0 receipts were in doubt',
    ]);
  });

  test('allows one repeat for each receipt in doubt', () => {
    const again = { ...delivery, start: 31_000, end: 31_001 };
    const inDoubt = { ...delivery, start: 18_500, end: 18_501 };
    assert.deepEqual(findingsOf({ reads: [], deliveries: [inDoubt, again] }), []);
    assert.deepEqual(findingsOf({ reads: [], deliveries: [{ ...delivery, end: undefined }, again] }), []);
    const third = { ...again, start: 35_000, end: 35_001 };
    assert.deepEqual(findingsOf({ reads: [], deliveries: [inDoubt, again, third] }), [
      'a device received a repeat: phone received task 7 3 times, 1 receipts were in doubt',
    ]);
  });

  test('does not excuse a repeat with a fault that affects only other devices', () => {
    const deliveries = [delivery, { ...delivery, start: 3_000, end: 3_001 }];
    const outage = { fault: 'outage', start: 1_000, end: 4_000 };
    const affects = (_taskId: bigint, recipient: string) => recipient === 'tablet';
    assert.deepEqual(findingsOf({ deliveries, faults: [outage] }), []);
    assert.equal(findingsOf({ deliveries, faults: [{ ...outage, affects }] }).length, 1);
  });

  test('reports a vendor call that was repeated although none was in doubt', () => {
    const repeated = { ...vendorDelivery, calls: 2 };
    assert.deepEqual(findingsOf({ vendorDeliveries: [repeated] }), [
      'a vendor received repeats: 2 calls for task 7 to live-1, and none was in doubt',
    ]);
    assert.deepEqual(findingsOf({ reads: [], vendorDeliveries: [{ ...repeated, start: 19_000, end: 31_000 }] }), []);
  });

  test('reports more repeats at a vendor than calls in doubt', () => {
    const vendorDeliveries = [{ ...vendorDelivery, calls: 4 }];
    assert.deepEqual(findingsOf({ vendorDeliveries, vendorCallsInDoubt: 3 }), []);
    assert.deepEqual(findingsOf({ vendorDeliveries, vendorCallsInDoubt: 2 }), [
      'a vendor received repeats: 3 repeats, 2 calls were in doubt',
    ]);
  });

  test('lists at most five findings of each rule', () => {
    const accepts = Array.from({ length: 12 }, (_, i) => ({ taskId: BigInt(100 + i), start: 0, end: 0 }));
    const findings = findingsOf({ accepts });
    assert.equal(findings.length, 6);
    assert.equal(findings.at(-1), 'an accepted task is not finished: 7 more');
  });
});
