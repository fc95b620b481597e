import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bitsOf } from './bits.ts';
import { needsHandOver, openPlaces, phaseOf, statusAfter, withMarkedAsSent } from './ledger.ts';
import type { Outcome } from './outcome.ts';
import { isOpen, type PlaceStatus, placeStatus, type SliceChannel } from './slice.ts';

type StatusName = keyof typeof placeStatus;
const names = Object.keys(placeStatus) as StatusName[];
const open = ['planned', 'attempting', 'retrying', 'waiting'];

/** Builds the status bytes of a slice from status names. */
const statusOf = (words: string): Uint8Array =>
  Uint8Array.from(words.split(' ').filter(Boolean), (word) => placeStatus[word as StatusName]);
const statusNamesOf = (status: Uint8Array): string =>
  [...status].map((byte) => names.find((name) => placeStatus[name] === byte)).join(' ');

test('a place is open while it still needs work', () => {
  assert.deepEqual(
    names.filter((name) => isOpen(placeStatus[name])),
    open,
  );
});

describe('phase of a slice', () => {
  const cases: readonly (readonly [SliceChannel, string, ReturnType<typeof phaseOf>])[] = [
    ['nativepush', 'planned planned', 'send'],
    ['nativepush', 'planned sent', 'send'],
    ['nativepush', 'attempting attempting', 'settle'],
    ['nativepush', 'attempting planned', 'settle'],
    ['nativepush', 'sent attempting skipped', 'settle'],
    ['nativepush', 'waiting waiting', 'wait'],
    ['nativepush', 'attempting waiting', 'wait'],
    ['nativepush', 'sent fellBack', 'close'],
    ['apns', 'planned', 'send'],
    ['apns', 'attempting planned', 'send'], // unknown result after a crash: sent again under the same collapse ID
    ['apns', 'retrying sent', 'send'],
    ['apns', 'sent dead failed', 'close'],
    ['none', 'failed failed', 'close'],
    ['fcm', 'cancelled expired skipped', 'close'],
  ];
  for (const [channel, status, phase] of cases)
    test(`${channel}, ${status}: ${phase}`, () => assert.equal(phaseOf(channel, statusOf(status)), phase));
});

describe('status of a place after a vendor response', () => {
  const cases: readonly (readonly [Outcome, StatusName])[] = [
    [{ kind: 'accepted', channelMessageId: '1' }, 'sent'],
    [{ kind: 'token-dead', reason: 'r' }, 'dead'],
    [{ kind: 'refused', reason: 'r' }, 'failed'],
    [{ kind: 'quota-spent', until: new Date(0) }, 'fellBack'],
    [{ kind: 'locked-out', reason: 'r' }, 'retrying'],
    [{ kind: 'throttled', retryAfterSeconds: 60 }, 'retrying'],
    [{ kind: 'unreachable', reason: 'r' }, 'retrying'],
  ];
  for (const [outcome, name] of cases)
    test(`${outcome.kind}: ${name}`, () => assert.equal(statusAfter(outcome), placeStatus[name] as PlaceStatus));
});

test('open places have an open status and no receipt', () => {
  const status = statusOf('planned attempting retrying waiting sent dead planned');
  assert.deepEqual(openPlaces(status, bitsOf(7, [])), [0, 1, 2, 3, 6]);
  assert.deepEqual(openPlaces(status, bitsOf(7, [1, 4, 6])), [0, 2, 3]);
});

test('only places that a vendor could not serve are handed over', () => {
  const unserved = names.filter((name) => needsHandOver(placeStatus[name]));
  assert.deepEqual(unserved, ['dead', 'fellBack', 'failed']);
});

test('an open place with a receipt becomes sent, a final one stays unchanged, and the original is not modified', () => {
  const everything = statusOf(names.join(' '));
  const before = statusNamesOf(everything);
  const arrived = withMarkedAsSent(everything, bitsOf(names.length, names.keys()));
  assert.equal(statusNamesOf(arrived), names.map((name) => (open.includes(name) ? 'sent' : name)).join(' '));
  assert.equal(statusNamesOf(everything), before);
  assert.equal(statusNamesOf(withMarkedAsSent(everything, bitsOf(names.length, []))), before);
});
