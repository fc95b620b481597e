import sjson from 'secure-json-parse';

/** A document has more values than `parseJson` accepts. */
export class TooManyValues extends Error {}

/**
 * Parses JSON without rounding integers. `JSON.parse` rounds integers above 2^53; this function returns them as
 * bigints. Only a document with such an integer needs a callback for each value, which is forty times as slow. Throws
 * `TooManyValues` if the document has more than `valuesMax` values.
 */
export function parseJson(text: string, valuesMax = Number.POSITIVE_INFINITY): unknown {
  const { hasLongInteger, values } = scanJson(text);
  if (values > valuesMax) throw new TooManyValues(`The document has more than ${valuesMax} values.`);
  return hasLongInteger ? sjson.parse(text, reviveInteger as never) : sjson.parse(text);
}

/** Serializes a value that `parseJson` returned. Bigints become JSON numbers with all digits. */
export function stringifyJson(value: unknown, indent?: number): string {
  const printBigints = (_key: string, item: unknown) =>
    typeof item === 'bigint' ? rawJson.rawJSON(item.toString()) : item;
  return JSON.stringify(value, printBigints, indent);
}

/** An integer with fewer digits is below 2^53. */
const LONG_INTEGER_DIGITS = 16;
const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, ZERO, NINE] = ['"', '\\', ',', '[', '{', '0', '9'].map((character) =>
  character.charCodeAt(0),
) as [number, number, number, number, number, number, number];

/**
 * Reads a document once, without allocating anything. Returns whether it has a long run of digits outside strings, and
 * the number of its values. An empty list or object counts as two values. The result is meaningless if the text is not
 * JSON.
 */
function scanJson(text: string): { hasLongInteger: boolean; values: number } {
  let values = 1;
  let digits = 0;
  let hasLongInteger = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= ZERO && code <= NINE) {
      digits++;
      if (digits === LONG_INTEGER_DIGITS) hasLongInteger = true;
      continue;
    }
    digits = 0;
    if (code === COMMA || code === BRACKET || code === BRACE) values++;
    else if (code === QUOTE) {
      for (i++; i < text.length; i++) {
        const inString = text.charCodeAt(i);
        if (inString === QUOTE) break;
        if (inString === BACKSLASH) i++;
      }
    }
  }
  return { hasLongInteger, values };
}

const INTEGER = /^-?(0|[1-9]\d*)$/;

function reviveInteger(_key: string, value: unknown, context: { source: string }): unknown {
  const unsafe = typeof value === 'number' && !Number.isSafeInteger(value);
  return unsafe && INTEGER.test(context.source) ? BigInt(context.source) : value;
}

/** TypeScript's type definitions do not include `JSON.rawJSON` yet; Node 24 supports it. */
const rawJson = JSON as unknown as { rawJSON(text: string): unknown };
