import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from './outcome.ts';
import type { InboxEnd, PlaceOutcome, PlacesSnapshot } from './place-outcome.ts';
import type { Route } from './routing.ts';
import { applyAckTimeout, applyCancel, applyInboxEnds, applyOutcomes, markAttempting } from './settle.ts';
import { placeStatus } from './slice.ts';

type StatusName = keyof typeof placeStatus;
const names = Object.keys(placeStatus) as StatusName[];

/** Builds places from status names. A star marks a place with a receipt. */
function snapshotOf(words: string): PlacesSnapshot {
  const places = words.split(' ');
  return {
    status: Uint8Array.from(places, (word) => placeStatus[word.replace('*', '') as StatusName]),
    received: places.map((word) => (word.endsWith('*') ? '1' : '0')).join(''),
  };
}
const statusNamesOf = (status: Uint8Array): string =>
  [...status].map((byte) => names.find((name) => placeStatus[name] === byte)).join(' ');

const accepted: Outcome = { kind: 'accepted', channelMessageId: '1' };
const throttled: Outcome = { kind: 'throttled', retryAfterSeconds: 1 };
const dead: Outcome = { kind: 'token-dead', reason: 'gone' };
const quotaSpent: Outcome = { kind: 'quota-spent', until: new Date(0) };

test('markAttempting sets called places to attempting and received places to sent', () => {
  assert.equal(
    statusNamesOf(markAttempting(snapshotOf('planned retrying* planned dead'), [0])),
    'attempting sent planned dead',
  );
  assert.equal(statusNamesOf(markAttempting(snapshotOf('planned planned*'), [0])), 'attempting sent');
});

test('markAttempting sets accepted places to sent and keeps places without a response attempting', () => {
  const now = markAttempting(snapshotOf('attempting attempting planned'), [2], [0]);
  assert.equal(statusNamesOf(now), 'sent attempting attempting');
});

describe('vendor outcomes', () => {
  test('set the status of each place', () => {
    const settled = applyOutcomes(
      snapshotOf('attempting attempting attempting attempting sent'),
      new Map<number, Outcome>([
        [0, accepted],
        [1, throttled],
        [2, dead],
        [3, quotaSpent],
      ]),
    );
    assert.equal(statusNamesOf(settled.status), 'sent retrying dead fellBack sent');
    assert.deepEqual([settled.accepted, settled.toHandOver, settled.state], [[0], [2, 3], 'ready']);
  });

  test('expire a late place, and hand over a place without a binding', () => {
    const outcomes = new Map<number, PlaceOutcome>([
      [0, 'expired'],
      [1, 'unbound'],
    ]);
    const settled = applyOutcomes(snapshotOf('attempting planned'), outcomes);
    assert.equal(statusNamesOf(settled.status), 'expired dead');
    assert.deepEqual([settled.toHandOver, settled.state], [[1], 'closed']);
  });

  test('do not change a place while the circuit breaker is open', () => {
    const tripped = new Map([0, 1, 2].map((place) => [place, 'breaker-open' as const]));
    const settled = applyOutcomes(snapshotOf('planned retrying attempting'), tripped);
    assert.equal(statusNamesOf(settled.status), 'planned retrying attempting');
    assert.deepEqual([settled.toHandOver, settled.state], [[], 'ready']);
  });

  test('do not hand over a place twice', () => {
    assert.deepEqual(applyOutcomes(snapshotOf('dead attempting'), new Map([[1, accepted]])).toHandOver, []);
  });

  test('count an acceptance even if the place has a receipt already', () => {
    assert.deepEqual(applyOutcomes(snapshotOf('attempting*'), new Map([[0, accepted]])).accepted, [0]);
  });
});

test('after the acknowledgement timeout, a place moves to the next vendor or the inbox, fails, or is skipped', () => {
  const status = applyAckTimeout(
    snapshotOf('attempting attempting attempting attempting attempting*'),
    new Map<number, Route | undefined>([
      [0, { channel: 'fcm', toInbox: false }],
      [1, { channel: 'nativepush', toInbox: true }],
      [2, { channel: 'none', toInbox: false }],
      [3, undefined],
    ]),
  );
  assert.equal(statusNamesOf(status), 'fellBack waiting failed skipped sent');
});

test('when the time in the inbox is over, a place expires, fails because it was displaced, or is skipped', () => {
  const status = applyInboxEnds(
    snapshotOf('waiting waiting waiting waiting*'),
    new Map<number, InboxEnd>([
      [0, 'kept'],
      [1, 'lost'],
      [2, 'foreign'],
    ]),
  );
  assert.equal(statusNamesOf(status), 'expired failed skipped sent');
});

test('a cancellation ends every open place without a receipt', () => {
  assert.equal(
    statusNamesOf(applyCancel(snapshotOf('planned attempting retrying waiting waiting* dead sent'))),
    'cancelled cancelled cancelled cancelled sent dead sent',
  );
});
