import type { Text } from './texts.ts';

/** Words that have a plainer or more exact counterpart; `docs/glossary.md` has the terms to use. */
const words = [
  'whoever',
  'whatever becomes',
  'nobody',
  'somebody',
  'everybody',
  'anew',
  'beside',
  'meanwhile',
  'mend',
  'mended',
  'for ever',
  'at once',
  'go on',
  'goes on',
  'went on',
  'stand still',
  'stands still',
  'is away',
  'are away',
  'was away',
  'told',
  'tell',
  'tells',
  'hear',
  'hears',
  'heard',
  'spoken',
  'speaks?',
  'spoke',
  'pretend',
  'own channel',
  'engines?',
  'all the same',
  'as it should be',
  'by itself',
  'becomes of',
  'became of',
  'says (?:no|yes)',
  'of (?:its|your|their) own',
  'changes? of hands',
  'changed hands',
  'how it stands',
  'doors?',
  'doorbells?',
  'courtesy',
  'wishes',
  'shut',
  'is had',
  'are had',
];

const listed = new RegExp(`\\b(?:${words.join('|')})\\b`, 'gi');

/** A statement whose subject is a clause that hides the noun: "What is revoked is refused." A question is exempt. */
const headless = /(?:^|[.!:;]\s+)(?:what|who|whoever|whatever)\b(?!['’]s\b)[^.?!]*(?:[.!]|$)(?!\?)/gim;

/** Returns the words and sentence openings of a text that the writing guide replaces. */
export function findWords({ text, kind }: Text): string[] {
  const flat = kind === 'line' ? text : text.replace(/\s+/g, ' ').trim();
  const openings = [...flat.matchAll(headless)].map(([match]) =>
    match
      .replace(/^[.!:;]\s+/, '')
      .trim()
      .slice(0, 40),
  );
  return [...[...flat.matchAll(listed)].map(([match]) => match.toLowerCase()), ...openings];
}
