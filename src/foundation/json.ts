import sjson from 'secure-json-parse';

/**
 * Parses JSON without rounding integers. JSON.parse rounds above 2^53; here these integers become bigints. A text
 * without 16 digits in a row cannot contain one, so it stays on the fast native path.
 */
export function parseJson(text: string): unknown {
  return LONG_DIGITS.test(text) ? sjson.parse(text, reviveInteger as never) : sjson.parse(text);
}

/** Prints a value that parseJson returned, with bigints as plain numbers with all digits. */
export function stringifyJson(value: unknown, indent?: number): string {
  const printBigints = (_key: string, item: unknown) =>
    typeof item === 'bigint' ? rawJson.rawJSON(item.toString()) : item;
  return JSON.stringify(value, printBigints, indent);
}

const LONG_DIGITS = /\d{16}/;
const INTEGER = /^-?(0|[1-9]\d*)$/;

function reviveInteger(_key: string, value: unknown, context: { source: string }): unknown {
  const unsafe = typeof value === 'number' && !Number.isSafeInteger(value);
  return unsafe && INTEGER.test(context.source) ? BigInt(context.source) : value;
}

/** The type definitions of TypeScript do not have JSON.rawJSON yet; Node 24 supports it. */
const rawJson = JSON as unknown as { rawJSON(text: string): unknown };
