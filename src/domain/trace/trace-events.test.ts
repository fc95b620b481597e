import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Outcome } from '../outcome.ts';
import type { PlaceOutcome } from '../place-outcome.ts';
import { placeStatus } from '../slice.ts';
import {
  ackTimeoutEvents,
  appendHistory,
  cancelEvents,
  countFailures,
  formatEvents,
  HISTORY_FIRST,
  HISTORY_MAX,
  inboxEndEvents,
  readPlaceEvents,
  type TraceEvent,
  traceCodes,
  vendorEvents,
  withLogouts,
} from './trace-events.ts';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const entry = (events: readonly TraceEvent[], at = 0) => `${at} ${formatEvents(events)}`;

describe('format of trace events', () => {
  test('has one line per code, with its places', () => {
    const events: readonly TraceEvent[] = [
      { code: 'accepted', places: [...range(0, 63), 70] },
      { code: 'token-dead', detail: 'BadDeviceToken', places: [64] },
    ];
    assert.equal(formatEvents(events), 'accepted 0-63,70\ntoken-dead 64 BadDeviceToken');
  });

  test('joins events of single places in any order', () => {
    const events: readonly TraceEvent[] = [3, 1, 2, 7].map((place) => ({
      code: 'unreachable',
      detail: 'no answer',
      places: [place],
    }));
    assert.equal(formatEvents(events), 'unreachable 1-3,7 no answer');
  });

  test('is null if there are no places', () => {
    assert.equal(formatEvents([]), null);
    assert.equal(formatEvents([{ code: 'silent', places: [] }]), null);
  });

  test('limits a detail to one line of 120 characters', () => {
    const [line, ...others] = String(
      formatEvents([{ code: 'refused', detail: ` a\nb\u0000c\ud800${'😀'.repeat(200)}`, places: [0] }]),
    ).split('\n');
    assert.deepEqual(others, []);
    assert.equal(line, `refused 0 a b c\ufffd${'😀'.repeat(114)}`);
  });

  test('keeps at most eight different details per write, and drops the others', () => {
    const events = range(0, 511).map(
      (place): TraceEvent => ({ code: 'refused', detail: `reason ${place}`, places: [place] }),
    );
    const lines = String(formatEvents(events)).split('\n');
    assert.deepEqual([lines.length, lines[7], lines[8]], [9, 'refused 7 reason 7', 'refused 8-511']);
  });

  test('can be parsed again for each place', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((detail) => detail.replaceAll(/\s+/g, ' ').trim());
    const events = fc.record({
      code: fc.constantFrom(...traceCodes),
      detail: text,
      places: fc.uniqueArray(fc.nat(511), { minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(events, { maxLength: 6, selector: ({ code }) => code }), fc.nat(511), (all, place) => {
        if (all.length === 0) return;
        const expected = all
          .filter(({ places }) => places.includes(place))
          .map(({ code, detail }) => ({ at: new Date(5), code, detail: printable(detail) }));
        assert.deepEqual(readPlaceEvents([entry(all, 5)], place), expected);
      }),
    );
  });

  const printable = (detail: string) =>
    detail
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim() || null;
});

describe('a history', () => {
  const historyOf = (entryCount: number) =>
    range(0, entryCount - 1).reduce<string[]>((history, i) => appendHistory(history, `unreachable 0 try ${i}`, i), []);

  test('returns the events of a place in order, without those of other places', () => {
    const history = [
      entry([{ code: 'throttled', detail: 'retry after 1 s', places: [0, 1] }], 1_000),
      entry([{ code: 'accepted', places: [1] }], 2_000),
      entry([{ code: 'accepted', places: [10, 11] }], 3_000),
    ];
    assert.deepEqual(readPlaceEvents(history, 1), [
      { at: new Date(1_000), code: 'throttled', detail: 'retry after 1 s' },
      { at: new Date(2_000), code: 'accepted', detail: null },
    ]);
    assert.deepEqual(readPlaceEvents(history, 2), []);
  });

  test('keeps its first and its latest entries when it has too many', () => {
    const tries = readPlaceEvents(historyOf(1_000), 0).map(({ detail }) => detail);
    assert.equal(tries.length, HISTORY_MAX);
    assert.deepEqual(
      tries.slice(0, HISTORY_FIRST),
      range(0, HISTORY_FIRST - 1).map((i) => `try ${i}`),
    );
    assert.deepEqual(
      tries.slice(HISTORY_FIRST),
      range(976, 999).map((i) => `try ${i}`),
    );
  });

  test('counts the last failure of each place that was not sent', () => {
    const history = [
      entry([{ code: 'throttled', detail: 'retry after 1 s', places: [0, 1, 2] }], 1_000),
      entry([{ code: 'accepted', places: [0] }], 2_000),
      entry(
        [
          { code: 'token-dead', detail: 'Unregistered', places: [1, 3, 4] },
          { code: 'unbound', places: [5] },
        ],
        3_000,
      ),
    ];
    assert.deepEqual(countFailures(history, '100000'), [
      { code: 'token-dead', detail: 'Unregistered', count: 3, firstPlace: 1 },
      { code: 'throttled', detail: 'retry after 1 s', count: 1, firstPlace: 2 },
      { code: 'unbound', detail: null, count: 1, firstPlace: 5 },
    ]);
  });

  test('stays unchanged without a new entry', () => {
    assert.deepEqual(appendHistory(['1 accepted 0'], null, 9), ['1 accepted 0']);
  });
});

describe('events of vendor outcomes', () => {
  const accepted = (channelMessageId: string): Outcome => ({ kind: 'accepted', channelMessageId });
  const vendorLines = (open: readonly number[], outcomes: readonly (readonly [number, PlaceOutcome])[]) =>
    formatEvents(vendorEvents(new Map(outcomes), open));

  test('contain the reason', () => {
    assert.equal(
      vendorLines(range(0, 6), [
        [0, { kind: 'token-dead', reason: 'Unregistered' }],
        [1, { kind: 'refused', reason: 'BadTopic' }],
        [2, { kind: 'locked-out', reason: 'InvalidProviderToken' }],
        [3, { kind: 'unreachable', reason: 'no answer' }],
        [4, { kind: 'throttled', retryAfterSeconds: 60 }],
        [5, { kind: 'quota-spent', until: new Date(0) }],
        [6, 'expired'],
      ]),
      [
        'token-dead 0 Unregistered',
        'refused 1 BadTopic',
        'locked-out 2 InvalidProviderToken',
        'unreachable 3 no answer',
        'throttled 4 retry after 60 s',
        'quota-spent 5 until 1970-01-01T00:00:00.000Z',
        'expired 6',
      ].join('\n'),
    );
  });

  test('contain a message ID if all accepted places share it', () => {
    assert.equal(vendorLines([0], [[0, accepted('A1')]]), 'accepted 0 A1');
    assert.equal(
      vendorLines(
        [0, 1],
        [
          [0, accepted('A1')],
          [1, accepted('A1')],
        ],
      ),
      'accepted 0-1 A1',
    );
    assert.equal(
      vendorLines(
        [0, 1],
        [
          [0, accepted('A1')],
          [1, accepted('A2')],
        ],
      ),
      'accepted 0-1',
    );
  });

  test('skip places without an outcome and places of a paused channel', () => {
    assert.equal(
      vendorLines(
        [0, 1, 2],
        [
          [0, accepted('')],
          [1, 'breaker-open'],
          [3, accepted('')],
        ],
      ),
      'accepted 0',
    );
  });

  test('report a missing token, unless the device has another owner', () => {
    const outcomes = new Map<number, PlaceOutcome>([
      [0, accepted('')],
      [1, 'unbound'],
      [2, 'unbound'],
    ]);
    const events = vendorEvents(outcomes, [0, 1, 2]);
    assert.equal(formatEvents(events), 'accepted 0\nunbound 1-2');
    assert.equal(formatEvents(withLogouts(events, [2])), 'accepted 0\nunbound 1\nlogged-out 2');
  });
});

describe('events of the Carillon channel', () => {
  const { attempting, planned, waiting } = placeStatus;

  test('distinguish places without an acknowledgement, without a session and without a route', () => {
    const snapshot = { status: Uint8Array.of(attempting, planned, attempting), received: '000' };
    const inbox = { channel: 'nativepush', toInbox: true } as const;
    const routes = new Map([
      [0, inbox],
      [1, inbox],
      [2, undefined],
    ]);
    assert.equal(formatEvents(ackTimeoutEvents(snapshot, routes, 5)), 'silent 0 5 s\nno-session 1\nlogged-out 2');
  });

  test('contain the reason why a place left the inbox', () => {
    const inboxEnds = new Map([
      [0, 'kept'],
      [1, 'lost'],
      [2, 'foreign'],
    ] as const);
    assert.equal(formatEvents(inboxEndEvents(inboxEnds)), 'expired 0\ndisplaced 1\nlogged-out 2');
  });

  test('record a cancellation for open places only', () => {
    const snapshot = { status: Uint8Array.of(waiting, waiting, placeStatus.sent), received: '010' };
    assert.equal(formatEvents(cancelEvents(snapshot)), 'cancelled 0');
  });
});
