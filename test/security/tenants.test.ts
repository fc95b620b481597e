import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { routes } from '#src/api/routes.ts';
import type { Operation } from '#src/contract/operation.ts';
import { parseJson, stringifyJson } from '#src/foundation/json.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon } from '../support/carillon.ts';
import { connectDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { checkLaws } from '../support/laws.ts';
import { TOKEN_INVALID } from '../support/revocation-limits.ts';
import {
  type CallerName,
  createCallers,
  refusedEverywhere,
  type TestCaller,
  withSpendableToken,
} from './tenants/callers.ts';
import { type Dump, differences, dumpApp, emptyTables } from './tenants/dump.ts';
import { createOwnApp, type OwnApp } from './tenants/own-app.ts';
import { type Naming, type Row, rows } from './tenants/rows.ts';
import { ALIAS, ann, CHOIR, seedTwoApps, TAG, type TwoApps } from './tenants/two-apps.ts';

/** Limits that are raised because this test makes many calls from one address. */
const UNLIMITED = {
  CARILLON_LOGIN_FAILURES_PER_NAME: '100000',
  CARILLON_LOGIN_FAILURES_PER_ADDRESS: '100000',
  CARILLON_REGISTRATIONS_PER_HOUR: '100000',
  CARILLON_SECRET_READS_PER_MINUTE: '100000',
};
const TOKEN_MISSING = 10003;
const NO_PERMISSION = 10010;
const LOGIN_REFUSED = 10013;

describe('two apps with the same names and ids', () => {
  let carillon: Carillon;
  let apps: TwoApps;
  let ours: OwnApp;
  let callers: TestCaller[];
  let dump: Dump;
  let statistics: string;
  let cells = 0;

  before(async () => {
    carillon = await startCarillon({ settings: UNLIMITED });
    apps = await seedTwoApps(carillon);
    ours = await createOwnApp(carillon, apps);
    callers = await createCallers(carillon, apps);
    statistics = await theirStatistics();
    dump = await dumpApp(carillon.storage, apps.otherApp.appId);
  });
  after(async () => {
    await apps?.device[Symbol.asyncDispose]();
    await carillon?.[Symbol.asyncDispose]();
  });

  test('every operation has a row, and the other app has data in every table', () => {
    assert.deepEqual(Object.keys(rows).sort(), routes.map(({ operation }) => operation.path).sort());
    assert.deepEqual(emptyTables(dump), []);
  });

  for (const { operation } of routes)
    test(`${operation.path}: allowed callers succeed, and no caller reaches the other app`, async () => {
      const row = rows[operation.path];
      assert.ok(row, 'the operation has a row');
      const wrong: string[] = [];
      for (const caller of callers) wrong.push(...(await tryCaller(operation, row, caller)));
      assert.deepEqual(wrong, []);
    });

  test('these calls did not change, deliver or count anything in the other app', async (t) => {
    t.diagnostic(`${cells} calls`);
    await eventually(async () => {
      const open = `select task_id from tasks where app_id = $1 and state <> 'finished'`;
      assert.deepEqual(await carillon.storage.home.query(open, [apps.ownApp.appId]), []);
    });
    assert.deepEqual(differences(dump, await dumpApp(carillon.storage, apps.otherApp.appId)), []);
    assert.equal(await theirStatistics(), statistics);
    assert.equal(apps.device.closes, 0);
    assert.deepEqual(apps.device.received, []);
    await checkLaws(carillon.storage);
  });

  test('the other app rejects our users and tokens, and only its own failure counters change', async () => {
    const wrong: string[] = [];
    for (const { operation } of routes.filter((route) => route.operation.access === 'open' && !route.operation.appless))
      for (const caller of callers) {
        const body = await (rows[operation.path] as Row).validRequest(ours);
        const answer = await call(operation, body, { ...caller, appId: apps.otherApp.appId });
        // The other app does not allow registration.
        const expected = operation.path === '/user/register' ? NO_PERMISSION : LOGIN_REFUSED;
        wrong.push(...complaints(`${caller.name} at ${operation.path}`, answer, expected));
      }
    assert.deepEqual(wrong, []);
    assert.deepEqual(differences(dump, await dumpApp(carillon.storage, apps.otherApp.appId), ['limit_points']), []);
  });

  test('a device connects to the gateway only with its own login, not with the login of the same device in the other app', async () => {
    const { ownApp: us, otherApp: them } = apps;
    assert.equal(us.phone.deviceGuid, them.phone.deviceGuid);
    const deviceGuids = [us.phone.deviceGuid, us.tablet.deviceGuid, apps.namedByOtherApp().deviceGuid];
    const pushTokens = [us.phone, us.tablet, them.phone, them.tablet].map(({ push_token }) => push_token);
    const connected: string[] = [];
    for (const deviceGuid of deviceGuids)
      for (const push_token of pushTokens)
        if (await connects({ deviceGuid, push_token, token: us.phone.token }))
          connected.push(`${deviceGuid} ${push_token}`);
    assert.deepEqual(connected, [`${us.phone.deviceGuid} ${us.phone.push_token}`]);
    assert.equal(await connects({ ...us.phone, token: them.phone.token }), false);

    assert.equal(
      apps.device.closes,
      0,
      'the gateway did not treat the device as a second connection of the device with the same GUID in the other app',
    );
    assert.deepEqual(apps.device.received, []);
  });

  test('users, tags, aliases and "all" select only devices of our app', async () => {
    const { phone } = apps.ownApp;
    await carillon.post('/device/alias', { alias: ALIAS }, { token: phone.token });
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, phone);
    const toAll = { audience: 'all', message: { body: 'ours' } };
    const { data } = await carillon.post<{ devices: number }>('/push/validate', toAll);
    assert.equal(data.devices, await countOurDevices());
    const audiences = ['all', { user_id: [ann.userId] }, { tag: [TAG] }, { alias: [ALIAS] }] as const;
    const taskIds: bigint[] = [];
    for (const audience of audiences)
      for (const headers of [{}, { group_id: CHOIR.toString() }])
        taskIds.push(await carillon.notify(audience, { body: 'ours' }, {}, { headers }));
    await eventually(() => assert.deepEqual([...device.taskIds].sort(), taskIds.map(String).sort()));
    assert.deepEqual(apps.device.received, []);
    await checkLaws(carillon.storage);
    assert.deepEqual(differences(dump, await dumpApp(carillon.storage, apps.otherApp.appId), ['limit_points']), []);
  });

  /**
   * Tries one caller with one operation: in the other app, in our app with names of the other app, and in our app with
   * a valid request. Returns the errors.
   */
  async function tryCaller(operation: Operation, row: Row, caller: TestCaller): Promise<string[]> {
    const fresh = row.spends ? await withSpendableToken(carillon, caller) : caller;
    return [
      ...(await tryInTheirs(operation, row, fresh)),
      ...(await tryNaming(operation, row, fresh)),
      // Last, because the call may revoke the token of the caller.
      ...(await tryInOurs(operation, row, fresh)),
    ];
  }

  async function tryInTheirs(operation: Operation, row: Row, caller: TestCaller): Promise<string[]> {
    if (operation.access === 'open') return []; // has a separate test
    const namings = (await row.foreignRequests?.(apps.namedByOtherApp(), ours)) ?? [];
    const wrong: string[] = [];
    for (const body of [await row.validRequest(ours), ...namings.map((naming) => naming.body)]) {
      const answer = await call(operation, body, { ...caller, appId: apps.otherApp.appId });
      const rejected = operation.access === 'session' ? NO_PERMISSION : TOKEN_INVALID;
      const code = caller.token === null ? TOKEN_MISSING : rejected;
      wrong.push(...complaints(`${caller.name} in the other app`, answer, code));
    }
    return wrong;
  }

  /** Checks that objects of the other app get the same response as objects that do not exist. */
  async function tryNaming(operation: Operation, row: Row, caller: TestCaller): Promise<string[]> {
    const refusal = refusalOf(operation, row, caller.name);
    if (row.beyond && refusal === undefined) return [];
    const namings = (await row.foreignRequests?.(apps.namedByOtherApp(), ours)) ?? [];
    const unknown = (await row.foreignRequests?.(apps.namedByNobody(), ours)) ?? [];
    const wrong: string[] = [];
    for (const [i, naming] of namings.entries()) {
      const what = `${caller.name} naming objects of the other app (${stringifyJson(naming.body)})`;
      const answer = await call(operation, naming.body, { ...caller, appId: apps.ownApp.appId });
      const code = refusal ?? (isUser(caller.name) ? naming.users : undefined) ?? naming.code;
      wrong.push(...complaints(what, answer, code));
      if (code === 200 && 'data' in naming && !isDeepStrictEqual(answer.data, naming.data))
        wrong.push(`${what}: ${answer.text}`);
      // Operations without a token do not distinguish callers, and hashing passwords is slow.
      if (operation.access === 'open' && caller.token !== null) continue;
      const likewise = await call(operation, (unknown[i] as Naming).body, { ...caller, appId: apps.ownApp.appId });
      if (answer.code !== likewise.code || answer.message !== likewise.message)
        wrong.push(`${what}: ${answer.text}, but for an unknown object ${likewise.text}`);
    }
    return wrong;
  }

  async function tryInOurs(operation: Operation, row: Row, caller: TestCaller): Promise<string[]> {
    const refusal = refusalOf(operation, row, caller.name);
    const seesApps = row.beyond && refusal === undefined;
    const marks = seesApps ? apps.hidden.filter((mark) => !apps.appMarks.includes(mark)) : apps.hidden;
    const answer = await call(operation, await row.validRequest(ours), { ...caller, appId: apps.ownApp.appId });
    return complaints(`${caller.name} in our app`, answer, refusal ?? 200, marks);
  }

  interface TestAnswer {
    readonly code: number;
    readonly message: string | null;
    readonly data: unknown;
    /** The whole response body. */
    readonly text: string;
    readonly headers: string;
  }

  async function call(
    { method, path }: Operation,
    body: Readonly<Record<string, unknown>>,
    { appId, token, headers }: Omit<TestCaller, 'name'> & { appId: string },
  ): Promise<TestAnswer> {
    cells++;
    const query = method === 'GET' ? `?${new URLSearchParams(body as Record<string, string>)}` : '';
    const response = await fetch(`${carillon.apis[0]?.apiUrl}${path}${query}`, {
      method,
      headers: {
        app_id: appId,
        ...(token !== null && { 'access-token': token }),
        ...headers,
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      },
      ...(method === 'POST' && { body: stringifyJson(body) }),
    });
    const text = await response.text();
    const envelope = parseJson(text) as Pick<TestAnswer, 'code' | 'message' | 'data'>;
    return { ...envelope, text, headers: stringifyJson([...response.headers]) };
  }

  /** Returns the errors in a response: a code that differs from the expected code, or a mark of the other app. */
  function complaints(what: string, answer: TestAnswer, code: number, marks = apps.hidden): string[] {
    const leakedMarks = marks.filter((mark) => answer.text.includes(mark) || answer.headers.includes(mark));
    return [
      ...(answer.code === code ? [] : [`${what}: ${answer.code} instead of ${code}, ${answer.message}`]),
      ...leakedMarks.map((mark) => `${what} reveals ${mark}`),
    ];
  }

  async function connects(login: Login): Promise<boolean> {
    try {
      await using _device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
      return true;
    } catch {
      return false;
    }
  }

  async function countOurDevices(): Promise<number> {
    const where = 'app_id = $1 and user_id is not null';
    const queries = carillon.storage.shards.all.map((db) =>
      db.query(`select from devices where ${where}`, [carillon.appId]),
    );
    return (await Promise.all(queries)).flat().length;
  }

  /** Returns the statistics of the other app's notifications, as that app sees them. */
  async function theirStatistics(): Promise<string> {
    const { appId, adminToken } = apps.otherApp;
    const rows = await carillon.storage.home.query<{ taskId: bigint }>(
      'select task_id as "taskId" from tasks where app_id = $1 order by 1',
      [appId],
    );
    const list = rows.map(({ taskId }) => taskId);
    const { data } = await carillon.post(
      '/push/task/detail',
      { list },
      { token: adminToken, headers: { app_id: appId } },
    );
    return stringifyJson(data);
  }
});

const isUser = (name: CallerName): boolean => name === 'a user' || name === 'a user without a device';

/** Returns the code with which the caller is rejected, or undefined if the call is allowed. */
function refusalOf({ access }: Operation, row: Row, name: CallerName): number | undefined {
  if (access === 'open') return undefined;
  if (access === 'session') return name === 'no token' ? TOKEN_MISSING : NO_PERMISSION;
  if (name in refusedEverywhere) return refusedEverywhere[name as keyof typeof refusedEverywhere];
  return row.allowedCallers.includes(name) ? undefined : (row.otherwise?.[name] ?? NO_PERMISSION);
}
