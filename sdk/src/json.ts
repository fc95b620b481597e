/**
 * JSON whose integers keep every digit. JSON.parse rounds above 2^53; here such an integer becomes a bigint, and every
 * other number stays a number. It takes an engine that shows the reviver the source text (Node 22, Chrome 114,
 * Firefox 135, Safari 18.4); an older one refuses such an integer rather than round it.
 */
export function parseJson(text: string): unknown {
  return LONG_DIGITS.test(text) ? JSON.parse(text, reviveInteger) : JSON.parse(text);
}

/** Prints a value that parseJson returned, with bigints as plain numbers with all digits. */
export function stringifyJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? printBigint(item) : item), indent);
}

/** A text without 16 digits in a row has no integer above 2^53, and stays on the native fast path. */
const LONG_DIGITS = /\d{16}/;
const INTEGER = /^-?\d+$/;

function reviveInteger(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  if (source !== undefined) return INTEGER.test(source) ? BigInt(source) : value;
  if (Number.isInteger(value)) throw new RangeError('This JavaScript engine cannot read integers above 2^53 exactly.');
  return value;
}

function printBigint(value: bigint): unknown {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  if (json.rawJSON) return json.rawJSON(value.toString());
  throw new RangeError('This JavaScript engine cannot print integers above 2^53 exactly.');
}

/** TypeScript's library does not know JSON.rawJSON yet. */
const json = JSON as unknown as { rawJSON?(text: string): unknown };
