import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { parseJson, stringifyJson } from '#src/foundation/json.ts';
import { randomText, withChecksum } from '#src/foundation/random-text.ts';
import { seedAdminToken, seedApp } from '../../scripts/dev/seed.ts';
import { keyringsOf, newMasterKeys } from '../../scripts/stack/master-keys.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../support/carillon.ts';

let carillon: Carillon;
let ann: TestUser;
let annsLogin: Login;
/** An admin token of another app, and an admin token of this app with only the `push` scope. */
let foreignToken: string;
let pushOnlyToken: string;
let expiredToken: string;

before(async () => {
  carillon = await startCarillon({ gateways: 0, workers: 0 });
  const { home } = carillon.storage;
  ann = await carillon.createUser('ann');
  annsLogin = await carillon.logIn(ann, 'anns-phone');
  await seedApp(home, keyringsOf(newMasterKeys('test')), 'other-app');
  foreignToken = await seedAdminToken(home, 'other-app');
  expiredToken = await seedAdminToken(home, carillon.appId);
  const hash = createHash('sha256').update(expiredToken).digest();
  await home.query(`update admin_tokens set expires_at = now() - interval '1 s' where token_hash = $1`, [hash]);
  pushOnlyToken = await seedAdminToken(home, carillon.appId, ['push']);
});
after(() => carillon[Symbol.asyncDispose]());

interface Call {
  readonly method?: string;
  readonly path?: string;
  /** Headers that replace those of a valid call; `null` omits a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** An object is encoded as JSON; a bigint keeps every digit. */
  readonly body?: unknown;
}

interface Envelope {
  readonly status: number;
  readonly code: number;
  readonly data: unknown;
  readonly message: string | null;
  readonly headers: Headers;
}

/** Sends a notify call with the admin token and the given changes. The response must be an envelope. */
async function call({ method = 'POST', path = '/push/notify', headers = {}, body = good() }: Call): Promise<Envelope> {
  const all = {
    app_id: carillon.appId,
    'access-token': carillon.adminToken,
    'content-type': 'application/json',
    ...headers,
  };
  const response = await fetch(`${carillon.apis[0]?.apiUrl}${path}`, {
    method,
    headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
    ...(method !== 'GET' && { body: typeof body === 'string' ? body : stringifyJson(body) }),
  });
  assert.match(String(response.headers.get('content-type')), /^application\/json/);
  const envelope = parseJson(await response.text()) as Envelope;
  assert.deepEqual(Object.keys(envelope).sort(), ['code', 'data', 'message']);
  return { ...envelope, status: response.status, headers: response.headers };
}

const good = () => ({ audience: { user_id: [ann.userId] }, message: { body: 'hello' } });
const as = (token: string) => ({ headers: { 'access-token': token } });
const withMessage = (message: unknown): Call => ({ body: { ...good(), message } });
const withAudience = (audience: unknown): Call => ({ body: { ...good(), audience } });
const withSetting = (setting: unknown): Call => ({ body: { ...good(), setting } });

/** Changes the last character, so that the checksum is wrong. */
const misspelt = (token: string) => token.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
const ids = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
const DAY = 86_400;

/** Name of the case, call, HTTP status, error code, and expected pattern of the message. */
type Refusal = readonly [what: string, make: () => Call, status: number, code: number, says?: RegExp];

const callers: readonly Refusal[] = [
  ['no app_id', () => ({ headers: { app_id: null } }), 400, 10002, /app_id.*underscores_in_headers/],
  ['an empty app_id', () => ({ headers: { app_id: '' } }), 400, 10002, /app_id/],
  ['an unknown app', () => ({ headers: { app_id: 'nobody' } }), 404, 40000],
  ['no token', () => ({ headers: { 'access-token': null } }), 401, 10003],
  ['an empty token', () => as(''), 401, 10003],
  ['a misspelt token', () => as(misspelt(carillon.adminToken)), 401, 10008],
  ['half a token', () => as(carillon.adminToken.slice(0, 20)), 401, 10008],
  ['an admin token that was never issued', () => as(withChecksum(`ca_${randomText(256)}`)), 401, 10008],
  ['a user token that was never issued', () => as(withChecksum(`cu_${randomText(256)}`)), 401, 10008],
  ['a push token', () => as(annsLogin.push_token), 401, 10008],
  ['a token of another app', () => as(foreignToken), 401, 10008],
  [
    'a user token with the app_id of another app',
    () => ({ headers: { 'access-token': annsLogin.token, app_id: 'other-app' } }),
    401,
    10008,
  ],
  ['an expired token', () => as(expiredToken), 401, 402],
  [
    'a user who notifies another user',
    () => ({ ...as(annsLogin.token), ...withAudience({ user_id: [1] }) }),
    403,
    10010,
  ],
  [
    'a user who notifies themself and another user',
    () => ({ ...as(annsLogin.token), ...withAudience({ user_id: [ann.userId, 1] }) }),
    403,
    10010,
  ],
  [
    'a user who sends the user_id of another user',
    () => ({ headers: { 'access-token': annsLogin.token, user_id: '1' } }),
    403,
    10010,
  ],
];

const requests: readonly Refusal[] = [
  ['an unknown path', () => ({ path: '/push/notice' }), 404, 10006],
  [
    'an unknown path without an app_id',
    () => ({ path: '/nowhere', method: 'GET', headers: { app_id: null } }),
    404,
    10006,
  ],
  ['a path with a trailing slash', () => ({ path: '/push/notify/' }), 404, 10006],
  ['another method', () => ({ method: 'GET' }), 405, 10006, /POST \/push\/notify/],
  ['another method with a body', () => ({ method: 'PUT' }), 405, 10006, /POST \/push\/notify/],
  ['another method for a GET operation', () => ({ path: '/push/certificate?provider=1' }), 405, 10006, /GET/],
  [
    'a body with the content type text/plain',
    () => ({ headers: { 'content-type': 'text/plain' } }),
    415,
    10002,
    /application\/json/,
  ],
  ['a form', () => ({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1' }), 415, 10002],
  ['broken JSON', () => ({ body: '{"audience":' }), 400, 10002, /not JSON/],
  ['no body', () => ({ body: '' }), 400, 10002],
  ['a list as body', () => ({ body: [good()] }), 400, 10002, /object/],
  ['null as body', () => ({ body: 'null' }), 400, 10002, /object/],
  ['a string as body', () => ({ body: '"hello"' }), 400, 10002, /object/],
  ['a number as body', () => ({ body: '1' }), 400, 10002, /object/],
  ['a key that would change the prototype', () => withMessage({ body: 'b', ext: { ['__proto__']: 1 } }), 400, 10002],
  ['a body of more than 256 KB', () => withMessage({ body: 'x'.repeat(256 * 1024) }), 413, 12009],
];

const audiences: readonly Refusal[] = [
  ['no audience', () => ({ body: { message: { body: 'b' } } }), 400, 10002, /audience/],
  ['a blank audience', () => withAudience({}), 400, 10002, /audience/],
  ['an audience of blank lists', () => withAudience({ user_id: [], push_token: [] }), 400, 10002, /audience/],
  ['two kinds of audience', () => withAudience({ user_id: [1], push_token: ['x'] }), 400, 10002, /exactly one/],
  ['an unknown kind of audience', () => withAudience({ people: [1] }), 400, 10002],
  ['an unknown string', () => withAudience('everyone'), 400, 10002],
  ['501 users', () => withAudience({ user_id: ids(501) }), 400, 12005, /audience\.user_id has more than 500/],
  ['the same user 501 times', () => withAudience({ user_id: ids(501).fill(1) }), 400, 12005],
  ['501 push tokens', () => withAudience({ push_token: ids(501).map(String) }), 400, 12005, /audience\.push_token/],
  ['a blank push token', () => withAudience({ push_token: ['x', ' '] }), 400, 10002],
  ['a user id that is a string', () => withAudience({ user_id: ['1'] }), 400, 10002, /int64/],
  ['a user id with a fraction', () => withAudience({ user_id: [1.5] }), 400, 10002, /int64/],
  ['a user id beyond int64', () => withAudience({ user_id: [9_223_372_036_854_775_808n] }), 400, 10002, /int64/],
  ['an unknown strategy', () => withSetting({ distribution_strategy: 'both' }), 400, 10002],
  ['honor as an item of the sequence', () => withSetting({ ospush_sequence: ['honor'] }), 400, 10002],
];

const androids = ['android', 'huawei', 'xiaomi', 'oppo', 'vivo', 'flyme', 'fcm', 'honor'];

const messages: readonly Refusal[] = [
  ['no message', () => ({ body: { audience: { user_id: [1] } } }), 400, 10002, /message/],
  ['an empty message', () => withMessage({}), 400, 10002, /message/],
  ['null as message', () => withMessage(null), 400, 10002, /message/],
  [
    'a message with only blank fields',
    () => withMessage({ title: '', body: ' ', ext: {}, ios: { sound: null } }),
    400,
    10002,
    /message/,
  ],
  ['a string as message', () => withMessage('hello'), 400, 10002, /message/],
  ['an unknown type', () => withMessage({ type: 'video', body: 'b' }), 400, 10002, /type/],
  ...['x', '-1', '+', '+-1', '1.5', '1 ', '0x1', '1234567890', 7].map(
    (badge): Refusal => [
      `badge ${JSON.stringify(badge)}`,
      () => withMessage({ body: 'b', badge }),
      400,
      10002,
      /badge/,
    ],
  ),
  ...androids.map(
    (name): Refusal => [
      `${name} with click_action intent and a blank intent`,
      () => withMessage({ body: 'b', [name]: { click_action: 'intent', intent: ' ' } }),
      400,
      10002,
      new RegExp(`${name}\\.intent`),
    ],
  ),
  ['an unknown click action', () => withMessage({ body: 'b', android: { click_action: 'call' } }), 400, 10002],
  ['a title of 257 characters', () => withMessage({ title: 'x'.repeat(257) }), 413, 12009, /title/],
  ['a body of 4,097 characters', () => withMessage({ body: 'x'.repeat(4_097) }), 413, 12009, /body/],
  [
    'a collapse id of 66 bytes',
    () => withMessage({ body: 'b', ios: { apns_collapse_id: 'é'.repeat(33) } }),
    413,
    12009,
  ],
  [
    'an image URL with another extension',
    () => withMessage({ type: 'image', attachment_url: 'https://x.test/a.gif' }),
    400,
    10002,
    /png/,
  ],
  ['an end time in the past', () => withMessage({ body: 'b', show_end_time: inSeconds(-60) }), 400, 12010],
  [
    'an end time before the begin time',
    () => withMessage({ body: 'b', show_begin_time: inSeconds(200), show_end_time: inSeconds(100) }),
    400,
    12010,
  ],
  ['a begin time in 31 days', () => withMessage({ body: 'b', show_begin_time: inSeconds(31 * DAY) }), 400, 12010],
];

describe('error envelopes with a code, a message and no data', () => {
  for (const [what, make, status, code, says] of [...callers, ...requests, ...audiences, ...messages]) {
    test(`${what}: ${status}, ${code}`, async () => {
      const answer = await call(make());
      assert.deepEqual([answer.status, answer.code, answer.data], [status, code, null], String(answer.message));
      assert.match(String(answer.message), says ?? /\w/);
    });
  }

  test('no task is stored for any of these requests', async () => {
    assert.deepEqual(await carillon.storage.home.query('select from tasks'), []);
  });
});

const storedTask = async (taskId: unknown) => {
  const [task] = await carillon.storage.home.query<{
    message: string;
    author: string;
    strategy: string;
    sequence: string[];
  }>('select message, author, strategy, ospush_sequence as sequence from tasks where task_id = $1', [taskId]);
  assert.ok(task, 'the task is stored');
  return task;
};

/** Sends a call that must be accepted, and returns the stored task. */
async function accepted(make: Call) {
  const answer = await call(make);
  assert.deepEqual([answer.status, answer.code, answer.message], [200, 200, null]);
  const { task_id: taskId } = answer.data as { task_id: number };
  return { taskId, ...(await storedTask(taskId)) };
}

describe('accepted notifications', () => {
  test('are stored without blank fields and with the defaults of the spec', async () => {
    const blank = {
      title: '',
      big_text: '  ',
      type: null,
      badge: '',
      attachment_url: null,
      show_end_time: null,
      ext: {},
    };
    const message = {
      ...blank,
      body: ' kept ',
      ios: { sound: '', category: 'c' },
      android: { intent: ' ' },
      vivo: null,
    };
    const task = await accepted({
      body: { ...good(), message, setting: { distribution_strategy: ' ', ospush_sequence: [] } },
    });
    assert.deepEqual(JSON.parse(task.message), { body: ' kept ', ios: { category: 'c' }, type: 'text', badge: '+1' });
    assert.deepEqual([task.strategy, task.sequence, task.author], ['combined', ['ups', 'fcm'], 'admin']);
  });

  test('are stored with every field and every digit', async () => {
    const message = {
      type: 'image',
      title: 'T',
      attachment_url: 'https://10.0.0.1/A.JPEG?size=1',
      badge: '+20',
      ext: { id: 9_223_372_036_854_775_807n, blank: ['', null, {}], f: 0.1 },
      show_end_time: BigInt(inSeconds(DAY)),
      ios: { content_available: false },
      vivo: {
        push_mode: 1,
        classification: 0,
        click_action: 'intent',
        intent: 'intent:#Intent;component=com.x/com.x.Page;end',
      },
    };
    const setting = { distribution_strategy: 'ospush_only', ospush_sequence: ['fcm', 'meizu'] };
    const task = await accepted({ body: { ...good(), message, setting } });
    const stored = parseJson(task.message) as typeof message;
    assert.deepEqual({ ...stored, show_end_time: BigInt(stored.show_end_time) }, message);
    assert.deepEqual([task.strategy, task.sequence], ['ospush_only', ['fcm', 'meizu']]);
  });

  const fine: readonly (readonly [string, () => Call])[] = [
    ['with a charset in the content type', () => ({ headers: { 'content-type': 'application/json; charset=utf-8' } })],
    ['for 500 users', () => withAudience({ user_id: ids(500) })],
    ['for the largest user id', () => withAudience({ user_id: [9_223_372_036_854_775_807n] })],
    ['with other audience keys that are blank', () => withAudience({ user_id: [1], tag: [], alias: null })],
    ['from a user to themself', () => as(annsLogin.token)],
    [
      'from a user who sends their own user_id',
      () => ({ headers: { 'access-token': annsLogin.token, user_id: String(ann.userId) } }),
    ],
    ['from an admin token with only the scope push', () => as(pushOnlyToken)],
    ['with unknown fields', () => ({ body: { ...good(), note: 1, setting: { note: 1 } } })],
    [
      'that opens a page',
      () =>
        withMessage({
          body: 'b',
          fcm: { click_action: 'intent', intent: 'intent:#Intent;component=com.x/com.x.Page;end' },
        }),
    ],
    ['with a badge of zero', () => withMessage({ badge: '0' })],
  ];
  for (const [what, make] of fine) {
    test(what, async () => {
      await accepted(make());
    });
  }

  test('are stored once per request_id and author', async () => {
    const body = { ...good(), setting: { request_id: 'r-1' } };
    const first = await call({ body });
    const again = await call({ body });
    const other = await call({ body: { ...body, message: { body: 'something else' } } });
    assert.deepEqual([again.data, other.data], [first.data, first.data]);
    const requestHeaders = [first, again, other].map(({ headers }) => headers.get('carillon-request'));
    assert.deepEqual(requestHeaders, [null, 'repeated', 'repeated; other-body']);
    const users = await call({ body, ...as(annsLogin.token) });
    assert.notDeepEqual(users.data, first.data);
  });
});
