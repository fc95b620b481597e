import { INT64_MAX, INT64_MIN } from '../int64.ts';

/** The order of a list by ID. IDs increase with time. */
export const listOrders = ['newest', 'oldest'] as const;
export type ListOrder = (typeof listOrders)[number];

/** The first and last ID, both inclusive. */
type IdRange = readonly [bigint, bigint];

/** Limits a range to the IDs that follow `after` in the order of the list. */
export function rangeAfter([first, last]: IdRange, after: bigint | undefined, order: ListOrder): IdRange {
  if (after === undefined) return [first, last];
  if (order === 'newest') return [first, after > last ? last : after > INT64_MIN ? after - 1n : INT64_MIN];
  if (after === INT64_MAX) return [INT64_MAX, INT64_MIN];
  return [after < first ? first : after + 1n, last];
}

/**
 * Returns a pattern of PostgreSQL's `ilike` for strings that contain the text. Whether PostgreSQL ignores the case of
 * letters outside ASCII depends on its locale, so the pattern accepts any character in their place. Check the result
 * with `containsText`.
 */
export function ilikePattern(text: string): string {
  const characters = Array.from(text, (character) => {
    if (character > '\x7f' && character.toLowerCase() !== character.toUpperCase()) return '_';
    return /[\\%_]/.test(character) ? `\\${character}` : character;
  });
  return `%${characters.join('')}%`;
}

export const containsText = (value: string, text: string): boolean => value.toLowerCase().includes(text.toLowerCase());
