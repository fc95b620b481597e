import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from './outcome.ts';
import type { Route } from './routing.ts';
import {
  afterAttempt,
  afterCancel,
  afterEnd,
  afterOutcomes,
  afterSilence,
  afterWaiting,
  type HeldPlaces,
  type Leftover,
} from './settle.ts';
import { placeStatus } from './slice.ts';

type StatusName = keyof typeof placeStatus;
const names = Object.keys(placeStatus) as StatusName[];

/** Places from words; one that has arrived has a star. */
function held(words: string): HeldPlaces {
  const places = words.split(' ');
  return {
    status: Uint8Array.from(places, (word) => placeStatus[word.replace('*', '') as StatusName]),
    received: places.map((word) => (word.endsWith('*') ? '1' : '0')).join(''),
  };
}
const wordsOf = (status: Uint8Array): string =>
  [...status].map((byte) => names.find((name) => placeStatus[name] === byte)).join(' ');

const accepted: Outcome = { kind: 'accepted', channelMessageId: '1' };
const throttled: Outcome = { kind: 'throttled', retryAfterSeconds: 1 };
const dead: Outcome = { kind: 'token-dead', reason: 'gone' };
const spent: Outcome = { kind: 'quota-spent', until: new Date(0) };

test('before a call: who is called is attempting, who has arrived is sent', () => {
  assert.equal(wordsOf(afterAttempt(held('planned retrying* planned dead'), [0])), 'attempting sent planned dead');
  assert.equal(wordsOf(afterAttempt(held('planned planned*'), [0])), 'attempting sent');
});

describe('after a vendor’s answers', () => {
  test('each place is what its answer makes of it', () => {
    const settled = afterOutcomes(
      held('attempting attempting attempting attempting sent'),
      new Map<number, Outcome>([
        [0, accepted],
        [1, throttled],
        [2, dead],
        [3, spent],
      ]),
    );
    assert.equal(wordsOf(settled.status), 'sent retrying dead fellBack sent');
    assert.deepEqual([settled.accepted, settled.unserved, settled.state], [[0], [2, 3], 'ready']);
  });

  test('a place without an answer has no binding any more, unless its time is over', () => {
    const settled = afterOutcomes(held('attempting planned'), new Map([[0, 'late']]));
    assert.equal(wordsOf(settled.status), 'expired dead');
    assert.deepEqual([settled.unserved, settled.state], [[1], 'closed']);
  });

  test('what was unserved before is not handed over again', () => {
    assert.deepEqual(afterOutcomes(held('dead attempting'), new Map([[1, accepted]])).unserved, []);
  });

  test('an acceptance counts even for a place that has arrived meanwhile', () => {
    assert.deepEqual(afterOutcomes(held('attempting*'), new Map([[0, accepted]])).accepted, [0]);
  });
});

test('at the end of the lifetime everything open has expired', () => {
  const { status, state, unserved } = afterEnd(held('planned retrying attempting* sent'));
  assert.equal(wordsOf(status), 'expired expired sent sent');
  assert.deepEqual([state, unserved], ['closed', []]);
});

test('silence on the own channel: the next vendor, the inbox, nowhere; without a route it has changed hands', () => {
  const status = afterSilence(
    held('attempting attempting attempting attempting attempting*'),
    new Map<number, Route | undefined>([
      [0, { channel: 'fcm', waits: false }],
      [1, { channel: 'nativepush', waits: true }],
      [2, { channel: 'none', waits: false }],
      [3, undefined],
    ]),
  );
  assert.equal(wordsOf(status), 'fellBack waiting failed skipped sent');
});

test('the end of waiting: expired, overflowed, changed hands', () => {
  const status = afterWaiting(
    held('waiting waiting waiting waiting*'),
    new Map<number, Leftover>([
      [0, 'kept'],
      [1, 'lost'],
      [2, 'foreign'],
    ]),
  );
  assert.equal(wordsOf(status), 'expired failed skipped sent');
});

test('a cancel ends everything that is open and has not arrived', () => {
  assert.equal(
    wordsOf(afterCancel(held('planned attempting retrying waiting waiting* dead sent'))),
    'cancelled cancelled cancelled cancelled sent dead sent',
  );
});
