import { listedIds, PAGED_USERS, userAppAdmins, userApps } from './fixture-users.ts';
import {
  type Call,
  type Expect,
  type Field,
  fieldRows,
  INT64_MAX,
  INT64_MIN,
  notInt64,
  notInteger,
  ok,
  type Row,
} from './row.ts';
import { bodyRows, rule as ruleOf } from './user-calls.ts';

/** A list that is paged by ID. */
interface Paged {
  readonly path: string;
  /** Additional fields of the body, for calls in the `roll` app and in the `crowd` app. */
  readonly inRoll: object;
  readonly inCrowd: object;
  /** Returns the row of `data.list` for an ID. */
  readonly rowOf: (id: bigint) => unknown;
}

/** Returns the rows that lists of users, groups and members have in common. */
export function pagedRows({ path, inRoll, inCrowd, rowOf }: Paged): readonly Row[] {
  const [one, two, three, rounded, last] = listedIds;
  const roll = (page: object): Call => ({
    path,
    app: userApps.roll,
    token: userAppAdmins.roll,
    body: { ...inRoll, ...page },
  });
  const crowd = (page: object): Call => ({
    path,
    app: userApps.crowd,
    token: userAppAdmins.crowd,
    body: { ...inCrowd, ...page },
  });
  const page = (ids: readonly bigint[], next: bigint | null): Expect => ({
    code: 200,
    rows: ids.map(rowOf),
    data: { next },
  });
  const rule = (sentence: string, call: Call, expect: Expect) => ruleOf(path, sentence, [], call, expect);
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => BigInt(i + 1));
  return [
    ...bodyRows([], roll({ limit: 500 }), page(listedIds, null)),
    ...pagingFields.flatMap((field) =>
      fieldRows(
        {
          path,
          app: userApps.roll,
          token: userAppAdmins.roll,
          body: inRoll,
          taken: () => ok,
          blank: () => page(listedIds, null),
        },
        field,
      ),
    ),
    rule('rows are ordered by ID, and IDs keep every digit', roll({}), {
      ...page(listedIds, null),
      text: /\b3\b.*\b9007199254740993\b.*\b9223372036854775807\b/,
    }),
    rule('a full page returns the ID after which the next page starts', roll({ limit: 2 }), page([one, two], two)),
    rule(
      'the next page starts after the ID from the previous page',
      roll({ limit: 2, after: two }),
      page([three, rounded], rounded),
    ),
    rule('the last page returns null in next', roll({ limit: 2, after: rounded }), page([last], null)),
    rule(
      'a full last page returns null in next as well',
      roll({ limit: 3, after: two }),
      page([three, rounded, last], null),
    ),
    rule(
      'after can be an ID that is not in the list',
      roll({ limit: 1, after: rounded - 1n }),
      page([rounded], rounded),
    ),
    rule('the list is empty after the last ID', roll({ after: last }), page([], null)),
    rule('a page has 100 rows by default', crowd({}), page(upTo(100), 100n)),
    rule('the second page has the remaining rows', crowd({ after: 100 }), page([101n, 102n], null)),
    rule(
      'a page has all rows if the limit is larger than their number',
      crowd({ limit: 500 }),
      page(upTo(PAGED_USERS), null),
    ),
    rule('ignores unknown fields', roll({ limit: 1, before: 3, offset: 2 }), page([one], one)),
  ];
}

/** The paging fields of every paged list. */
export const pagingFields: readonly Field[] = [
  {
    name: 'after',
    takes: { 'any int64': [0, -1, INT64_MIN, 9_007_199_254_740_993n, INT64_MAX] },
    refuses: { 'a value that is not an int64': [10002, ...notInt64] },
  },
  {
    name: 'limit',
    takes: { '1 to 500': [1, 2, 500] },
    refuses: {
      'a number outside this range': [10002, 0, -1, 501, 2_147_483_648],
      'a value that is not an int32': [10002, ...notInteger],
    },
  },
];
