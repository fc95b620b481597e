import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from './outcome.ts';
import type { Route } from './routing.ts';
import {
  type Answer,
  afterAnswers,
  afterAttempt,
  afterCancel,
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

test('before the next call: what the vendor has taken by now is sent, what it has not stays in doubt', () => {
  const now = afterAttempt(held('attempting attempting planned'), [2], [0]);
  assert.equal(wordsOf(now), 'sent attempting attempting');
});

describe('after a vendor’s answers', () => {
  test('each place is what its answer makes of it', () => {
    const settled = afterAnswers(
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

  test('a place whose time is over has expired, and one without a binding goes on elsewhere', () => {
    const answers = new Map<number, Answer>([
      [0, 'late'],
      [1, 'unbound'],
    ]);
    const settled = afterAnswers(held('attempting planned'), answers);
    assert.equal(wordsOf(settled.status), 'expired dead');
    assert.deepEqual([settled.unserved, settled.state], [[1], 'closed']);
  });

  test('a place behind a closed gate stays what it was', () => {
    const gated = new Map([0, 1, 2].map((place) => [place, 'gated' as const]));
    const settled = afterAnswers(held('planned retrying attempting'), gated);
    assert.equal(wordsOf(settled.status), 'planned retrying attempting');
    assert.deepEqual([settled.unserved, settled.state], [[], 'ready']);
  });

  test('what was unserved before is not handed over again', () => {
    assert.deepEqual(afterAnswers(held('dead attempting'), new Map([[1, accepted]])).unserved, []);
  });

  test('an acceptance counts even for a place that has arrived meanwhile', () => {
    assert.deepEqual(afterAnswers(held('attempting*'), new Map([[0, accepted]])).accepted, [0]);
  });
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
