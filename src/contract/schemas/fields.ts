import { type TUnsafe, Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import { listOrders } from '#src/foundation/lists/list-page.ts';
import { STORABLE } from '../operation.ts';

/** Fields that several operations share. */

/** Maximum number of rows per response. */
export const PAGE_MAX = 500;
/** The default of `limit`. */
export const PAGE_DEFAULT = 100;

/** A name that is displayed. It can contain characters from any script, except those that cannot be stored. */
export const nameField = (description: string) => Type.String({ maxLength: 128, pattern: STORABLE, description });

export const userIdField = Int64({ description: 'User ID.' });
export const groupIdField = Int64({ description: 'Group ID.' });

/** An ID that the caller can choose. It must be positive, like generated IDs. */
export const chosenIdField = (description: string) => Type.Optional(Int64({ minimum: 1, description }));

export const pushTokenText = Type.String({ maxLength: 128, pattern: STORABLE });

/** The device that a request refers to. */
export const deviceField = Type.Optional(
  Type.String({
    maxLength: 128,
    pattern: STORABLE,
    description:
      'Push token of the device. Blank means the device for which the access token was issued. Required with an admin token.',
  }),
);

export const deviceGuidText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 128, maxBytes: 128, pattern: STORABLE, description });

export const pageFields = {
  after: Type.Optional(
    Int64({ description: 'Value of `next` in the previous response. Blank returns the first page.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_MAX,
      default: PAGE_DEFAULT,
      description: `Maximum number of rows in the response; ${PAGE_DEFAULT} by default.`,
    }),
  ),
};

/** The fields of a list that can be searched by time. */
export const timeRangeFields = (subject: string) => ({
  from: Type.Optional(Int64({ description: `Only ${subject} at or after this time, in Unix epoch milliseconds.` })),
  to: Type.Optional(Int64({ description: `Only ${subject} before this time, in Unix epoch milliseconds.` })),
});

/** An optional request field that accepts one of these values. */
export const choiceField = <const T extends string>(
  values: readonly T[],
  options: { description: string; default?: T },
) =>
  Type.Optional(
    Type.Unsafe<T>(
      Type.Union(
        values.map((value) => Type.Literal(value)),
        options,
      ),
    ),
  );

export const orderField = choiceField(listOrders, {
  default: 'newest',
  description: 'Order of the list: `newest` first by default, or `oldest` first.',
});

/** A search text that is compared without regard to case. */
export const searchField = (description: string) =>
  Type.Optional(Type.String({ maxLength: 128, pattern: STORABLE, description }));

/** Follows the description of a list with filters. */
export const SHORT_PAGES =
  'With filters, a page can have fewer rows than `limit`, or none, because a call reads at most 5,000 rows. The list ends when `next` is null.';

export const NullableText = (description: string): TUnsafe<string | null> =>
  Type.Unsafe<string | null>({ type: 'string', nullable: true, description });

export const NullableInt64 = (description: string): TUnsafe<bigint | null> =>
  Type.Unsafe<bigint | null>({ int64: true, nullable: true, description });

export const NullableInteger = (description: string): TUnsafe<number | null> =>
  Type.Unsafe<number | null>({ type: 'integer', nullable: true, description });

export const nextField = NullableInt64('Value for `after` that returns the next page. Null if this is the last page.');

/** The data of operations that return nothing. */
export const emptyData = Type.Object({}, { description: 'Empty object.' });

export const timeField = (description: string) => Int64({ description: `${description}, in Unix epoch milliseconds.` });

/** A response field that has one of these values. */
export const StringEnum = <const T extends string>(values: readonly T[], description: string): TUnsafe<T> =>
  Type.Unsafe<T>({ type: 'string', enum: values, description });
