/**
 * Parses JSON without losing digits of integers. `JSON.parse` rounds integers above 2^53; this function returns them as
 * bigints, and every other number as a number. This requires a JavaScript runtime that passes the source text to the
 * reviver (Node 22, Chrome 114, Firefox 135, Safari 18.4). In older runtimes, an integer above 2^53 causes a
 * RangeError.
 */
export function parseJson(text: string): unknown {
  return LONG_DIGITS.test(text) ? JSON.parse(text, reviveInteger) : JSON.parse(text);
}

/** Prints a value that parseJson returned. Bigints are printed as plain numbers with all digits. */
export function stringifyJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? printBigint(item) : item), indent);
}

/** A string without 16 digits in a row has no integer above 2^53, so it is parsed without the slower reviver. */
const LONG_DIGITS = /\d{16}/;
const INTEGER = /^-?\d+$/;

function reviveInteger(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  if (source !== undefined) return INTEGER.test(source) ? BigInt(source) : value;
  if (Number.isInteger(value)) throw new RangeError('This JavaScript runtime cannot read integers above 2^53 exactly.');
  return value;
}

function printBigint(value: bigint): unknown {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  if (json.rawJSON) return json.rawJSON(value.toString());
  throw new RangeError('This JavaScript runtime cannot print integers above 2^53 exactly.');
}

/** TypeScript's library does not declare `JSON.rawJSON` yet. */
const json = JSON as unknown as { rawJSON?(text: string): unknown };
