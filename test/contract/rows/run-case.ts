import assert from 'node:assert/strict';
import { parseJson, stringifyJson } from '#src/foundation/json.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { apps, tokens } from './fixtures.ts';
import { findResponseError } from './openapi-check.ts';
import {
  type Call,
  type Case,
  type CaseContext,
  DAY,
  type Expect,
  type ExpectedTask,
  type FromContext,
  statuses,
} from './row.ts';

/** The service on which rows run: its URLs, its databases and the tasks that it returned. */
export interface TestService {
  readonly apiUrl: string;
  /** URL of a second process of the same service, if it has one. */
  readonly otherApiUrl?: string;
  readonly imagesUrl: string;
  readonly storage: Storage;
  /** Every task ID that a notify call returned. */
  readonly taskIds: Set<bigint>;
}

export interface CaseResponse {
  readonly status: number;
  readonly code: number;
  readonly data: unknown;
  readonly message: string | null;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends the calls of one case and checks the last response. */
export async function runCase(stage: TestService, { before = [], call, expect }: Case): Promise<void> {
  const tasks: bigint[] = [];
  const responses: unknown[] = [];
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const caseContext: CaseContext = { nowSeconds, tasks, responses, imagesUrl: stage.imagesUrl };
  for (const earlier of before) {
    const response = await send(stage, earlier, caseContext);
    tasks.push(taskIdOf(response) ?? -1n);
    responses.push(response.data);
  }
  const response = await send(stage, call, caseContext);
  await checkResponse(stage, response, expect, caseContext);
}

/** Sends a call. The response must be an envelope that the OpenAPI document describes. */
export async function send(stage: TestService, call: Call, caseContext: CaseContext): Promise<CaseResponse> {
  const { method = 'POST', path, query, app = apps.bells, token = tokens.admin, headers = {}, body } = call;
  const apiUrl = call.onOtherApi ? stage.otherApiUrl : stage.apiUrl;
  const text = call.text ?? (body === undefined ? undefined : stringifyJson(resolve(body, caseContext)));
  const httpResponse = await fetch(`${apiUrl}${path}${query === undefined ? '' : `?${query}`}`, {
    method,
    headers: {
      ...(app !== null && { app_id: app }),
      ...(token !== null && { 'access-token': String(resolve(token, caseContext)) }),
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  });
  const responseText = await httpResponse.text();
  assert.match(String(httpResponse.headers.get('content-type')), /^application\/json\b/);
  const envelope = parseJson(responseText) as Pick<CaseResponse, 'code' | 'data' | 'message'>;
  const response: CaseResponse = {
    ...envelope,
    status: httpResponse.status,
    headers: httpResponse.headers,
    text: responseText,
  };
  checkEnvelope(envelope, responseText);
  assert.equal(
    findResponseError(method, path, response),
    undefined,
    `not documented: ${response.status} ${responseText}`,
  );
  const taskId = /^\/push\/(notify|draft\/approve)$/.test(path) ? taskIdOf(response) : undefined;
  if (taskId !== undefined) stage.taskIds.add(taskId);
  return response;
}

function checkEnvelope(envelope: Pick<CaseResponse, 'code' | 'data' | 'message'>, text: string): void {
  assert.deepEqual(Object.keys(envelope).sort(), ['code', 'data', 'message'], text);
  if (envelope.code === 200) assert.equal(envelope.message, null, text);
  else assert.ok(envelope.data === null && /\w/.test(String(envelope.message)), text);
}

async function checkResponse(
  stage: TestService,
  response: CaseResponse,
  expect: Expect,
  caseContext: CaseContext,
): Promise<void> {
  const { code, status = statuses[code], message, data = {}, dataWithout = [], list, text, headers = {} } = expect;
  assert.deepEqual([response.status, response.code], [status, code], response.text.slice(0, 500));
  if (message) assert.match(String(response.message), message);
  if (text) assert.match(response.text, text);
  const record = response.data as Record<string, unknown>;
  for (const [name, value] of Object.entries(data)) matches(record[name], value, caseContext, name);
  for (const [name, later] of Object.entries(expect.otherData ?? {}))
    assert.notDeepEqual(normalize(record[name]), normalize(later(caseContext)), `${name} must differ`);
  for (const name of dataWithout) assert.ok(!(name in record), `data has ${name}: ${response.text}`);
  if (expect.rows) checkRows((Array.isArray(record) ? record : record.list) as unknown[], expect.rows, caseContext);
  if (list) {
    const taskIds = (response.data as { task_id: unknown }[]).map(({ task_id }) => task_id);
    matches(taskIds, list, caseContext, 'the task IDs');
  }
  for (const [name, pattern] of Object.entries(headers)) {
    if (pattern === null) assert.equal(response.headers.get(name), null);
    else assert.match(String(response.headers.get(name)), pattern, `the header ${name}`);
  }
  if (expect.task) await checkTask(stage, taskIdOf(response) as bigint, expect.task, caseContext);
  if (expect.isNewTask) assert.ok(!caseContext.tasks.includes(taskIdOf(response) as bigint), 'the task is new');
  if (expect.binding) await checkBinding(stage, expect.binding);
  if (expect.tokenDays !== undefined) {
    const days = (Number(record.expire) - Date.now()) / (DAY * 1_000);
    assert.ok(
      Math.abs(days - expect.tokenDays) < 0.01,
      `the token expires in ${days} days if expire is in milliseconds`,
    );
  }
}

function checkRows(actual: readonly unknown[], expected: readonly unknown[], caseContext: CaseContext): void {
  assert.equal(actual.length, expected.length, `there are ${actual.length} rows`);
  for (const [i, wanted] of expected.entries()) {
    if (typeof wanted !== 'object' || wanted === null) matches(actual[i], wanted, caseContext, `row ${i}`);
    else
      for (const [name, value] of Object.entries(wanted))
        matches((actual[i] as Record<string, unknown>)[name], value, caseContext, `${name} of row ${i}`);
  }
}

interface StoredTask {
  readonly message: string;
  readonly audience: string;
  readonly strategy: string;
  readonly sequence: string[];
  readonly author: string;
  readonly groupId: bigint | null;
  readonly dueAt: Date;
  readonly notAfter: Date;
  readonly acceptedAt: Date;
}

async function checkTask(
  { storage }: TestService,
  taskId: bigint,
  expect: ExpectedTask,
  caseContext: CaseContext,
): Promise<void> {
  const [task] = await storage.home.query<StoredTask>(
    `select message, audience, strategy, ospush_sequence as sequence, author, group_id as "groupId",
            due_at as "dueAt", not_after as "notAfter", accepted_at as "acceptedAt"
       from tasks where task_id = $1`,
    [taskId],
  );
  assert.ok(task, 'the task is stored');
  const { message, audience, due, end, ...rest } = expect;
  if (message !== undefined) matches(parseJson(task.message), message, caseContext, 'the stored message');
  if (audience !== undefined) matches(parseJson(task.audience), audience, caseContext, 'the stored audience');
  for (const [name, value] of Object.entries(rest))
    matches(task[name as 'author'], value, caseContext, `the stored ${name}`);
  const secondsOf = (later: FromContext) => Number(later(caseContext)) * 1_000;
  if (due)
    assert.equal(task.dueAt.getTime(), due === 'now' ? task.acceptedAt.getTime() : secondsOf(due), 'the due time');
  const dayLater = task.dueAt.getTime() + DAY * 1_000;
  if (end) assert.equal(task.notAfter.getTime(), end === 'a day later' ? dayLater : secondsOf(end), 'the end time');
}

async function checkBinding(
  { storage }: TestService,
  { token, ...expected }: NonNullable<Expect['binding']>,
): Promise<void> {
  const bindings = await Promise.all(
    storage.shards.all.map((db) =>
      db.query('select channel, environment from bindings where app_id = $1 and token = $2 and ended_at is null', [
        apps.bells,
        token,
      ]),
    ),
  );
  assert.deepEqual(
    bindings.flat().map((binding) => ({ ...binding })),
    [expected],
  );
}

function matches(actual: unknown, expected: unknown, caseContext: CaseContext, what: string): void {
  if (expected instanceof RegExp) assert.match(String(actual), expected, what);
  else assert.deepEqual(normalize(actual), normalize(resolve(expected, caseContext)), what);
}

export function taskIdOf({ data }: CaseResponse): bigint | undefined {
  const taskId = (data as { task_id?: number | bigint | null } | null)?.task_id;
  return taskId === undefined || taskId === null ? undefined : BigInt(taskId);
}

/** Replaces every `FromContext` with its value. */
function resolve(value: unknown, caseContext: CaseContext): unknown {
  if (typeof value === 'function') return (value as FromContext)(caseContext);
  return mapInside(value, (inner) => resolve(inner, caseContext));
}

/** Converts integers to bigints, so that a number and a bigint of the same value are equal. */
function normalize(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  return mapInside(value, normalize);
}

function mapInside(value: unknown, change: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner)]));
}
