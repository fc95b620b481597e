import { openPlaces } from '../ledger.ts';
import type { Route } from '../routing.ts';
import type { Answer, HeldPlaces, Leftover } from '../settle.ts';
import { placeStatus } from '../slice.ts';

/** What can be said of a place: a vendor's outcome, or what became of it on the own channel and in the inbox. */
export const words = [
  'accepted',
  'token-dead',
  'refused',
  'locked-out',
  'quota-spent',
  'throttled',
  'unreachable',
  'interrupted', // whoever sent it ended before the answer was written
  'unbound', // no token at this vendor any more
  'written', // to the device's session
  'queued', // its session has too much out, and writes it when it has room
  'no-answer', // the gateway did not say whether it wrote it
  'silent', // no acknowledgement in time
  'no-session',
  'in-inbox',
  'expired',
  'displaced', // newer messages took its room in the inbox
  'changed-hands',
  'cancelled',
] as const;
export type Word = (typeof words)[number];

/** One thing that was said of some places of a slice. `detail` is the channel's own word for it. */
export interface Said {
  readonly word: Word;
  readonly detail?: string;
  readonly places: readonly number[];
}

/** Vendors' reasons are short words; what is longer is a page that somebody put in front of them. */
const DETAIL_CHARACTERS_MAX = 120;
/** So many different details are kept of one write: 512 places could have 512. */
const DETAILS_MAX = 8;

/**
 * What was said, as a slice keeps it: a line per word, `word places detail`, as in `accepted 0-63,70` or
 * `token-dead 64 BadDeviceToken`. Null: nothing was.
 */
export function writeSaid(said: readonly Said[]): string | null {
  const lines = new Map<string, number[]>();
  let details = 0;
  for (const { word, detail, places } of said) {
    if (places.length === 0) continue;
    const short = detail === undefined ? '' : shorten(detail);
    const full = `${word}\0${short}`;
    const isNew = short !== '' && !lines.has(full);
    const key = isNew && details >= DETAILS_MAX ? `${word}\0` : full;
    if (isNew && details < DETAILS_MAX) details++;
    const line = lines.get(key);
    if (line) line.push(...places);
    else lines.set(key, [...places]);
  }
  if (lines.size === 0) return null;
  return [...lines]
    .map(([key, places]) => {
      const [word, detail] = key.split('\0') as [string, string];
      return `${word} ${toRanges(places)}${detail === '' ? '' : ` ${detail}`}`;
    })
    .join('\n');
}

/** A slice keeps its first entries, which tell how it began, and its last, which tell how it ended. */
export const HISTORY_FIRST = 8;
export const HISTORY_MAX = 32;

/** `writeSlices`, as SQL says it: one entry more, in place of the oldest of the later ones if there are too many. */
export function withEntry(history: readonly string[], said: string | null, now: number): string[] {
  if (said === null) return [...history];
  const entry = `${Math.floor(now)} ${said}`;
  if (history.length < HISTORY_MAX) return [...history, entry];
  return [...history.slice(0, HISTORY_FIRST), ...history.slice(HISTORY_FIRST + 1), entry];
}

/** What one entry says of one place. */
export interface SaidOfPlace {
  readonly at: Date;
  readonly word: Word;
  readonly detail: string | null;
}

/** What a slice's history says of one place, in order. */
export function readHistory(history: readonly string[], place: number): SaidOfPlace[] {
  return history.flatMap((entry) => {
    const space = entry.indexOf(' ');
    const at = new Date(Number(entry.slice(0, space)));
    return entry
      .slice(space + 1)
      .split('\n')
      .flatMap((line): SaidOfPlace[] => {
        const [word, ranges, ...detail] = line.split(' ') as [Word, string, ...string[]];
        return isIn(ranges, place) ? [{ at, word, detail: detail.length > 0 ? detail.join(' ') : null }] : [];
      });
  });
}

/** Of those that are called now: which had been called before by somebody who did not live to tell. */
export function saidOfInterrupted({ status }: HeldPlaces, places: readonly number[]): Said {
  return { word: 'interrupted', places: places.filter((place) => status[place] === placeStatus.attempting) };
}

/** What a vendor said of these places, as far as it was asked. */
export function saidByVendor(answers: ReadonlyMap<number, Answer>, places: readonly number[]): readonly Said[] {
  const mine = places.flatMap((place) => {
    const answer = answers.get(place);
    return answer === undefined || answer === 'gated' || answer === 'paced' ? [] : [{ place, answer }];
  });
  // A number per device would be longer than all the rest; one that the whole call shares is worth keeping.
  const ids = new Set(
    mine.map(({ answer }) => (typeof answer === 'object' && answer.kind === 'accepted' ? answer.channelMessageId : '')),
  );
  ids.delete('');
  const [id] = ids.size === 1 ? ids : [];
  return mine.map(({ place, answer }): Said => {
    const said = wordOf(answer);
    return { ...said, ...(said.word === 'accepted' && id !== undefined && { detail: id }), places: [place] };
  });
}

function wordOf(answer: Exclude<Answer, 'gated' | 'paced'>): Omit<Said, 'places'> {
  if (answer === 'late') return { word: 'expired' };
  if (answer === 'unbound') return { word: 'unbound' };
  switch (answer.kind) {
    case 'accepted':
      return { word: answer.kind };
    case 'quota-spent':
      return { word: answer.kind, detail: `until ${answer.until.toISOString()}` };
    case 'throttled':
      return { word: answer.kind, detail: `retry after ${answer.retryAfterSeconds} s` };
    default:
      return { word: answer.kind, detail: answer.reason };
  }
}

/** Of those whose time to acknowledge is over: who was written to kept silent, the others had no session. */
export function saidOfSilence(
  held: HeldPlaces,
  routes: ReadonlyMap<number, Route | undefined>,
  seconds: number,
): readonly Said[] {
  const places = [...routes.keys()];
  const mine = places.filter((place) => routes.get(place) !== undefined);
  const wasWritten = (place: number) => held.status[place] === placeStatus.attempting;
  return [
    { word: 'silent', detail: `${seconds} s`, places: mine.filter(wasWritten) },
    { word: 'no-session', places: mine.filter((place) => !wasWritten(place)) },
    { word: 'changed-hands', places: places.filter((place) => routes.get(place) === undefined) },
  ];
}

/** Of those whose time in the inbox is over. */
export function saidOfLeftovers(leftovers: ReadonlyMap<number, Leftover>): readonly Said[] {
  return [...leftovers].map(([place, leftover]) => ({ word: ENDS[leftover], places: [place] }));
}

const ENDS = { kept: 'expired', lost: 'displaced', foreign: 'changed-hands' } as const satisfies Record<Leftover, Word>;

export function saidOfCancel(held: HeldPlaces): readonly Said[] {
  return [{ word: 'cancelled', places: openPlaces(held.status, held.received) }];
}

/** These devices are somebody else's by now. That they have no token of their former owner's follows from it. */
export function withChangedHands(said: readonly Said[], places: readonly number[]): readonly Said[] {
  const gone = new Set(places);
  return [
    ...said.map((one) =>
      one.word === 'unbound' ? { ...one, places: one.places.filter((place) => !gone.has(place)) } : one,
    ),
    { word: 'changed-hands', places },
  ];
}

/** One line, whatever it was, that PostgreSQL can keep. */
function shorten(detail: string): string {
  const line = detail.toWellFormed().replaceAll(NOT_SHOWN, ' ').trim();
  return Array.from(line).slice(0, DETAIL_CHARACTERS_MAX).join('');
}
const NOT_SHOWN = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

function toRanges(places: readonly number[]): string {
  const sorted = [...new Set(places)].sort((a, b) => a - b);
  const ranges: [from: number, to: number][] = [];
  for (const place of sorted) {
    const last = ranges.at(-1);
    if (last?.[1] === place - 1) last[1] = place;
    else ranges.push([place, place]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

function isIn(ranges: string, place: number): boolean {
  return ranges.split(',').some((range) => {
    const [from, to = from] = range.split('-').map(Number) as [number, number?];
    return from <= place && place <= to;
  });
}
