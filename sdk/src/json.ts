/**
 * Parses JSON without losing digits of integers. `JSON.parse` rounds integers above 2^53; this function returns them as
 * bigints, and every other number as a number. React Native and older browsers do not pass the source text to a reviver,
 * so the integers are written as marked strings before the text is parsed.
 */
export function parseJson(text: string): unknown {
  if (!LONG_DIGITS.test(text)) return JSON.parse(text);
  JSON.parse(text); // rejects a text that only the marks would make valid
  const mark = randomMark();
  const marked = text.replace(STRING_OR_NUMBER, (found) => (LONG_INTEGER.test(found) ? `"${mark}${found}"` : found));
  return JSON.parse(marked, (_key, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith(mark)) return value;
    const integer = BigInt(value.slice(mark.length));
    return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
  });
}

/** Prints a value that parseJson returned. Bigints are printed as plain numbers with all digits. */
export function stringifyJson(value: unknown, indent?: number): string {
  const mark = randomMark();
  const marked = JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === 'bigint' ? `${mark}${item}` : item),
    indent,
  );
  return marked.includes(mark) ? marked.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1') : marked;
}

/** A string without 16 digits in a row has no integer above 2^53, so it is parsed without the slower reviver. */
const LONG_DIGITS = /\d{16}/;
/** Strings are matched too, so that digits inside them are skipped. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const LONG_INTEGER = /^-?\d{16,}$/;

/** Returns a string that a sender cannot guess, and therefore cannot write into a message. */
const randomMark = (): string => `int${Math.random()}${Math.random()}:`.replaceAll('.', '');
