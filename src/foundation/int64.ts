import { type TUnsafe, Type } from 'typebox';

export const INT64_MAX = 2n ** 63n - 1n;
export const INT64_MIN = -(2n ** 63n);

/** An int64 in a JSON body: a number in JSON, a bigint in the code. The keyword below checks and converts it. */
export const Int64 = (options: object = {}): TUnsafe<bigint> => Type.Unsafe<bigint>({ ...options, int64: true });

/** An int64 in a header or a query string: decimal digits in the request, a bigint in the code. */
export const Int64Text = (options: object = {}): TUnsafe<bigint> =>
  Type.Unsafe<bigint>({ ...options, int64Text: true });

export function toInt64(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value === 'bigint') return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
  return undefined;
}

export function textToInt64(text: unknown): bigint | undefined {
  return typeof text === 'string' && /^-?\d{1,19}$/.test(text) ? toInt64(BigInt(text)) : undefined;
}

/**
 * Ajv has no bigint type, so these two keywords check the value and replace it with a bigint. They also check a
 * `minimum` in the same schema.
 */
export const int64Keywords = [
  { keyword: 'int64', convert: toInt64 },
  { keyword: 'int64Text', convert: textToInt64 },
].map(({ keyword, convert }) => ({
  keyword,
  modifying: true,
  schemaType: 'boolean' as const,
  errors: false,
  validate: (
    _schema: boolean,
    value: unknown,
    parentSchema?: { minimum?: number },
    context?: { parentData: Record<string | number, unknown>; parentDataProperty: string | number },
  ): boolean => {
    const converted = convert(value);
    if (converted === undefined || converted < BigInt(parentSchema?.minimum ?? INT64_MIN)) return false;
    if (context) context.parentData[context.parentDataProperty] = converted;
    return true;
  },
}));
