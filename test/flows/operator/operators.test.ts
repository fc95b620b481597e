import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setRole as addRole, findRoles } from '#src/storage/operators/operators.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import {
  OPERATOR_PASSWORD,
  OperatorBrowser,
  type OperatorResponse,
  seedOperator,
  signedIn,
} from '../../support/operator.ts';

/** Within this time, all processes reject an ended session. */
const REVOCATION_SECONDS = 5;
const SESSION_MISSING = 10003;
const NO_PERMISSION = 10010;
const hello = { audience: 'all', message: { body: 'hello' } };

let carillon: Carillon;
let apiUrl: string;
let otherApiUrl: string;
let platformId: bigint;
let adaId: bigint;
let app: { app_id: string };

before(async () => {
  carillon = await startCarillon({ apis: 2, gateways: 0, workers: 1 });
  [apiUrl, otherApiUrl] = carillon.apis.map((api: RoleProcess) => api.apiUrl as string) as [string, string];
  app = { app_id: carillon.appId };
  const { home } = carillon.storage;
  platformId = await seedOperator(home, 'root@example.com', { isPlatform: true });
  adaId = await seedOperator(home, 'ada@example.com');
});
after(() => carillon[Symbol.asyncDispose]());

const setRole = async (operatorId: bigint, role: string | null): Promise<void> => {
  const root = await signedIn(apiUrl, 'root@example.com');
  const { code, message } = await root.post('/operator/role/set', { operator_id: operatorId, ...app, role });
  assert.equal(code, 200, message ?? '');
};
const endsWithin = (browser: OperatorBrowser, url: string) =>
  eventually(async () => {
    const other = new OperatorBrowser(url);
    Object.assign(other, { cookie: browser.cookie, csrfToken: browser.csrfToken });
    assert.equal((await other.post('/operator/session/list')).code, SESSION_MISSING);
  }, REVOCATION_SECONDS);
const dataOf = <T>({ data, message }: OperatorResponse): T => {
  assert.equal(message, null);
  return data as T;
};

describe('sign-in with a password', () => {
  test('starts a session in a cookie that scripts cannot read', async () => {
    const browser = new OperatorBrowser(apiUrl);
    const { code, data, headers } = await browser.signIn('ADA@Example.com');
    assert.equal(code, 200);
    const [sessionCookie, browserCookie] = headers.getSetCookie();
    assert.match(sessionCookie ?? '', /^carillon_session=[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.match(browserCookie ?? '', /^carillon_browser=[\w-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.equal((data as { email: string }).email, 'ada@example.com');
    const session = dataOf<{ csrf_token: string }>(
      await browser.post('/operator/session', {}, { 'carillon-csrf': undefined }),
    );
    assert.equal(session.csrf_token, browser.csrfToken);
  });

  test('uses a Secure cookie with the prefix __Host- for a host name other than that of the machine', async () => {
    const request = httpRequest(`${apiUrl}/operator/login`, {
      method: 'POST',
      headers: { host: 'push.example.com', 'content-type': 'application/json' },
    });
    request.end(JSON.stringify({ email: 'ada@example.com', password: OPERATOR_PASSWORD }));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    assert.match(
      String(response.headers['set-cookie']?.[0]),
      /^__Host-carillon_session=[0-9A-Za-z]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('returns the same error for an unknown email address and for a wrong password', async () => {
    const browser = new OperatorBrowser(apiUrl);
    const answers = [await browser.signIn('nobody@example.com'), await browser.signIn('ada@example.com', 'wrong')];
    assert.deepEqual(
      answers.map(({ status, code, message }) => [status, code, message]),
      [1, 2].map(() => [401, 10013, 'The login name or the password is wrong.']),
    );
    assert.deepEqual(
      answers.flatMap(({ headers }) => headers.getSetCookie()),
      [],
    );
  });

  test('delays attempts after five wrong passwords, also for an email address without an operator', async () => {
    await seedOperator(carillon.storage.home, 'guessed@example.com');
    for (const email of ['guessed@example.com', 'invented@example.com']) {
      const browser = new OperatorBrowser(apiUrl);
      for (let i = 0; i < 5; i++) assert.equal((await browser.signIn(email, 'wrong')).code, 10013);
      const { code, headers } = await browser.signIn(email);
      assert.equal(code, 10014);
      assert.ok(Number(headers.get('retry-after')) >= 1);
    }
  });

  test('is rejected from a page of another origin', async () => {
    const login = { email: 'ada@example.com', password: OPERATOR_PASSWORD };
    const { code } = await new OperatorBrowser(apiUrl).post('/operator/login', login, {
      origin: 'https://evil.example',
    });
    assert.equal(code, NO_PERMISSION);
  });
});

describe('a session', () => {
  test('needs the CSRF token of the same session', async () => {
    const [first, second] = [await signedIn(apiUrl, 'ada@example.com'), await signedIn(apiUrl, 'ada@example.com')];
    for (const csrf of [undefined, '', 'x', second.csrfToken])
      assert.equal((await first.post('/operator/session/list', {}, { 'carillon-csrf': csrf })).code, NO_PERMISSION);
    assert.equal((await first.post('/operator/session/list')).code, 200);
  });

  test('is rejected from a page of another origin, and accepted from the same origin', async () => {
    const browser = await signedIn(apiUrl, 'ada@example.com');
    for (const origin of ['https://evil.example', 'null', `${apiUrl}1`]) {
      const { code, headers } = await browser.post('/operator/session', {}, { origin });
      assert.equal(code, NO_PERMISSION, origin);
      assert.equal(headers.get('access-control-allow-origin'), null);
      assert.equal(headers.get('access-control-allow-credentials'), null);
    }
    assert.equal((await browser.post('/operator/session', {}, { origin: apiUrl })).code, 200);
  });

  test('ends everywhere after a logout, a revocation, a disabled operator and a new password', async () => {
    const graceId = await seedOperator(carillon.storage.home, 'grace@example.com');
    const root = await signedIn(apiUrl, 'root@example.com');
    const browsers = await Promise.all([1, 2, 3].map(() => signedIn(apiUrl, 'grace@example.com')));
    const [left, revoked, kept] = browsers as [OperatorBrowser, OperatorBrowser, OperatorBrowser];
    for (const browser of browsers) {
      const other = new OperatorBrowser(otherApiUrl);
      Object.assign(other, { cookie: browser.cookie, csrfToken: browser.csrfToken });
      assert.equal((await other.post('/operator/session/list')).code, 200);
    }
    assert.equal((await left.post('/operator/logout')).code, 200);
    await endsWithin(left, otherApiUrl);

    const sessions = dataOf<{ session_id: bigint; is_current: boolean }[]>(
      await revoked.post('/operator/session/list'),
    );
    const current = sessions.find(({ is_current }) => is_current);
    assert.equal((await kept.post('/operator/session/revoke', { session_id: current?.session_id })).code, 200);
    await endsWithin(revoked, otherApiUrl);

    const reset = { operator_id: graceId, password: 'ten bells at midnight' };
    assert.equal((await root.post('/operator/update', reset)).code, 200);
    await endsWithin(kept, otherApiUrl);

    const last = new OperatorBrowser(apiUrl);
    assert.equal((await last.signIn('grace@example.com', reset.password)).code, 200);
    assert.equal((await root.post('/operator/disable', { operator_id: graceId })).code, 200);
    await endsWithin(last, otherApiUrl);
    assert.equal((await last.signIn('grace@example.com', reset.password)).code, 10013);
    assert.equal((await root.post('/operator/enable', { operator_id: graceId })).code, 200);
    assert.equal((await last.signIn('grace@example.com', reset.password)).code, 200);
  });

  test('of another operator can be listed and ended by a platform operator, whose name is in the audit log', async () => {
    const ivyId = await seedOperator(carillon.storage.home, 'ivy@example.com');
    const root = await signedIn(apiUrl, 'root@example.com');
    const browsers = await Promise.all([1, 2, 3].map(() => signedIn(apiUrl, 'ivy@example.com')));
    const listed = async () =>
      dataOf<{ session_id: number; is_current: boolean }[]>(
        await root.post('/operator/session/list', { operator_id: ivyId }),
      );
    const [session, ...others] = await listed();
    assert.deepEqual([session?.is_current, others.length], [false, 2]);
    const end = { operator_id: ivyId, session_id: session?.session_id };
    for (const path of ['/operator/session/list', '/operator/session/revoke'])
      assert.equal(
        (await (browsers[0] as OperatorBrowser).post(path, { operator_id: platformId })).code,
        NO_PERMISSION,
      );
    assert.equal((await root.post('/operator/session/revoke', end)).code, 200);
    assert.deepEqual(await listed(), others);
    assert.equal((await root.post('/operator/session/revoke', { operator_id: ivyId })).code, 200);
    assert.deepEqual(await listed(), []);
    for (const browser of browsers) await endsWithin(browser, otherApiUrl);
    const { list } = dataOf<{ list: { operation: string; token_name: string; detail: string }[] }>(
      await root.post('/admin/audit/list', { limit: 2, installation: true }, app),
    );
    assert.deepEqual(
      list.map(({ operation, token_name, detail }) => [operation, token_name, JSON.parse(detail)]),
      [{ operator_id: Number(ivyId) }, { ...end, operator_id: Number(ivyId) }].map((detail) => [
        '/operator/session/revoke',
        'root@example.com',
        detail,
      ]),
    );
  });

  test('of the caller stays when all other sessions of the caller end', async () => {
    const noraId = await seedOperator(carillon.storage.home, 'nora@example.com');
    const [own, other] = [await signedIn(apiUrl, 'nora@example.com'), await signedIn(apiUrl, 'nora@example.com')];
    assert.equal((await own.post('/operator/session/revoke', { operator_id: noraId })).code, 200);
    await endsWithin(other, otherApiUrl);
    assert.equal((await own.post('/operator/session/list')).code, 200);
  });

  test('ends without requests for two hours, and twelve hours after the sign-in', async () => {
    const { home } = carillon.storage;
    for (const set of [`last_used_at = now() - interval '121 minutes'`, `expires_at = now()`]) {
      const browser = await signedIn(apiUrl, 'ada@example.com');
      await home.query(`update operator_sessions set ${set} where operator_id = $1`, [adaId]);
      await endsWithin(browser, otherApiUrl);
    }
  });

  test('records its use at most once a minute', async () => {
    const browser = await signedIn(apiUrl, 'ada@example.com');
    const { home } = carillon.storage;
    const used = (age: string) =>
      home.query(`select from operator_sessions where operator_id = $1 and last_used_at > now() - $2::interval`, [
        adaId,
        age,
      ]);
    await home.query(`update operator_sessions set last_used_at = now() - interval '59 s' where operator_id = $1`, [
      adaId,
    ]);
    assert.equal((await browser.post('/operator/session/list')).code, 200);
    assert.equal((await used('30 s')).length, 0);
    await home.query(`update operator_sessions set last_used_at = now() - interval '1 h' where operator_id = $1`, [
      adaId,
    ]);
    await eventually(async () => {
      assert.equal((await browser.post('/operator/session/list')).code, 200);
      assert.equal((await used('30 s')).length, 1);
    }, REVOCATION_SECONDS);
  });

  test('keeps working after a change of the own password, which ends the other sessions', async () => {
    await seedOperator(carillon.storage.home, 'changer@example.com');
    const [own, other] = [await signedIn(apiUrl, 'changer@example.com'), await signedIn(apiUrl, 'changer@example.com')];
    const change = { old_password: OPERATOR_PASSWORD, password: 'ten bells at midnight' };
    assert.equal((await own.post('/operator/password', { ...change, old_password: 'wrong' })).code, 10013);
    assert.equal((await own.post('/operator/password', change)).code, 200);
    await endsWithin(other, otherApiUrl);
    assert.equal((await own.post('/operator/session/list')).code, 200);
  });
});

describe('roles', () => {
  const asAda = async () => signedIn(apiUrl, 'ada@example.com');

  test('a role in a disabled app can be removed, but not given', async () => {
    const root = await signedIn(apiUrl, 'root@example.com');
    const leaverId = await seedOperator(carillon.storage.home, 'leaver@example.com');
    assert.equal((await root.post('/admin/app/create', { new_app_id: 'closed', name: 'Closed' }, app)).code, 200);
    const setClosed = async (role: string | null) =>
      (await root.post('/operator/role/set', { operator_id: leaverId, app_id: 'closed', role })).code;
    assert.equal(await setClosed('sender'), 200);
    const leaver = await signedIn(apiUrl, 'leaver@example.com');
    const appsOfLeaver = async () => dataOf<{ apps: object[] }>(await leaver.post('/operator/session')).apps;
    assert.deepEqual(await appsOfLeaver(), [{ app_id: 'closed', name: 'Closed', role: 'sender' }]);
    assert.equal((await root.post('/admin/app/disable', { target_app_id: 'closed' }, app)).code, 200);
    assert.deepEqual(await appsOfLeaver(), []);
    assert.equal(await setClosed('viewer'), 40000);
    assert.equal(await setClosed(null), 200);
    const roles = await carillon.storage.home.query('select from operator_roles where operator_id = $1', [leaverId]);
    assert.equal(roles.length, 0);
  });

  test('are limited for each operator, so that one with many roles does not hide those of another', async () => {
    const { home } = carillon.storage;
    const root = await signedIn(apiUrl, 'root@example.com');
    assert.equal((await root.post('/admin/app/create', { new_app_id: 'atrium', name: 'Atrium' }, app)).code, 200);
    assert.equal((await root.post('/admin/app/disable', { target_app_id: 'atrium' }, app)).code, 200);
    const ids = [await seedOperator(home, 'many@example.com'), await seedOperator(home, 'few@example.com')];
    const [many, few] = ids as [bigint, bigint];
    await addRole(home, many, 'atrium', 'viewer');
    for (const id of ids) await addRole(home, id, carillon.appId, 'sender');
    const appsOf = async (limit: number) => {
      const roles = await findRoles(home, ids, limit);
      return [many, few].map((id) => roles.get(id)?.map(({ appId }) => appId));
    };
    assert.deepEqual(await appsOf(2), [['atrium', carillon.appId], [carillon.appId]]);
    assert.deepEqual(await appsOf(1), [['atrium'], [carillon.appId]]);
  });

  test('without a role, an operator has no access to the app', async () => {
    await setRole(adaId, null);
    assert.equal((await (await asAda()).post('/push/task/list', {}, app)).code, NO_PERMISSION);
  });

  test('a viewer can read, but not send, manage or read secrets', async () => {
    await setRole(adaId, 'viewer');
    const ada = await asAda();
    for (const path of ['/push/task/list', '/admin/app/get', '/admin/user/list', '/admin/audit/list'])
      assert.equal((await ada.post(path, {}, app)).code, 200, path);
    assert.equal((await ada.post('/push/validate', hello, app)).code, 200);
    for (const [path, body] of [
      ['/push/notify', hello],
      ['/admin/user/create', { name: 'eve' }],
      ['/admin/certificate/callback', { provider: 4 }],
      ['/admin/app/list', {}],
      ['/operator/list', {}],
      ['/admin/audit/list', { installation: true }],
    ] as const)
      assert.equal((await ada.post(path, body, app)).code, NO_PERMISSION, path);
  });

  test('a sender can also send, under the name of the operator', async () => {
    await setRole(adaId, 'sender');
    const ada = await asAda();
    const { task_id: taskId } = dataOf<{ task_id: number }>(await ada.post('/push/notify', hello, app));
    const { list } = dataOf<{ list: Record<string, unknown>[] }>(await ada.post('/push/task/list', { limit: 1 }, app));
    const { author, token_kind, token_id, token_name } = list[0] as Record<string, unknown>;
    assert.deepEqual(
      [author, token_kind, BigInt(token_id as number), token_name],
      ['admin', 'operator', adaId, 'Operator ada@example.com'],
    );
    await carillon.notify('all', { body: 'by a backend' });
    const sentBy = async (operatorId: bigint) => {
      const filter = { token_kind: 'operator', token_id: operatorId };
      return dataOf<{ list: { task_id: number }[] }>(await ada.post('/push/task/list', filter, app)).list;
    };
    assert.deepEqual(
      (await sentBy(adaId)).map(({ task_id }) => task_id),
      [taskId],
    );
    assert.deepEqual(await sentBy(adaId + 1n), []);
    assert.equal((await ada.post('/push/task/cancel', { task_id: taskId }, app)).code, 200);
    assert.equal((await ada.post('/admin/user/create', { name: 'eve' }, app)).code, NO_PERMISSION);
  });

  test('an admin can also manage the app and its tokens, but not the installation', async () => {
    await setRole(adaId, 'admin');
    const ada = await asAda();
    const { user_id } = dataOf<{ user_id: number }>(await ada.post('/admin/user/create', { name: 'eve' }, app));
    assert.equal((await ada.post('/admin/user/token', { user_id }, app)).code, 200);
    const token = dataOf<{ token: string }>(
      await ada.post('/admin/token/create', { name: 't', scopes: ['*'] }, app),
    ).token;
    assert.equal((await carillon.post('/admin/app/get', {}, { token })).code, 200);
    const platformToken = { name: 't', scopes: ['platform'] };
    assert.equal((await ada.post('/admin/token/create', platformToken, app)).code, NO_PERMISSION);
    assert.equal(
      (await ada.post('/operator/create', { email: 'x@example.com', name: 'x', password: OPERATOR_PASSWORD })).code,
      NO_PERMISSION,
    );
  });

  test('a change of a role takes effect within five seconds in all processes', async () => {
    await setRole(adaId, 'sender');
    const ada = await signedIn(otherApiUrl, 'ada@example.com');
    assert.equal((await ada.post('/push/notify', hello, app)).code, 200);
    await setRole(adaId, 'viewer');
    await eventually(
      async () => assert.equal((await ada.post('/push/notify', hello, app)).code, NO_PERMISSION),
      REVOCATION_SECONDS,
    );
  });

  test('a platform operator is an admin of every app, and manages apps and operators', async () => {
    const root = await signedIn(apiUrl, 'root@example.com');
    const created = await root.post('/admin/app/create', { new_app_id: 'second', name: 'Second' }, app);
    assert.equal(created.code, 200);
    assert.equal((await root.post('/push/notify', hello, { app_id: 'second' })).code, 200);
    const { apps } = dataOf<{ apps: { app_id: string; role: string }[] }>(await root.post('/operator/session'));
    assert.deepEqual(
      apps.map(({ app_id, role }) => [app_id, role]),
      [
        [carillon.appId, 'admin'],
        ['second', 'admin'],
      ],
    );
    assert.equal((await root.post('/operator/disable', { operator_id: platformId })).code, NO_PERMISSION);
  });
});
