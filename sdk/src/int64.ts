import type { Int64Paths } from './operation.ts';

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/**
 * Returns an int64 as a bigint. Returns undefined for any other value, including a number above 2^53, which has already
 * lost digits.
 */
export function toInt64(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value === 'bigint') return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
  return undefined;
}

/**
 * Returns a copy in which every int64 is a bigint. Other values, such as a free-form object, are not changed. Throws a
 * RangeError that names the path of an invalid integer.
 */
export function withBigints(value: unknown, paths: Int64Paths | undefined, name: string): unknown {
  if (paths === undefined || value === undefined || value === null) return value;
  if (paths === true) {
    const int64 = toInt64(value);
    if (int64 === undefined)
      throw new RangeError(`${name} must be a 64-bit signed integer, given as a bigint or a safe integer.`);
    return int64;
  }
  if (isListPath(paths)) {
    if (!Array.isArray(value)) return value;
    return value.map((item, index) => withBigints(item, paths[0], `${name}[${index}]`));
  }
  if (typeof value !== 'object') return value;
  const fields = Object.entries(value).map(([field, fieldValue]) => {
    const fieldPaths = Object.hasOwn(paths, field) ? paths[field] : undefined;
    return [field, withBigints(fieldValue, fieldPaths, `${name}.${field}`)] as const;
  });
  return Object.fromEntries(fields);
}

const isListPath = (paths: Int64Paths): paths is readonly [Int64Paths] => Array.isArray(paths);
