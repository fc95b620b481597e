import sjson from 'secure-json-parse';

/**
 * Parses JSON without rounding integers. `JSON.parse` rounds integers above 2^53; this function returns them as
 * bigints. A document without 16 consecutive digits cannot contain an unsafe integer, so it is parsed on the fast
 * native path.
 */
export function parseJson(text: string): unknown {
  return LONG_DIGITS.test(text) ? sjson.parse(text, reviveInteger as never) : sjson.parse(text);
}

/** Serializes a value that `parseJson` returned. Bigints become JSON numbers with all digits. */
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

/** TypeScript's type definitions do not include `JSON.rawJSON` yet; Node 24 supports it. */
const rawJson = JSON as unknown as { rawJSON(text: string): unknown };
