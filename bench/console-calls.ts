import { performance } from 'node:perf_hooks';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import type { Result } from './result.ts';
import type { Service } from './service.ts';

/** Enough that one pause of the machine does not decide the 99th percentile. */
const CALLS = 500;
const WARM_UP = 100;
const GOAL_MS = 200;
const PAGE = 100;
const GROUPS = 100_000;

/** The mobile number of the nth user of `device-lookups`. */
export const MOBILE = `'+8613' || lpad(n::text, 9, '0')`;
const mobileOf = (user: number) => `+8613${String(user).padStart(9, '0')}`;

export const insertGroups = (db: HomeDb, appId: string): Promise<unknown> =>
  db.query(`insert into groups (app_id, group_id, name) select $1, n, 'group-' || n from generate_series(1, $2) as n`, [
    appId,
    GROUPS,
  ]);

/**
 * Measures the lists of users and groups, and `/admin/lookup`, in an app with many devices, two per user. The baseline
 * runs only the query for the rows.
 */
export async function measureConsoleCalls(
  { carillon, caller, meter }: Service,
  size: number,
  say: (line: string) => void,
): Promise<Result[]> {
  const { storage, appId } = carillon;
  const userOf = (call: number) => ((call * 7_919) % (size / 2)) + 1;
  const deviceOf = (call: number) => `device-${((call * 7_919) % size) + 1}`;
  const pageFrom = (path: string, afterOf: (call: number) => number) => async (call: number) =>
    (await caller.post<{ list: unknown[] }>(path, { after: afterOf(call), limit: PAGE })).list.length;
  const lookUp = (textOf: (call: number) => string) => async (call: number) =>
    (await caller.post<{ list: unknown[] }>('/admin/lookup', { text: textOf(call) })).list.length;
  const query = async (text: string, value: unknown, db: Pick<HomeDb, 'queryPrepared'> = storage.home) =>
    (await db.queryPrepared(text, [appId, value])).length;
  const userBefore = (call: number) => 1_000_000 + Math.max(userOf(call) - PAGE, 0);
  const groupBefore = (call: number) => (call * 7_919) % (GROUPS - PAGE);
  const calls: Readonly<Record<string, readonly [ours: Call, bare: Call]>> = {
    'list of users': [
      pageFrom('/admin/user/list', userBefore),
      (call) =>
        query(
          `select user_id, name, mobile, email, disabled_at, created_at from users
            where app_id = $1 and user_id > $2 order by user_id limit ${PAGE}`,
          userBefore(call),
        ),
    ],
    'list of groups': [
      pageFrom('/admin/group/list', groupBefore),
      (call) =>
        query(
          `select group_id, name from groups
            where app_id = $1 and group_id > $2 and deleted_at is null order by group_id limit ${PAGE}`,
          groupBefore(call),
        ),
    ],
    'any ID: a mobile number': [
      lookUp((call) => mobileOf(userOf(call))),
      (call) => query('select user_id from users where app_id = $1 and mobile = $2', mobileOf(userOf(call))),
    ],
    'any ID: a guid': [
      lookUp(deviceOf),
      (call) =>
        query(
          'select device_id from devices where app_id = $1 and device_guid = $2',
          deviceOf(call),
          storage.shards.dbFor(bucketOfGuid(appId, deviceOf(call))),
        ),
    ],
  };
  const results: Result[] = [];
  for (const [name, [run, runBare]] of Object.entries(calls)) {
    say(`${CALLS} calls: ${name}`);
    const ours = await meter.measure(
      name,
      () => ({ call: WARM_UP + CALLS }),
      () => measure(run),
    );
    const bare = await measure(runBare);
    results.push({
      name,
      ours: ours.p99,
      bare: bare.p99,
      unit: 'ms p99',
      goal: `< ${GOAL_MS} ms`,
      reached: ours.p99 < GOAL_MS,
      extras: { p50: ours.p50, 'bare p50': bare.p50 },
    });
  }
  return results;
}

/** Returns the number of rows. */
type Call = (call: number) => Promise<number>;

async function measure(run: Call): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  for (let call = 0; call < WARM_UP + CALLS; call++) {
    const began = performance.now();
    if ((await run(call)) === 0) throw new Error('An existing row was not found.');
    if (call >= WARM_UP) times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] as number;
  return { p50: at(0.5), p99: at(0.99) };
}
