import { operations } from '#src/contract/operations.ts';
import { apps, tokens, una, users } from './fixtures.ts';
import { good, NOTIFY, notify, stored, storedMessage, withMessage } from './push-notify.ts';
import { type Call, type Expect, inSeconds, ok, type Row, refused } from './row.ts';

/**
 * Rows about rules that apply to every request before an operation handles it, and about apps with `http_errors:
 * always200`.
 */

const rule = (path: string, sentence: string, expect: Expect, ...calls: readonly Call[]): Row => ({
  rule: sentence,
  path,
  kind: 'rule',
  cases: calls.map((call) => ({ call, expect })),
});

const text = (body: string, headers: Record<string, string> = {}): Call => ({ path: NOTIFY, text: body, headers });
const typed = (type: string) =>
  text(JSON.stringify({ audience: 'all', message: { body: 'b' } }), { 'content-type': type });

const pathRows: readonly Row[] = [
  rule(
    '',
    'an unknown path returns an error envelope: 10006, 404',
    refused(10006),
    { path: '/push/notice', body: {} },
    { path: '/nowhere', method: 'GET' },
    { path: '/push', method: 'GET' },
  ),
  rule(
    '',
    'a path must match exactly: 10006, 404',
    refused(10006),
    { path: '/push/notify/', body: good },
    { path: '/Push/notify', body: good },
    { path: '//push/notify', body: good },
  ),
  rule('', 'a path that cannot be decoded is unknown: 10006, 404', refused(10006), { path: '/push/%zz', body: good }),
  rule(
    '',
    'an unknown path is reported before any other error: 10006, 404',
    refused(10006),
    { path: '/nowhere', app: null, token: null, body: {} },
    { path: '/nowhere', text: '{' },
  ),
  ...operations.map(({ path, method }) =>
    rule(
      path,
      `${path} accepts only ${method} and returns it in the Allow header: 10006, 405`,
      {
        ...refused(10006, new RegExp(`${method} ${path}`)),
        status: 405,
        headers: { allow: new RegExp(`^${method}$`) },
      },
      ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
        .filter((other) => other !== method)
        .map((other) => ({ path, method: other })),
    ),
  ),
  rule(
    NOTIFY,
    'a query is ignored if the operation has no query parameters',
    ok,
    notify(good, { query: 'audience=all' }),
  ),
];

const unsupported: Expect = { ...refused(10002, /application\/json/), status: 415 };

const contentRows: readonly Row[] = [
  rule(
    `${NOTIFY} body`,
    'content type: application/json is accepted with or without a charset, regardless of case',
    ok,
    typed('application/json'),
    typed('application/json; charset=utf-8'),
    typed('application/json;charset=UTF-8'),
    typed('Application/JSON'),
  ),
  rule(
    `${NOTIFY} body`,
    'content type: other types are rejected: 10002, 415',
    unsupported,
    typed('text/plain'),
    typed('text/json'),
    typed('application/x-www-form-urlencoded'),
    typed('multipart/form-data; boundary=x'),
    typed('application/xml'),
    typed('application/jsonx'),
    typed('application/vnd.api+json'),
  ),
  rule(
    `${NOTIFY} body`,
    'content type: a missing or malformed type is rejected: 10002, 415',
    unsupported,
    typed(''),
    typed('json'),
    typed(';'),
  ),
  rule(
    `${NOTIFY} body`,
    'malformed JSON is rejected: 10002',
    refused(10002, /not JSON/),
    ...[
      '{',
      '{"audience":',
      '{audience:"all"}',
      "{'audience':'all'}",
      '{"audience":"all",}',
      '{} {}',
      'all',
      '{"a":01}',
      '{"a":NaN}',
    ].map((body) => text(body)),
  ),
  rule(
    `${NOTIFY} body`,
    'an empty body is rejected: 10002',
    refused(10002),
    text(''),
    text(' '),
    { path: NOTIFY },
    { path: '/token/id' },
  ),
  rule(
    `${NOTIFY} body`,
    'an empty object is rejected: 10002',
    refused(10002),
    text('{}'),
    { path: '/token/user', text: '{}' },
    { path: '/push/task/detail', text: '{}' },
  ),
  rule(
    `${NOTIFY} body`,
    'a key that would change the prototype is rejected at any depth: 10002',
    refused(10002),
    text('{"audience":"all","message":{"body":"b"},"__proto__":{}}'),
    text('{"audience":{"__proto__":[1]},"message":{"body":"b"}}'),
    text('{"audience":"all","message":{"body":"b","ios":{"__proto__":1}}}'),
    { path: '/token/user', text: '{"name":"ann","password":"x","__proto__":{}}' },
  ),
  rule(
    `${NOTIFY} body`,
    'the last of two fields with the same name is used',
    stored({ message: storedMessage }),
    text('{"audience":"nobody","audience":"all","message":{"title":"Title","body":"hello"}}'),
  ),
  rule(`${NOTIFY} body`, 'a body of 256 KB is accepted', ok, text(bodyOf(256 * 1_024))),
  rule(
    `${NOTIFY} body`,
    'a body of 256 KB and one byte is rejected: 12009',
    refused(12009),
    text(bodyOf(256 * 1_024 + 1)),
    { path: '/push/validate', text: bodyOf(256 * 1_024 + 1) },
  ),
  rule(
    'a body',
    'a body of 16 KB and one byte is rejected by operations without messages or certificates: 12009',
    refused(12009),
    { path: '/token/user', text: bodyOf(16 * 1_024 + 1) },
    { path: '/push/task/detail', text: bodyOf(16 * 1_024 + 1) },
  ),
  rule(
    `${NOTIFY} body`,
    'a body with 4,096 values is accepted',
    ok,
    text(`{"audience":"all","message":{"body":"b"},"filling":[${'1,'.repeat(4_091 - 1)}1]}`),
  ),
  rule(
    `${NOTIFY} body`,
    'a body with 4,097 values is rejected: 12009',
    refused(12009),
    text(`{"audience":"all","message":{"body":"b"},"filling":[${'1,'.repeat(4_091)}1]}`),
  ),
  rule(`${NOTIFY} body`, 'a missing token is reported even if the body is malformed: 10003', refused(10003), {
    ...text('{'),
    token: null,
  }),
  rule(
    `${NOTIFY} body`,
    'a body is measured in bytes, not in characters: 12009',
    refused(12009),
    text(bodyOf(256 * 1_024 - 10, 11)),
  ),
  rule(
    `${NOTIFY} body`,
    'unknown fields of a body are ignored',
    stored({ message: storedMessage }),
    notify({ ...good, colour: 'red', user_id: 8, setting: {} }),
  ),
  rule(
    `${NOTIFY} header`,
    'headers of more than 8 KB return an error envelope: 10002',
    refused(10002),
    notify(good, { headers: { 'x-long': 'x'.repeat(9_000) } }),
  ),
];

/**
 * Returns a valid body with the given number of characters, padded in an unknown field. `ofTwoBytes` of the characters
 * are two bytes long.
 */
function bodyOf(characters: number, ofTwoBytes = 0): string {
  const [head, tail] = ['{"audience":"all","message":{"body":"b"},"filling":"', `${'é'.repeat(ofTwoBytes)}"}`];
  return head + 'x'.repeat(characters - head.length - tail.length) + tail;
}

const quiet = { app: apps.always200, token: tokens.always200Admin };
const still = (code: number): Expect => ({ ...refused(code), status: 200 });
const quietly = (sentence: string, code: number, ...calls: readonly Call[]): Row =>
  rule(
    NOTIFY,
    `always200: ${sentence}: ${code} with status 200`,
    still(code),
    ...calls.map((call) => ({ ...quiet, ...call })),
  );
const { message } = good;

const always200Rows: readonly Row[] = [
  rule(NOTIFY, 'always200: a successful response does not change', ok, { path: NOTIFY, body: good, ...quiet }),
  quietly('a bad parameter', 10002, { path: NOTIFY, body: { message } }),
  quietly('a wrong content type', 10002, { ...typed('text/plain'), ...quiet }),
  quietly('malformed JSON', 10002, text('{')),
  quietly('a missing token', 10003, { path: NOTIFY, body: good, token: null }),
  quietly('an invalid token', 10008, { path: NOTIFY, body: good, token: tokens.admin }),
  quietly('no permission', 10010, { path: NOTIFY, body: { audience: 'all', message }, token: tokens.always200User }),
  quietly('an unknown user', 10000, { path: NOTIFY, body: good, headers: { user_id: '999' } }),
  quietly('an unknown group', 20001, { path: NOTIFY, body: good, headers: { group_id: '999' } }),
  quietly('a list that is too long', 12005, { path: '/push/task/detail', body: { list: new Array(501).fill(1) } }),
  quietly('a body that is too large', 12009, text(bodyOf(256 * 1_024 + 1))),
  quietly('an invalid time window', 12010, {
    path: NOTIFY,
    body: { ...good, message: { ...message, show_end_time: inSeconds(-1) } },
  }),
  quietly('missing credentials', 12007, { method: 'GET', path: '/push/certificate', query: 'provider=1' }),
  quietly('a missing device', 12008, { path: '/device/bind', body: { provider: 1, token: 't' } }),
  quietly('a rejected login', 10013, { path: '/token/user', body: { name: una.name, password: 'wrong' } }),
  rule(NOTIFY, 'always200: an unknown app returns the real status', refused(40000), {
    path: NOTIFY,
    app: 'nowhere',
    body: good,
  }),
  rule(NOTIFY, 'always200 applies only to the app that sets it', refused(10003), notify(good, { token: null })),
];

const numberRows: readonly Row[] = [
  rule(
    `${NOTIFY} body.audience.user_id[]`,
    'int64: a number with a zero fraction is accepted as an integer',
    stored({ audience: { kind: 'user_id', userIds: [7, 100] } }),
    text('{"audience":{"user_id":[7.0,1e2]},"message":{"body":"b"}}'),
  ),
  rule(
    `${NOTIFY} body.audience.user_id[]`,
    'int64: a number beyond 2^53 with a fraction is rejected, not rounded: 10002',
    refused(10002, /int64/),
    text('{"audience":{"user_id":[9007199254740993.0]},"message":{"body":"b"}}'),
  ),
  rule(
    `${NOTIFY} body.audience.user_id[]`,
    'int64: long numbers inside strings have no effect',
    stored({ audience: { kind: 'user_id', userIds: [users.ann.userId] } }),
    withMessage({ body: '9007199254740993', title: '"id":9007199254740993' }),
  ),
];

export const requestGroup: readonly Row[] = [...pathRows, ...contentRows, ...numberRows, ...always200Rows];
