import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  errorResponse,
  type RecordedRequest,
  type StubAction,
  type StubServer,
  startStubServer,
  successResponse,
} from '../support/stub-server.ts';
import { Carillon, CarillonError, type CarillonOptions, CarillonUnreachable, operations } from './index.ts';

const INT64_MAX = 2n ** 63n - 1n;
const MESSAGE = { title: 'Hello' };

type Options = Partial<CarillonOptions>;

async function startClient(answer: StubAction, options: Options = {}): Promise<StubServer & { carillon: Carillon }> {
  const peer = await startStubServer(answer);
  const carillon = new Carillon({ url: peer.url, appId: 'bells', token: 'ca_1', ...options });
  return { ...peer, carillon };
}

const onlyOne = ({ requests }: StubServer): RecordedRequest => {
  assert.equal(requests.length, 1);
  return requests[0] as RecordedRequest;
};

describe('operations', () => {
  const all = Object.values(operations);

  test('contain at least 46 entries', () => assert.ok(all.length >= 46));

  for (const { path, method } of all) {
    test(`${path} has a method that calls it`, async () => {
      await using peer = await startClient(errorResponse(400, 10002, 'No.'));
      // A method cannot be a group, so the operations below `/operator/session` have names in one word.
      const words = path
        .slice(1)
        .replace('session/list', 'sessionList')
        .replace('session/revoke', 'sessionRevoke')
        .split('/');
      const call = words.reduce((node, word) => (node as Record<string, unknown>)[word], peer.carillon as unknown);
      await assert.rejects((call as (request: object) => Promise<unknown>)({}), CarillonError);
      const { method: heardMethod, path: heardPath } = onlyOne(peer);
      assert.deepEqual([heardMethod, heardPath.replace(/\?$/, '')], [method, path]);
    });
  }
});

describe('int64 precision', () => {
  test('sends every int64 of a request exactly, given as a number or a bigint', async () => {
    await using peer = await startClient(successResponse('{"task_id":1}'));
    await peer.carillon.push.notify({
      audience: { user_id: [INT64_MAX, 9007199254740993n, 42] },
      message: { ...MESSAGE, show_begin_time: 1794700800, ext: { seat: 9007199254740993n, row: 1.5 } },
    });
    assert.equal(
      onlyOne(peer).body,
      '{"audience":{"user_id":[9223372036854775807,9007199254740993,42]},"message":{"title":"Hello","show_begin_time":1794700800,"ext":{"seat":9007199254740993,"row":1.5}}}',
    );
  });

  test('returns every int64 of a response as a bigint, null as null, and other integers as numbers', async () => {
    await using peer = await startClient(
      successResponse(
        '{"list":[{"push_token":"p","user_id":null,"bindings":[{"provider":1,"bound_at":5}],"registered_at":7}],"next":9223372036854775807}',
      ),
    );
    assert.deepEqual(await peer.carillon.admin.device.find({ tag: 'beta' }), {
      list: [{ push_token: 'p', user_id: null, bindings: [{ provider: 1, bound_at: 5n }], registered_at: 7n }],
      next: INT64_MAX,
    });
  });

  test('returns lists of int64 as bigints', async () => {
    await using peer = await startClient(successResponse('{"list":[42,9223372036854775807],"next":null}'));
    const { list, next } = await peer.carillon.admin.group.members({ group_id: 7 });
    assert.deepEqual([list, next], [[42n, INT64_MAX], null]);
  });

  test('does not send a number that has lost digits or an integer beyond 2^63', async () => {
    await using peer = await startClient(successResponse('[]'));
    const { carillon } = peer;
    await assert.rejects(carillon.push.task.detail({ list: [1, 2 ** 53] }), /^RangeError: request\.list\[1\] must be/);
    await assert.rejects(carillon.push.task.detail({ list: [INT64_MAX + 1n] }), RangeError);
    await assert.rejects(carillon.as({ userId: 1.5 }).device.list(), /^RangeError: userId must be/);
    assert.deepEqual(peer.requests, []);
  });

  test('rejects response data with an unexpected structure', async () => {
    await using peer = await startClient(successResponse('{"task_id":"many"}'));
    await assert.rejects(peer.carillon.push.notify({ audience: 'all', message: MESSAGE }), CarillonUnreachable);
  });
});

describe('caller headers', () => {
  const whoOf = ({ headers }: RecordedRequest) => [
    headers.app_id,
    headers['access-token'],
    headers.user_id,
    headers.group_id,
  ];

  test('contain the app, the token and the user', async () => {
    await using peer = await startClient(successResponse('[]'), { userId: INT64_MAX });
    await peer.carillon.device.list();
    assert.deepEqual(whoOf(onlyOne(peer)), ['bells', 'ca_1', '9223372036854775807', undefined]);
  });

  test('change with as(), which keeps the token by default and resets user and group', async () => {
    await using peer = await startClient(successResponse('[]'), { userId: 1 });
    await peer.carillon.as({ groupId: 7n }).device.list();
    await peer.carillon.as({ token: 'cu_2' }).device.list();
    await peer.carillon.device.list();
    assert.deepEqual(peer.requests.map(whoOf), [
      ['bells', 'ca_1', undefined, '7'],
      ['bells', 'cu_2', undefined, undefined],
      ['bells', 'ca_1', '1', undefined],
    ]);
  });

  test('contain only the app for open operations', async () => {
    await using peer = await startClient(successResponse('{"user_id":1,"expire":2}'), { userId: 1 });
    await peer.carillon.token.user({ name: 'ada', password: 'x' });
    assert.deepEqual(whoOf(onlyOne(peer)), ['bells', undefined, undefined, undefined]);
  });
});

describe('a request', () => {
  test('sends the fields of a GET in the query string and omits undefined fields', async () => {
    await using peer = await startClient(successResponse('{"name":"APNs"}'));
    await peer.carillon.push.certificate({ provider: 1, environment: undefined });
    const { method, path, body } = onlyOne(peer);
    assert.deepEqual([method, path, body], ['GET', '/push/certificate?provider=1', '']);
  });

  test('sends the fields of a POST as JSON, and an empty object if there are none', async () => {
    await using peer = await startClient(successResponse('[]'));
    await peer.carillon.device.list();
    const { headers, body } = onlyOne(peer);
    assert.deepEqual([headers['content-type'], body], ['application/json', '{}']);
  });

  test('appends the operation path to the path of the url option', async () => {
    await using peer = await startStubServer(successResponse('[]'));
    await new Carillon({ url: `${peer.url}/carillon/`, appId: 'bells', token: 'ca_1' }).device.list();
    assert.equal(onlyOne(peer).path, '/carillon/device/list');
  });

  test('returns the response headers from call()', async () => {
    await using peer = await startClient({
      ...successResponse('{"task_id":5}'),
      headers: { 'carillon-request': 'repeated' },
    });
    const { data, headers } = await peer.carillon.call('/push/notify', { audience: 'all', message: MESSAGE });
    assert.deepEqual([data.task_id, headers.get('carillon-request')], [5n, 'repeated']);
  });
});

describe('ignored fields', () => {
  const response = { ...successResponse('{"task_id":5}'), headers: { 'carillon-ignored-fields': 'a, message.b' } };
  const notification = { audience: 'all', message: MESSAGE } as const;

  test('are passed to onIgnoredFields', async () => {
    const calls: unknown[] = [];
    const onIgnoredFields = (...call: unknown[]) => void calls.push(call);
    await using peer = await startClient(response, { onIgnoredFields });
    await peer.carillon.push.notify(notification);
    assert.deepEqual(calls, [[['a', 'message.b'], '/push/notify']]);
  });

  test('are written to the console by default', async (t) => {
    const { mock } = t.mock.method(console, 'warn', () => undefined);
    await using peer = await startClient(response);
    await peer.carillon.push.notify(notification);
    const lines = mock.calls.map((call) => call.arguments);
    assert.deepEqual(lines, [['Carillon ignored unknown fields of /push/notify: a, message.b.']]);
  });
});

describe('a refusal', () => {
  test('throws a CarillonError with the request ID', async () => {
    await using peer = await startClient(errorResponse(404, 12008, 'Device not found.', { 'x-request-id': 'r-1' }));
    await assert.rejects(peer.carillon.device.list(), { name: 'CarillonError', requestId: 'r-1' });
  });

  test('throws a CarillonError with code, status, message and retry delay', async () => {
    await using peer = await startClient(errorResponse(429, 12029, 'Too many requests.', { 'retry-after': '7' }));
    await assert.rejects(peer.carillon.device.list(), (error) => {
      assert.ok(error instanceof CarillonError);
      const { operation, code, status, message, retryAfterSeconds } = error;
      assert.deepEqual(
        { operation, code, status, message, retryAfterSeconds },
        { operation: '/device/list', code: 12029, status: 429, message: 'Too many requests.', retryAfterSeconds: 7 },
      );
      return true;
    });
  });

  test('is detected by its code if every response has status 200', async () => {
    await using peer = await startClient(
      errorResponse(200, 10010, 'No.', { 'retry-after': 'Sun, 15 Nov 2026 00:00:00 GMT' }),
    );
    await assert.rejects(peer.carillon.device.list(), { code: 10010, status: 200, retryAfterSeconds: undefined });
  });
});

describe('CarillonUnreachable', () => {
  const fails = async (answer: StubAction, message: RegExp, options: Options = {}): Promise<void> => {
    let asked = 0;
    const counting: typeof fetch = (...args) => {
      asked++;
      return fetch(...args);
    };
    await using peer = await startClient(answer, { ...options, fetch: counting });
    await assert.rejects(peer.carillon.device.list(), (error) => {
      assert.ok(error instanceof CarillonUnreachable);
      assert.match(error.message, message);
      return true;
    });
    // The client neither retries a call nor follows a redirect. The server may have received no request if the call
    // timed out early.
    assert.equal(asked, 1);
    assert.ok(peer.requests.length <= 1, `the server received ${peer.requests.length} requests`);
  };

  test('is thrown if the connection breaks', () => fails('hang-up', /^http:\/\/127\.0\.0\.1:\d+ cannot be reached: /));
  test('is thrown if the response takes too long', async () => {
    const began = performance.now();
    await fails('silent', /did not respond within 50 ms/, { timeoutMs: 50 });
    assert.ok(performance.now() - began < 3_000);
  });
  test('is thrown if a proxy responds', () =>
    fails({ status: 502, body: '<h1>Bad gateway</h1>' }, /does not come from Carillon \(HTTP 502\)/));
  test('is thrown if the response is JSON in another format', () =>
    fails({ status: 404, body: '["not found"]' }, /does not come from Carillon/));
  test('is thrown if the response is null', () => fails({ body: 'null' }, /does not come from Carillon/));
  test('is thrown if the response is larger than 8 MiB', () =>
    fails(successResponse(`"${'x'.repeat(9e6)}"`), /larger than 8388608 bytes/));
  test('is thrown on a redirect, because the token must not be sent elsewhere', () =>
    fails({ status: 307, headers: { location: '/elsewhere' }, body: '' }, /cannot be reached/));

  test('contains the cause', async () => {
    const peer = await startClient('silent');
    await peer[Symbol.asyncDispose]();
    await assert.rejects(peer.carillon.device.list(), (error) => {
      assert.ok(error instanceof CarillonUnreachable && error.cause instanceof TypeError);
      assert.match(error.message, /ECONNREFUSED/);
      return true;
    });
  });
});

test('uses the fetch function from the options', async () => {
  const asked: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (url) => {
    asked.push(url);
    return new Response('{"code":200,"data":[],"message":null}');
  };
  assert.deepEqual(await new Carillon({ url: 'https://push.example.com', appId: 'bells', fetch }).device.list(), []);
  assert.deepEqual(asked, ['https://push.example.com/device/list']);
});
