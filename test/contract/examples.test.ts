import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { csrfTokenOf } from '#src/api/http/session-cookie.ts';
import { sessionIdOf } from '#src/api/operators/session-id.ts';
import { needsUserToken } from '#src/contract/example-text.ts';
import type { Example, Operation } from '#src/contract/operation.ts';
import { operations } from '#src/contract/operations.ts';
import { responseHeaders } from '#src/contract/response-headers.ts';
import { exampleLogin } from '#src/contract/schemas/login.ts';
import { exampleOperatorLogin } from '#src/contract/schemas/operator-record.ts';
import { parseJson, stringifyJson } from '#src/foundation/json.ts';
import { randomText } from '#src/foundation/random-text.ts';
import { hashPassword } from '#src/foundation/threads/password.ts';
import { updateApp } from '#src/storage/accounts/apps.ts';
import { hashSessionId, insertSession } from '#src/storage/operators/operator-sessions.ts';
import { insertOperator } from '#src/storage/operators/operators.ts';
import { seedAdminToken, seedUser } from '../../scripts/dev/seed.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { documented, findEnvelopeError, findSchemaError, openApi } from './rows/openapi-check.ts';
import { statuses } from './rows/row.ts';
import { rowGroups } from './rows/row-groups.ts';

let carillon: Carillon;
let apiUrl: string;
/** An admin token with all scopes, including `platform`. */
let adminToken: string;
/** The access token of the user in the examples, who has a device. */
let userToken: string;
let pushToken: string;

before(async () => {
  carillon = await startCarillon({ gateways: 0, workers: 0 });
  const { home } = carillon.storage;
  adminToken = await seedAdminToken(home, carillon.appId, ['*', 'platform']);
  await updateApp(home, carillon.appId, { registration: true });
  const passwordHash = await hashPassword(exampleOperatorLogin.password);
  await insertOperator(home, { email: exampleOperatorLogin.email, name: 'Grace', passwordHash, isPlatform: true });
  apiUrl = carillon.apis[0]?.apiUrl as string;
  const { userId, ...user } = exampleLogin;
  assert.equal(await seedUser(carillon.storage.home, carillon.appId, user), BigInt(userId));
  const login = await carillon.logIn({ ...user, userId: BigInt(userId) }, 'example-phone');
  userToken = login.token;
  pushToken = login.push_token;
});
after(() => carillon[Symbol.asyncDispose]());

/** Returns an example as it looks after JSON encoding. */
const asJson = (value: unknown): unknown => JSON.parse(stringifyJson(value));

const schemaOf = ({ method, path }: Operation) => {
  const { requestBody, responses } = documented(method, path) ?? assert.fail(`${method} ${path} is not documented`);
  return {
    request: requestBody?.content['application/json'].schema,
    answer: responses[200]?.content['application/json'].schema as object,
  };
};

async function createDraft(): Promise<number> {
  const body = { audience: 'all', message: { body: 'an example' } };
  return (await carillon.post<{ draft_id: number }>('/push/draft/create', body)).data.draft_id;
}

async function createDevice(): Promise<string> {
  const user = await carillon.createUser(`owner-${randomText(64)}`);
  return (await carillon.logIn(user, 'phone')).push_token;
}

/** Returns the body of a call that requires an existing draft, task or device. */
async function existingIn(path: string, expectedBody: Example['body']): Promise<Example['body']> {
  if (/draft.(get|approve|reject)$/.test(path)) return { ...expectedBody, draft_id: await createDraft() };
  if (/admin.device.(get|logout)$/.test(path)) return { push_token: await createDevice() };
  if (!/task.(cancel|report|trace|retry)$/.test(path)) return undefined;
  const task_id = await carillon.notify('all', { body: 'an example' });
  if (path === '/push/task/cancel') return { ...expectedBody, task_id };
  return path === '/push/task/trace' ? { task_id, push_token: pushToken } : { task_id };
}

async function send(operation: Operation, { query, body: expectedBody }: Example) {
  const { method, path, access } = operation;
  const session = access === 'session' ? await startExampleSession() : undefined;
  const body = session?.namedIn(path) ?? (await existingIn(path, expectedBody)) ?? expectedBody;
  const token = needsUserToken(operation) ? userToken : adminToken;
  const response = await fetch(`${apiUrl}${path}${query ? `?${new URLSearchParams(query)}` : ''}`, {
    method,
    headers: {
      app_id: carillon.appId,
      ...(access !== 'open' && access !== 'session' && { 'access-token': token }),
      ...session?.headers,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: stringifyJson(body) }),
  });
  return { status: response.status, envelope: (await response.json()) as { code: number; data: unknown } };
}

/** Starts a session of the operator in the examples, who has another session that a call can end. */
async function startExampleSession() {
  const { home } = carillon.storage;
  const [operator] = await home.query<{ operatorId: bigint }>(
    'select operator_id as "operatorId" from operators where email = $1',
    [exampleOperatorLogin.email],
  );
  const start = async () => {
    const sessionId = randomText(256);
    const { operatorId } = operator as { operatorId: bigint };
    await insertSession(home, sessionId, { operatorId, address: '', userAgent: '', passwordHash: null });
    return sessionId;
  };
  const [sessionId, other] = [await start(), await start()];
  return {
    headers: { cookie: `carillon_session=${sessionId}`, 'carillon-csrf': csrfTokenOf(sessionId) },
    namedIn: (path: string) =>
      path === '/operator/session/revoke' ? { session_id: sessionIdOf(hashSessionId(other)) } : undefined,
  };
}

for (const operation of operations) {
  describe(`${operation.method} ${operation.path}`, () => {
    test('has at least one example, with unique names', () => {
      const names = operation.examples.map(({ name }) => name);
      assert.ok(names.length > 0);
      assert.equal(new Set(names).size, names.length);
    });

    for (const example of operation.examples) {
      test(`${example.name}: matches the documented request and response`, () => {
        const { request, answer } = schemaOf(operation);
        if (request) assert.equal(findSchemaError(request, asJson(example.body)), undefined);
        const expectedBody = asJson({ code: 200, data: example.data, message: null });
        assert.equal(findSchemaError(answer, expectedBody), undefined);
      });

      test(`${example.name}: succeeds and returns the documented response`, async () => {
        const { status, envelope } = await send(operation, example);
        assert.deepEqual([status, envelope.code], [200, 200], JSON.stringify(envelope));
        assert.equal(findSchemaError(schemaOf(operation).answer, envelope), undefined, JSON.stringify(envelope));
        // The response must have exactly the fields of the example.
        const fieldsOf = (data: unknown) => Object.keys(data as object).sort();
        if (!Array.isArray(example.data)) assert.deepEqual(fieldsOf(envelope.data), fieldsOf(example.data));
      });
    }
  });
}

test('/push/task/detail returns the fields of its example for an existing task', async () => {
  const taskId = await carillon.notify('all', { body: 'hello' });
  const detail = operations.find(({ path }) => path === '/push/task/detail') as Operation;
  const { envelope } = await send(detail, { name: '', body: { list: [taskId] }, data: [] });
  assert.equal(findSchemaError(schemaOf(detail).answer, envelope), undefined);
  const [expectedBody] = (detail.examples[0] as Example).data as [object];
  assert.deepEqual(Object.keys((envelope.data as [object])[0]).sort(), Object.keys(expectedBody).sort());
});

describe('GET /openapi.json', () => {
  test('returns docs/openapi.json without authentication', async () => {
    const response = await fetch(`${apiUrl}/openapi.json`);
    assert.equal(response.status, 200);
    assert.match(String(response.headers.get('content-type')), /^application\/json/);
    const committed = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
    assert.deepEqual(parseJson(await response.text()), parseJson(committed));
  });

  test('documents exactly the operations of the contract', () => {
    const listed = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(listed.sort(), operations.map(({ method, path }) => `${method} ${path}`).sort());
  });

  test('lists every error code that the contract rows expect, under its operation and status', () => {
    let seen = 0;
    for (const { rule, cases } of rowGroups.flatMap(({ rows }) => rows)) {
      for (const { call, expect } of cases) {
        const operation = documented(call.method ?? 'POST', call.path);
        if (!operation || expect.code === 200) continue;
        // An app with `http_errors: always200` returns 200 instead of the documented status.
        const status = expect.status === undefined || expect.status === 200 ? statuses[expect.code] : expect.status;
        const response = operation.responses[status as number];
        assert.ok(response, `${rule}: ${status}`);
        const envelope = { code: expect.code, data: null, message: 'a reason' };
        assert.equal(findEnvelopeError(response, envelope), undefined, rule);
        seen++;
      }
    }
    assert.ok(seen > 500, `${seen} answers`);
  });
});

describe('GET /', () => {
  test('shows the version and the state, and links to the reference', async () => {
    const response = await fetch(apiUrl);
    const html = await response.text();
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    assert.match(html, /Version \d+\.\d+\.\d+/);
    assert.match(html, /Ready/);
    for (const link of ['/reference', '/openapi.json']) {
      assert.ok(html.includes(`href="${link}"`), link);
      assert.equal((await fetch(`${apiUrl}${link}`)).status, 200, link);
    }
  });
});

describe('GET /reference', () => {
  let page: string;
  let policy: string;
  before(async () => {
    const response = await fetch(`${apiUrl}/reference`);
    assert.equal(response.status, 200);
    assert.match(String(response.headers.get('content-type')), /^text\/html/);
    policy = String(response.headers.get('content-security-policy'));
    page = await response.text();
  });

  test('is HTML that names every operation', () => {
    assert.match(page, /^<!doctype html>/i);
    for (const { method, path } of operations) assert.match(page, new RegExp(`${method}</span> ${path}</a></h3>`));
  });

  test('names every header', () => {
    const headers = [
      'app_id',
      'access-token',
      'carillon-csrf',
      'user_id',
      'group_id',
      'accept-language',
      ...responseHeaders.map(({ name }) => name),
    ];
    for (const header of headers) assert.ok(page.includes(`<code>${header}</code>`), header);
  });

  for (const operation of operations) {
    test(`names every request and response field of ${operation.path}`, () => {
      const section = page.split('<section ').find((part) => part.includes(`</span> ${operation.path}</a></h3>`)) ?? '';
      const { query, body, data } = operation;
      const names = [...fieldsOf(query), ...fieldsOf(body), ...fieldsOf(data)];
      assert.deepEqual(
        names.filter((name) => !section.includes(`<code>${name}</code>`)),
        [],
      );
    });
  }

  test('loads nothing from other hosts', () => {
    assert.doesNotMatch(page, /<script [^>]*src|<iframe|<img|@import|url\(/i);
    assert.doesNotMatch(page, /\b(?:src|href|action)\s*=\s*["']?\s*(?:(?!data:image\/svg)[a-z]+:|\/\/)/i);
  });

  test('has a content security policy that allows only its own style and script', () => {
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    for (const tag of ['style', 'script']) {
      const [, text = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page) ?? [];
      const hash = createHash('sha256').update(text).digest('base64');
      assert.ok(policy.includes(`${tag}-src 'sha256-${hash}'`), tag);
    }
  });

  test('uses only variables that `npm run dev` writes to .dev.env', () => {
    const written = readFileSync(new URL('../../scripts/dev.ts', import.meta.url), 'utf8');
    const used = new Set(page.match(/\$[A-Z_]+/g));
    assert.ok(used.size >= 4, [...used].join());
    for (const variable of used) assert.ok(written.includes(`${variable.slice(1)}:`), variable);
  });
});

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
}

/** Returns the names of all fields of a schema, in the notation of the reference page. */
function fieldsOf(node: Node | undefined, prefix = ''): string[] {
  if (node?.items) return fieldsOf(node.items, `${prefix}[].`);
  const properties = node?.properties ?? node?.anyOf?.find((option) => option.properties)?.properties ?? {};
  return Object.entries(properties).flatMap(([name, field]) => [
    `${prefix}${name}`,
    ...fieldsOf(field, `${prefix}${name}${field.items ? '' : '.'}`),
  ]);
}
