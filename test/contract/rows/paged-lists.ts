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
  /** Additional fields of the body, in the app `roll` and in the app `crowd`. */
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
    rule('the order is that of the IDs, and every digit counts', roll({}), {
      ...page(listedIds, null),
      text: /\b3\b.*\b9007199254740993\b.*\b9223372036854775807\b/,
    }),
    rule('a page that is full says where the next begins', roll({ limit: 2 }), page([one, two], two)),
    rule('the next page begins there', roll({ limit: 2, after: two }), page([three, rounded], rounded)),
    rule('the last page says that there are no more', roll({ limit: 2, after: rounded }), page([last], null)),
    rule('a last page that is full says so too', roll({ limit: 3, after: two }), page([three, rounded, last], null)),
    rule('it goes on from between two', roll({ limit: 1, after: rounded - 1n }), page([rounded], rounded)),
    rule('behind the last there is nobody', roll({ after: last }), page([], null)),
    rule('a page has 100 by default', crowd({}), page(upTo(100), 100n)),
    rule('behind these there are the rest', crowd({ after: 100 }), page([101n, 102n], null)),
    rule('a page has as many as there are', crowd({ limit: 500 }), page(upTo(PAGED_USERS), null)),
    rule('unknown fields are ignored', roll({ limit: 1, before: 3, offset: 2 }), page([one], one)),
  ];
}

/** The paging fields of every paged list. */
export const pagingFields: readonly Field[] = [
  {
    name: 'after',
    takes: { 'any int64': [0, -1, INT64_MIN, 9_007_199_254_740_993n, INT64_MAX] },
    refuses: { 'what is no int64': [10002, ...notInt64] },
  },
  {
    name: 'limit',
    takes: { '1 to 500': [1, 2, 500] },
    refuses: { 'what lies beyond': [10002, 0, -1, 501, 2_147_483_648], 'what is no int32': [10002, ...notInteger] },
  },
];
