import assert from 'node:assert/strict';
import { parseJson, stringifyJson } from '#src/foundation/json.ts';
import type { Truth } from '#src/storage/database/database.ts';
import { apps, tokens } from './fixtures.ts';
import { faultOfAnswer } from './openapi-check.ts';
import { type Call, DAY, type Expect, type ExpectedTask, type Later, type Moment, statuses, type Try } from './row.ts';

/** Where rows are played: a service, its databases, and what it answered. */
export interface Stage {
  readonly apiUrl: string;
  /** A second process of the same service, where there is one. */
  readonly otherApiUrl?: string;
  readonly imagesUrl: string;
  readonly truth: Truth;
  /** Every task that a notify call was answered with. */
  readonly taskIds: Set<bigint>;
}

export interface Answer {
  readonly status: number;
  readonly code: number;
  readonly data: unknown;
  readonly message: string | null;
  readonly headers: Headers;
  readonly text: string;
}

/** Plays the calls of one try of a row, and holds the last answer to what is expected. */
export async function play(stage: Stage, { before = [], call, expect }: Try): Promise<void> {
  const tasks: bigint[] = [];
  const answers: unknown[] = [];
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const moment: Moment = { nowSeconds, tasks, answers, imagesUrl: stage.imagesUrl };
  for (const earlier of before) {
    const answer = await send(stage, earlier, moment);
    tasks.push(taskIdOf(answer) ?? -1n);
    answers.push(answer.data);
  }
  const answer = await send(stage, call, moment);
  await checkAnswer(stage, answer, expect, moment);
}

/** Sends a call. Whatever comes back must be an envelope, and one that the document knows. */
export async function send(stage: Stage, call: Call, moment: Moment): Promise<Answer> {
  const { method = 'POST', path, query, app = apps.bells, token = tokens.admin, headers = {}, body } = call;
  const apiUrl = call.elsewhere ? stage.otherApiUrl : stage.apiUrl;
  const text = call.text ?? (body === undefined ? undefined : stringifyJson(resolve(body, moment)));
  const response = await fetch(`${apiUrl}${path}${query === undefined ? '' : `?${query}`}`, {
    method,
    headers: {
      ...(app !== null && { app_id: app }),
      ...(token !== null && { 'access-token': String(resolve(token, moment)) }),
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  });
  const answered = await response.text();
  assert.match(String(response.headers.get('content-type')), /^application\/json\b/);
  const envelope = parseJson(answered) as Pick<Answer, 'code' | 'data' | 'message'>;
  const answer: Answer = { ...envelope, status: response.status, headers: response.headers, text: answered };
  checkEnvelope(envelope, answered);
  assert.equal(faultOfAnswer(method, path, answer), undefined, `not in the document: ${answer.status} ${answered}`);
  const taskId = path === '/push/notify' ? taskIdOf(answer) : undefined;
  if (taskId !== undefined) stage.taskIds.add(taskId);
  return answer;
}

function checkEnvelope(envelope: Pick<Answer, 'code' | 'data' | 'message'>, text: string): void {
  assert.deepEqual(Object.keys(envelope).sort(), ['code', 'data', 'message'], text);
  if (envelope.code === 200) assert.equal(envelope.message, null, text);
  else assert.ok(envelope.data === null && /\w/.test(String(envelope.message)), text);
}

async function checkAnswer(stage: Stage, answer: Answer, expect: Expect, moment: Moment): Promise<void> {
  const { code, status = statuses[code], message, data = {}, dataWithout = [], list, text, headers = {} } = expect;
  assert.deepEqual([answer.status, answer.code], [status, code], answer.text.slice(0, 500));
  if (message) assert.match(String(answer.message), message);
  if (text) assert.match(answer.text, text);
  const record = answer.data as Record<string, unknown>;
  for (const [name, value] of Object.entries(data)) matches(record[name], value, moment, name);
  for (const [name, later] of Object.entries(expect.otherData ?? {}))
    assert.notDeepEqual(normal(record[name]), normal(later(moment)), `${name} is another`);
  for (const name of dataWithout) assert.ok(!(name in record), `data has ${name}: ${answer.text}`);
  if (expect.rows) checkRows((Array.isArray(record) ? record : record.list) as unknown[], expect.rows, moment);
  if (list) {
    const taskIds = (answer.data as { task_id: unknown }[]).map(({ task_id }) => task_id);
    matches(taskIds, list, moment, 'the task ids');
  }
  for (const [name, pattern] of Object.entries(headers)) {
    if (pattern === null) assert.equal(answer.headers.get(name), null);
    else assert.match(String(answer.headers.get(name)), pattern, `the header ${name}`);
  }
  if (expect.task) await checkTask(stage, taskIdOf(answer) as bigint, expect.task, moment);
  if (expect.isNewTask) assert.ok(!moment.tasks.includes(taskIdOf(answer) as bigint), 'it is a new task');
  if (expect.binding) await checkBinding(stage, expect.binding);
  if (expect.tokenDays !== undefined) {
    const days = (Number(record.expire) - Date.now()) / (DAY * 1_000);
    assert.ok(Math.abs(days - expect.tokenDays) < 0.01, `the token expires in ${days} days, told in milliseconds`);
  }
}

function checkRows(found: readonly unknown[], expected: readonly unknown[], moment: Moment): void {
  assert.equal(found.length, expected.length, `there are ${found.length} rows`);
  for (const [i, wanted] of expected.entries()) {
    if (typeof wanted !== 'object' || wanted === null) matches(found[i], wanted, moment, `row ${i}`);
    else
      for (const [name, value] of Object.entries(wanted))
        matches((found[i] as Record<string, unknown>)[name], value, moment, `${name} of row ${i}`);
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

async function checkTask({ truth }: Stage, taskId: bigint, expect: ExpectedTask, moment: Moment): Promise<void> {
  const [task] = await truth.home.query<StoredTask>(
    `select message, audience, strategy, ospush_sequence as sequence, author, group_id as "groupId",
            due_at as "dueAt", not_after as "notAfter", accepted_at as "acceptedAt"
       from tasks where task_id = $1`,
    [taskId],
  );
  assert.ok(task, 'the task is stored');
  const { message, audience, due, end, ...rest } = expect;
  if (message !== undefined) matches(parseJson(task.message), message, moment, 'the stored message');
  if (audience !== undefined) matches(parseJson(task.audience), audience, moment, 'the stored audience');
  for (const [name, value] of Object.entries(rest))
    matches(task[name as 'author'], value, moment, `the stored ${name}`);
  const secondsOf = (later: Later) => Number(later(moment)) * 1_000;
  if (due)
    assert.equal(task.dueAt.getTime(), due === 'now' ? task.acceptedAt.getTime() : secondsOf(due), 'when it is due');
  const dayLater = task.dueAt.getTime() + DAY * 1_000;
  if (end) assert.equal(task.notAfter.getTime(), end === 'a day later' ? dayLater : secondsOf(end), 'when it ends');
}

async function checkBinding({ truth }: Stage, { token, ...expected }: NonNullable<Expect['binding']>): Promise<void> {
  const found = await Promise.all(
    truth.shards.all.map((db) =>
      db.query('select channel, environment from bindings where app_id = $1 and token = $2 and ended_at is null', [
        apps.bells,
        token,
      ]),
    ),
  );
  assert.deepEqual(
    found.flat().map((binding) => ({ ...binding })),
    [expected],
  );
}

function matches(found: unknown, expected: unknown, moment: Moment, what: string): void {
  if (expected instanceof RegExp) assert.match(String(found), expected, what);
  else assert.deepEqual(normal(found), normal(resolve(expected, moment)), what);
}

export function taskIdOf({ data }: Answer): bigint | undefined {
  const taskId = (data as { task_id?: number | bigint } | null)?.task_id;
  return taskId === undefined ? undefined : BigInt(taskId);
}

/** Puts what is known by now in the place of every `Later`. */
function resolve(value: unknown, moment: Moment): unknown {
  if (typeof value === 'function') return (value as Later)(moment);
  return mapInside(value, (inner) => resolve(inner, moment));
}

/** Numbers and bigints that mean the same become the same. */
function normal(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  return mapInside(value, normal);
}

function mapInside(value: unknown, change: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner)]));
}
