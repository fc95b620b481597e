import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayNumberOf } from '#src/storage/database/partitions.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import { findHomeDays, findShardDays } from '#src/storage/upkeep/drop-days.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Stack, startStack } from '../../scripts/stack/stack.ts';
import { clockFileSettings } from '../faults/load/clock-offset.ts';
import { addDevice, addUser } from '../support/add-device.ts';
import { type Carillon, type Login, startCarillon } from '../support/carillon.ts';
import { connectDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { checkLaws } from '../support/laws.ts';
import { waitUntilFinished } from '../support/ledger.ts';
import { explainSettings, setExplain } from '../support/recorded-plans.ts';
import { countRows, type RowCounts, rowLimits } from './row-limits.ts';
import { findWideStatements } from './wide-statements.ts';

/** Every night, 100 days. The first day is the real one. */
const DAYS = Number(process.env.CARILLON_DAYS ?? 3);
const RETENTION_DAYS = 62;
const ONLINE = 5;
const OFFLINE = 20;
const SINGLE_PUSHES = 5;
/** Days on which plans and idle statements are recorded. Each costs several seconds. */
const isMeasured = (day: number): boolean => day === DAYS - 1 || day % 20 === 2;
const IDLE_SECONDS = 10;
/** The first period can contain work that a process does after its start, and cleanups run once a minute. */
const IDLE_PERIODS = 2;
/** The difference between two idle periods that is not growth: a check that runs every ten seconds, or every minute. */
const IDLE_STATEMENTS_MAX = 1.3;

let directory: string;
let stack: Stack;
let carillon: Carillon;
let roleSettings: Readonly<Record<string, string>>;
const userIds: bigint[] = [];
const idleStatements: number[] = [];

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'carillon-clock-'));
  await chmod(directory, 0o755);
  await setDay(0);
  roleSettings = clockFileSettings(join(directory, 'offset'));
  stack = await startStack({ postgresSettings: explainSettings, postgresEnvironment: roleSettings });
  carillon = await startCarillon({
    ...{ stack, apis: 0, gateways: 0, workers: 0 },
    settings: { ...roleSettings, CARILLON_RETENTION_DAYS: String(RETENTION_DAYS) },
  });
  await carillon.storage.home.query('create extension pg_stat_statements');
  for (let i = 0; i < ONLINE + OFFLINE; i++) {
    userIds.push(await addUser(carillon.storage.home, carillon.appId));
    await logIn(i);
  }
});
after(async () => {
  await carillon?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
  if (directory) await rm(directory, { recursive: true });
});

/** Logs a user in. The tokens of this test are valid for a day. */
const logIn = (i: number): Promise<Login> =>
  addDevice(carillon.storage, { appId: carillon.appId, userId: userIds[i] as bigint, deviceGuid: `phone-${i}` });

const setDay = (day: number): Promise<void> => writeFile(join(directory, 'offset'), `+${day}d\n`, { mode: 0o644 });

test(`${DAYS} days: the rows of each table stay within their limits, statements read few partitions, and idle work does not grow`, async () => {
  const { storage } = carillon;
  const firstDay = dayNumberOf(await readClock(storage.home));
  let counts: RowCounts | undefined;
  for (let day = 0; day < DAYS; day++) {
    await setDay(day);
    await eventually(async () => assert.equal(dayNumberOf(await readClock(storage.home)), firstDay + day));
    const explained = isMeasured(day) ? await setExplain(stack, storage, true) : undefined;
    await runDay(day);
    if (explained !== undefined) {
      idleStatements.push(await countIdleStatements());
      await setExplain(stack, storage, false);
      assert.deepEqual(await findWideStatements(stack, explained), [], `day ${day}`);
    }
    await stopRoles();
    counts = await countRows(storage);
    for (const { table, rows, limit } of rowLimits(counts, { day, retentionDays: RETENTION_DAYS, ...perDay }))
      assert.ok(rows <= limit, `day ${day}: ${table} has ${rows} rows, at most ${limit} are expected`);
    if (day % 10 === 0) console.log(`  day ${day}: ${JSON.stringify(counts)}`);
  }
  console.log(`  last day: ${JSON.stringify(counts)}`);
  console.log(`  statements in ${IDLE_SECONDS} s without work: ${idleStatements.join(', ')}`);
  // From the second measured day on, the sweep can also read an old day whose scheduled work ended a moment ago.
  const [first, last] = [Math.max(...idleStatements.slice(0, 2)), idleStatements.at(-1) as number];
  assert.ok(last <= first * IDLE_STATEMENTS_MAX, `idle statements rose from ${first} to ${last}`);
  await checkLaws(storage);
});

/** The work of one day, for the limits of rows. */
const perDay = {
  devices: ONLINE + OFFLINE,
  tasks: SINGLE_PUSHES + 2,
  keys: SINGLE_PUSHES,
} as const;

/** Starts the roles, sends notifications, and waits until they and the maintenance of the day have ended. */
async function runDay(day: number): Promise<void> {
  const { storage } = carillon;
  for (const role of ['api', 'gateway', 'worker'] as const) await carillon.start(role);
  const gateway = carillon.gateways[0] as RoleProcess;
  await using devices = new AsyncDisposableStack();
  const logins = await Promise.all(userIds.slice(0, ONLINE).map((_, i) => logIn(i)));
  const online = await Promise.all(logins.map(async (login) => devices.use(await connectDevice(gateway, login))));
  const now = await readClock(storage.home);
  await carillon.notify('all', { body: `day ${day}` });
  const inTwoDays = Math.floor(now.getTime() / 1_000) + 2 * 86_400;
  const [firstLogin] = logins as [Login];
  const audience = { push_token: [firstLogin.push_token] };
  await carillon.notify(audience, { body: 'later', show_begin_time: inTwoDays });
  const single: bigint[] = [];
  for (let i = 0; i < SINGLE_PUSHES; i++)
    single.push(await carillon.notify(audience, { body: 'one' }, { request_id: `${day}-${i}` }));
  await eventually(() => {
    for (const taskId of single) assert.ok(online[0]?.taskIds.includes(taskId.toString()));
  });
  for (const taskId of single) await waitUntilFinished(storage, taskId);
  const today = dayNumberOf(now);
  await eventually(async () => {
    const days = (await Promise.all([findHomeDays(storage.home), ...storage.shards.all.map(findShardDays)])).flat();
    const oldest = Math.min(...days.map((stored) => stored.day));
    const newest = Math.max(...days.map((stored) => stored.day));
    assert.ok(newest > today + 13, 'the partitions of the next days do not exist yet');
    assert.ok(oldest >= today - RETENTION_DAYS, `the day ${today - oldest} days ago is not dropped yet`);
  }, 30);
}

async function stopRoles(): Promise<void> {
  const roles = [...carillon.apis.splice(0), ...carillon.gateways.splice(0), ...carillon.workers.splice(0)];
  await Promise.all(roles.map((role) => role.stop()));
}

/** Counts the statements that roles without work execute. */
async function countIdleStatements(): Promise<number> {
  const { home } = carillon.storage;
  const counts: number[] = [];
  for (let i = 0; i < IDLE_PERIODS; i++) {
    await home.query('select pg_stat_statements_reset()');
    await sleep(IDLE_SECONDS * 1_000); // the period that is measured
    const [row] = await home.query<{ calls: number }>('select sum(calls)::float8 as calls from pg_stat_statements');
    counts.push(row?.calls ?? 0);
  }
  return Math.min(...counts);
}
