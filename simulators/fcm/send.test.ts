import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HttpsClient } from '../kit/test-client.ts';
import { type FcmSimulator, startFcmSimulator } from './simulator.ts';
import { authorizationHeaders, openConnection, post, type Result } from './test-client.ts';

const SLOW_MS = 300;
const PATH = '/v1/projects/carillon-demo/messages:send';
let simulator: FcmSimulator;
let connection: Awaited<ReturnType<typeof openConnection>>;
let headers: Record<string, string>;

before(async () => {
  simulator = await startFcmSimulator({ slowMs: SLOW_MS });
  connection = await openConnection(simulator.sendUrl, simulator.caPem);
  headers = await authorizationHeaders(simulator);
});
after(async () => {
  await connection[Symbol.asyncDispose]();
  await simulator.stop();
});

const sendRaw = (body: string, change: { path?: string; method?: string; headers?: object } = {}): Promise<Result> =>
  post(connection, { path: PATH, body, ...change, headers: { ...headers, ...change.headers } });
const send = (message: object, more: object = {}) => sendRaw(JSON.stringify({ message, ...more }));

type Detail = { '@type': string; errorCode?: string; reason?: string; fieldViolations?: { field: string }[] };

/** Returns the HTTP status, Google's code, FCM's code or undefined, and the field or undefined. */
function statusAndError({ status, json }: Result) {
  const { error } = json;
  assert.equal(error.code, status);
  const details: Detail[] = error.details ?? [];
  const find = (name: string) => details.find((detail) => detail['@type'].endsWith(`.${name}`));
  return [status, error.status, find('FcmError')?.errorCode, find('BadRequest')?.fieldViolations?.[0]?.field];
}

const ttl = (text: unknown) => ({ token: 'live-1', android: { ttl: text } });
const data = (bytes: number) => ({ data: { key: 'x'.repeat(bytes - 3) } });

describe('requests that both Google and the FCM simulator reject', () => {
  const bad: readonly (readonly [string, object, string | undefined, string | undefined])[] = [
    ['no target', { data: {} }, 'INVALID_ARGUMENT', 'message'],
    ['two targets', { token: 'live-1', topic: 'news' }, 'INVALID_ARGUMENT', undefined],
    ['a target in both token and fid', { token: 'live-1', fid: 'live-2' }, 'INVALID_ARGUMENT', undefined],
    ['a target that is a number', { token: 7 }, undefined, 'message.token'],
    ['a topic with a path', { topic: '/topics/news' }, 'INVALID_ARGUMENT', 'message.topic'],
    ['a number in data', { token: 'live-1', data: { a: 'x', b: 7 } }, undefined, 'message.data[1].value'],
    ['an object in data', { token: 'live-1', data: { ext: {} } }, undefined, 'message.data[0].value'],
    ['data that is a list', { token: 'live-1', data: ['x'] }, undefined, 'message.data'],
    ['an unknown field', { token: 'live-1', priority: 'high' }, undefined, 'message'],
    [
      'an unknown nested field',
      { token: 'live-1', android: { notification: { sund: 'x' } } },
      undefined,
      'message.android.notification',
    ],
    [
      'a field in both snake_case and camelCase',
      { token: 'live-1', fcmOptions: {}, fcm_options: {} },
      undefined,
      'message',
    ],
    [
      'a field with the name of a built-in object property',
      { token: 'live-1', constructor: 'x' },
      undefined,
      'message',
    ],
    [
      'a lower-case priority',
      { token: 'live-1', android: { priority: 'high' } },
      undefined,
      'message.android.priority',
    ],
    [
      'a count that is a string',
      { token: 'live-1', android: { notification: { notification_count: '1' } } },
      undefined,
      'message.android.notification.notification_count',
    ],
    [
      'a count beyond 32 bits',
      { token: 'live-1', android: { notification: { notification_count: 2 ** 31 } } },
      undefined,
      'message.android.notification.notification_count',
    ],
    [
      'a boolean that is a string',
      { token: 'live-1', android: { notification: { default_sound: 'true' } } },
      undefined,
      'message.android.notification.default_sound',
    ],
    ['a ttl that is a number', ttl(3600), undefined, 'message.android.ttl'],
    ['a ttl without the unit s', ttl('3600'), undefined, 'message.android.ttl'],
    ['a negative ttl', ttl('-1s'), 'INVALID_ARGUMENT', 'message.android.ttl'],
    ['a ttl longer than four weeks', ttl('2419201s'), 'INVALID_ARGUMENT', 'message.android.ttl'],
    [
      'an analytics label with a space',
      { token: 'live-1', fcm_options: { analytics_label: 'a b' } },
      'INVALID_ARGUMENT',
      'message.fcm_options.analytics_label',
    ],
    ['4097 bytes of data', { token: 'live-1', ...data(4097) }, 'INVALID_ARGUMENT', undefined],
    [
      '4097 bytes of data and notification',
      { token: 'live-1', ...data(4000), android: { notification: { body: 'é'.repeat(47) } } },
      'INVALID_ARGUMENT',
      undefined,
    ],
    ['2049 bytes of data for a topic', { topic: 'news', ...data(2049) }, 'INVALID_ARGUMENT', undefined],
    ['a token with a space', { token: 'live 1' }, 'INVALID_ARGUMENT', 'message.token'],
    ['an empty token', { token: '' }, 'INVALID_ARGUMENT', 'message.token'],
    ['an invalid installation id', { fid: 'telephone' }, 'INVALID_ARGUMENT', 'message.fid'],
  ];
  for (const [what, message, fcmCode, field] of bad) {
    test(`${what}`, async () => {
      const before = simulator.arrived().length;
      assert.deepEqual(statusAndError(await send(message)), [400, 'INVALID_ARGUMENT', fcmCode, field]);
      assert.equal(simulator.arrived().length, before);
    });
  }

  for (const key of ['from', 'message_type', 'gcm', 'gcm.x', 'google.x']) {
    test(`${key} in data`, async () => {
      const result = await send({ token: 'live-1', data: { ok: '1', [key]: 'x' } });
      assert.deepEqual(statusAndError(result), [400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', undefined]);
      assert.match(result.json.error.message, new RegExp(`key: ${key}$`));
    });
  }

  for (const body of ['', 'hello', '[]', '"text"', '{"message":']) {
    test(`a body that is ${body || 'nothing'}`, async () => {
      assert.deepEqual(statusAndError(await sendRaw(body)), [400, 'INVALID_ARGUMENT', undefined, undefined]);
    });
  }

  test('an unknown field next to the message, and a body of one megabyte', async () => {
    assert.deepEqual(statusAndError(await send({ token: 'live-1' }, { to: 'x' })), [
      400,
      'INVALID_ARGUMENT',
      undefined,
      '',
    ]);
    assert.equal((await send({ token: 'live-1', ...data(1_000_000) })).status, 400);
  });

  test('an unknown field, with its name in the error', async () => {
    const { json } = await send({ token: 'live-1', android: { sund: 'x' } });
    assert.equal(
      json.error.message,
      `Invalid JSON payload received. Unknown name "sund" at 'message.android': Cannot find field.`,
    );
  });
});

describe('requests that both Google and the FCM simulator accept', () => {
  const good: readonly (readonly [string, object])[] = [
    ['only a token', { token: 'live-1' }],
    ['a token of realistic length', { token: `d${'x'.repeat(21)}:APA91b${'x'.repeat(134)}` }],
    ['an installation id', { fid: 'cGhvbmUtb2Ytc29tZW9uZ_' }],
    ['a topic', { topic: 'news' }],
    ['a condition', { condition: "'news' in topics" }],
    ['4096 bytes of data', { token: 'live-1', ...data(4096) }],
    ['2048 bytes of data for a topic', { topic: 'news', ...data(2048) }],
    ['the longest ttl', ttl('2419200s')],
    ['a ttl of zero', ttl('0s')],
    ['a ttl with a fraction of a second', ttl('1.5s')],
    ['null for absent fields', { token: 'live-1', topic: null, android: null }],
    ['parts for other platforms', { token: 'live-1', apns: { headers: { x: 'y' } }, webpush: { any: 1 } }],
    ['names that only resemble reserved ones', { token: 'live-1', data: { fromage: '1', googol: '2', gcmx: '3' } }],
  ];
  for (const [what, message] of good) {
    test(what, async () => assert.equal((await send(message)).status, 200));
  }

  test('names in camelCase and all Android fields', async () => {
    const notification = {
      channelId: 'chat',
      notificationCount: 3,
      titleLocArgs: ['x'],
      vibrateTimings: ['0.5s'],
      eventTime: '2026-11-15T12:00:00Z',
      notificationPriority: 'PRIORITY_HIGH',
      lightSettings: {
        color: { red: 1, green: 0.5, blue: 0, alpha: 1 },
        lightOnDuration: '1s',
        lightOffDuration: '1s',
      },
    };
    const android = { collapseKey: 'c', directBootOk: true, notification, fcmOptions: { analyticsLabel: 'a' } };
    assert.equal((await send({ token: 'live-camel', android })).status, 200);
    const [arrival] = simulator.arrived('live-camel');
    assert.deepEqual(arrival?.message.android, {
      collapse_key: 'c',
      direct_boot_ok: true,
      notification: {
        channel_id: 'chat',
        notification_count: 3,
        title_loc_args: ['x'],
        vibrate_timings: ['0.5s'],
        event_time: '2026-11-15T12:00:00Z',
        notification_priority: 'PRIORITY_HIGH',
        light_settings: {
          color: { red: 1, green: 0.5, blue: 0, alpha: 1 },
          light_on_duration: '1s',
          light_off_duration: '1s',
        },
      },
      fcm_options: { analytics_label: 'a' },
    });
  });

  test('HTTP/1.1', async () => {
    await using client = new HttpsClient(simulator.caPem);
    const body = JSON.stringify({ message: { token: 'live-old' } });
    const { status, json } = await client.post(`${simulator.sendUrl}${PATH}`, body, headers);
    assert.equal(status, 200);
    assert.equal(simulator.arrived('live-old')[0]?.name, json.name);
  });
});

test('allows a hundred concurrent streams', () => {
  assert.equal(connection.remoteSettings.maxConcurrentStreams, 100);
});

test('records an accepted message with all its fields', async () => {
  const message = { token: 'live-logged', data: { mid: '7' }, android: { ttl: '60s', notification: { tag: '7' } } };
  const { json } = await send(message);
  assert.match(json.name, /^projects\/carillon-demo\/messages\/0:\d{16}%[0-9a-f]{16}$/);
  const [{ at, ...arrival } = { at: 0 }] = simulator.arrived('live-logged');
  assert.ok(Date.now() - at < 10_000);
  assert.deepEqual(arrival, {
    token: 'live-logged',
    target: 'token',
    project_id: 'carillon-demo',
    name: json.name,
    message,
  });
});

describe('dry run', () => {
  test('returns a fake message id and delivers nothing', async () => {
    const { status, json } = await send({ token: 'live-dry' }, { validate_only: true });
    assert.deepEqual([status, json], [200, { name: 'projects/carillon-demo/messages/fake_message_id' }]);
    assert.deepEqual(simulator.arrived('live-dry'), []);
  });

  test('is checked like other messages', async () => {
    const result = await send({ token: 'nobody' }, { validateOnly: true });
    assert.deepEqual(statusAndError(result), [400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'message.token']);
  });
});

describe('authentication before message checks', () => {
  const nonsense = '{"message":7}';
  const reasonOf = ({ json }: Result) => (json.error.details as Detail[] | undefined)?.[0]?.reason;

  test('returns 401 without an FCM code if the access token is missing or unknown', async () => {
    for (const authorization of [undefined, 'Basic abc', 'Bearer', 'Bearer ya29.stranger']) {
      const result = await sendRaw(nonsense, { headers: { authorization } });
      assert.deepEqual(statusAndError(result), [401, 'UNAUTHENTICATED', undefined, undefined]);
    }
  });

  test('returns 401 for an expired access token', async () => {
    await using brief = await startFcmSimulator({ tokenLifeSeconds: 0 });
    await using session = await openConnection(brief.sendUrl, brief.caPem);
    const result = await post(session, { path: PATH, body: nonsense, headers: await authorizationHeaders(brief) });
    assert.deepEqual(statusAndError(result), [401, 'UNAUTHENTICATED', undefined, undefined]);
    assert.equal(reasonOf(result), 'ACCESS_TOKEN_EXPIRED');
  });

  test('returns 403 for the project of another account and 404 for an unknown project, both without an FCM code', async () => {
    const made = await fetch(`${simulator.controlUrl}/accounts`, {
      method: 'POST',
      body: '{"project_id":"another-1"}',
    });
    const certificate = JSON.parse(await made.text());
    const path = '/v1/projects/another-1/messages:send';
    const body = '{"message":{"token":"live-1"}}';
    const theirs = await sendRaw(nonsense, { path });
    assert.deepEqual(statusAndError(theirs), [403, 'PERMISSION_DENIED', undefined, undefined]);
    assert.equal(reasonOf(theirs), 'IAM_PERMISSION_DENIED');
    assert.equal(
      (await sendRaw(body, { path, headers: await authorizationHeaders(simulator, certificate) })).status,
      200,
    );
    const nobodys = await sendRaw(nonsense, { path: '/v1/projects/nobodys/messages:send' });
    assert.deepEqual(statusAndError(nobodys), [404, 'NOT_FOUND', undefined, undefined]);
  });

  test('returns an HTML page for another path or method', async () => {
    const pages = [
      await sendRaw(nonsense, { path: '/fcm/send' }),
      await sendRaw(nonsense, { path: `${PATH}/x` }),
      await sendRaw(nonsense, { path: '/v1/projects/%/messages:send' }),
      await sendRaw('', { method: 'GET' }),
    ];
    for (const { status, text } of pages) {
      assert.equal(status, 404);
      assert.match(text, /^<!DOCTYPE html>/);
    }
  });
});

test('returns 429 and the exceeded quota if a project or device exceeds its limit', async () => {
  await using small = await startFcmSimulator({ projectPerMinuteMax: 3, devicePerMinuteMax: 1 });
  await using session = await openConnection(small.sendUrl, small.caPem);
  const own = await authorizationHeaders(small);
  const answers = [];
  for (const token of ['live-1', 'live-1', 'live-2', 'live-3']) {
    answers.push(await post(session, { path: PATH, body: JSON.stringify({ message: { token } }), headers: own }));
  }
  const subjects = answers.map(({ status, json }) =>
    status === 200 ? 'ok' : json.error.details[1].violations[0].subject,
  );
  assert.deepEqual(subjects, ['ok', 'device message rate', 'ok', 'project:carillon-demo']);
  assert.deepEqual(statusAndError(answers[3] as Result), [429, 'RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED', undefined]);
});

describe('target name prefixes', () => {
  const outcomes: readonly (readonly [string, number, string, string])[] = [
    ['dead-1', 404, 'NOT_FOUND', 'UNREGISTERED'],
    ['foreign-1', 403, 'PERMISSION_DENIED', 'SENDER_ID_MISMATCH'],
    ['busy-1', 429, 'RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED'],
    ['down-1', 503, 'UNAVAILABLE', 'UNAVAILABLE'],
  ];
  for (const [target, status, code, fcmCode] of outcomes) {
    for (const kind of ['token', 'fid']) {
      test(`${target} as ${kind} returns ${status} ${fcmCode}`, async () => {
        const result = await send({ [kind]: target });
        assert.deepEqual(statusAndError(result), [status, code, fcmCode, undefined]);
        assert.equal(result.headers['retry-after'], status === 429 ? '7' : undefined);
        assert.deepEqual(simulator.arrived(target), []);
      });
    }
  }

  test('the reserved token `nobody` returns 400 for the field message.token', async () => {
    const result = await send({ token: 'nobody' });
    assert.deepEqual(statusAndError(result), [400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'message.token']);
  });

  test('a message to a slow- token is accepted after a delay', async () => {
    const start = performance.now();
    assert.equal((await send({ token: 'slow-1' })).status, 200);
    assert.ok(performance.now() - start >= SLOW_MS - 10);
    assert.equal(simulator.arrived('slow-1').length, 1);
  });

  test('a message to a half- token is delivered, but the sender receives no response', async () => {
    const { status, text } = await send({ token: 'half-1' });
    assert.deepEqual([status, text], [undefined, '']);
    assert.equal(simulator.arrived('half-1').length, 1);
    await using client = new HttpsClient(simulator.caPem);
    const old = await client.post(`${simulator.sendUrl}${PATH}`, '{"message":{"token":"half-2"}}', headers);
    assert.deepEqual([old.status, old.errorCode], [undefined, 'ECONNRESET']);
    assert.equal(simulator.arrived('half-2').length, 1);
  });
});
