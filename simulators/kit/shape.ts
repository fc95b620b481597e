import { isRecord } from './read.ts';

/**
 * An error in a message, with the path of the invalid part. `shape` is an error in keys or types, `value` an error in a
 * value.
 */
export type Violation = { readonly path: string; readonly kind: 'shape' | 'value'; readonly text: string };

/** Returns undefined if the value is valid. */
export type Check = (value: unknown, path: string) => Violation | undefined;

export const anyValue: Check = () => undefined;

export const bool: Check = (value, path) =>
  typeof value === 'boolean' ? undefined : { path, kind: 'shape', text: 'must be true or false' };

/** Checks a string. `max` is the maximum length in UTF-16 code units. */
export function text(rule: { max?: number; pattern?: RegExp; words?: readonly string[] } = {}): Check {
  const { max = Number.POSITIVE_INFINITY, pattern, words } = rule;
  return (value, path) => {
    if (typeof value !== 'string') return { path, kind: 'shape', text: 'must be a string' };
    if (value.length > max) return { path, kind: 'value', text: `must have at most ${max} characters` };
    if (pattern && !pattern.test(value)) return { path, kind: 'value', text: `must match ${pattern.source}` };
    if (words && !words.includes(value)) return { path, kind: 'value', text: `must be one of ${words.join(', ')}` };
    return undefined;
  };
}

export const httpsUrl = text({ pattern: /^https:\/\/\S+$/ });

/** Checks a number of seconds in a string, such as `3600s`. */
export function ttlOf(secondsMax: number): Check {
  return allOf(text({ pattern: /^\d+(?:\.\d+)?[sS]?$/ }), (value, path) =>
    Number.parseFloat(String(value)) <= secondsMax
      ? undefined
      : { path, kind: 'value', text: `must be at most ${secondsMax}s` },
  );
}

/** Checks an integer. Both limits are inclusive. */
export function integer(min: number, max: number): Check {
  return (value, path) => {
    if (typeof value !== 'number') return { path, kind: 'shape', text: 'must be a number' };
    if (Number.isInteger(value) && value >= min && value <= max) return undefined;
    return { path, kind: 'value', text: `must be an integer from ${min} to ${max}` };
  };
}

export function listOf(item: Check, max: number): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return { path, kind: 'shape', text: 'must be a list' };
    if (value.length > max) return { path, kind: 'value', text: `must have at most ${max} items` };
    return firstViolation(value.map((each, index) => () => item(each, `${path}[${index}]`)));
  };
}

/** Checks that an object has only the keys in `table`. Only the keys in `required` must be present. */
export function objectWith(table: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value, path) => {
    if (!isRecord(value)) return { path, kind: 'shape', text: 'must be an object' };
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(table, key));
    if (unknown !== undefined) return { path: join(path, unknown), kind: 'shape', text: 'is unknown' };
    const missing = required.find((key) => value[key] === undefined);
    if (missing !== undefined) return { path: join(path, missing), kind: 'value', text: 'is missing' };
    return firstViolation(
      Object.entries(value).map(
        ([key, each]) =>
          () =>
            table[key]?.(each, join(path, key)),
      ),
    );
  };
}

/** Runs each check on the whole value and returns the first error. */
export function allOf(...checks: readonly Check[]): Check {
  return (value, path) => firstViolation(checks.map((check) => () => check(value, path)));
}

function firstViolation(checks: readonly (() => Violation | undefined)[]): Violation | undefined {
  for (const check of checks) {
    const violation = check();
    if (violation !== undefined) return violation;
  }
  return undefined;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
