import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { parseJson } from '#src/foundation/json.ts';
import { seedAdminToken } from '../../scripts/dev/seed.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';

/**
 * Tests `POST /callback/<vendor>/<secret>` as a vendor calls it: the request has no Carillon headers, and the response
 * has no envelope.
 */

const HUAWEI = 2;
const HONOR = 8;
/** The response that Huawei and Honor treat as success. */
const UNDERSTOOD = [200, '{"code":"0","message":"success"}'];
const WRONG_BODY = [400, '{}'];
/** This app requires signed callbacks; the default app does not. */
const SIGNING_APP = 'signing';
const USER_NAME = 'carillon';
const KEY = 'a callback key';

let carillon: Carillon;
let huaweiPath: string;
let honorPath: string;
let signedPath: string;

before(async () => {
  carillon = await startCarillon({ gateways: 0, workers: 0 });
  huaweiPath = await callbackPath(carillon.appId, { provider: HUAWEI });
  honorPath = await callbackPath(carillon.appId, { provider: HONOR });
  await carillon.addApp(SIGNING_APP);
  signedPath = await callbackPath(SIGNING_APP, { provider: HUAWEI, user_name: USER_NAME, key: KEY });
});
after(() => carillon[Symbol.asyncDispose]());

async function callbackPath(appId: string, body: object): Promise<string> {
  const token = await seedAdminToken(carillon.storage.home, appId);
  const options = { token, headers: { app_id: appId } };
  const { data } = await carillon.post<{ path: string }>('/admin/certificate/callback', body, options);
  return data.path;
}

interface Call {
  readonly method?: string;
  readonly text?: string | undefined;
  /** `null` sends no content type. */
  readonly type?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A Huawei receipt for a notification that was never sent. */
const receipt = { token: 'a-token', biTag: 'a-reference', status: 0, timestamp: Date.now(), requestId: '1' };
const good = JSON.stringify({ statuses: [receipt] });

function send(path: string, { method = 'POST', text = good, type = 'application/json', headers = {} }: Call = {}) {
  // `fetch` adds a content type for a string body, but not for a Buffer.
  const body = method === 'GET' ? null : Buffer.from(text);
  const typed = type === null ? headers : { ...headers, 'content-type': type };
  return fetch(`${carillon.apis[0]?.apiUrl}${path}`, { method, headers: typed, body });
}

async function postCallback(path: string, call: Call = {}): Promise<(number | string)[]> {
  const response = await send(path, call);
  return [response.status, await response.text()];
}

/** Returns every part of a response that a client can see, except the date. */
async function describeResponse(path: string, call: Call = {}): Promise<unknown> {
  const response = await send(path, call);
  const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return { status: response.status, headers, text: await response.text() };
}

const wrongSecret = (path: string): string => path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
const secretOf = (path: string): string => path.split('/').at(-1) as string;
const nowhere = (): string => `/callback/huawei/${'A'.repeat(43)}`;

describe('requests to an unknown callback address', () => {
  const wrong: Readonly<Record<string, () => string>> = {
    'a secret with a different last character': () => wrongSecret(huaweiPath),
    'a secret that is too short': () => huaweiPath.slice(0, -1),
    'a secret of one character': () => '/callback/huawei/A',
    'a secret that is too long': () => `${huaweiPath}A`,
    'a secret of NUL characters': () => `/callback/huawei/${'%00'.repeat(43)}`,
    'the secret in upper case': () => huaweiPath.replace(secretOf(huaweiPath), secretOf(huaweiPath).toUpperCase()),
    'an unknown vendor': () => `/callback/nokia/${secretOf(huaweiPath)}`,
    'a vendor name that is a property of every JavaScript object': () =>
      `/callback/constructor/${secretOf(huaweiPath)}`,
    'a vendor without callbacks': () => `/callback/apns/${secretOf(huaweiPath)}`,
    'the Carillon channel': () => `/callback/nativepush/${secretOf(huaweiPath)}`,
    'the secret of another vendor': () => `/callback/honor/${secretOf(huaweiPath)}`,
  };
  for (const [what, path] of Object.entries(wrong))
    test(`${what} returns the same 404 as any unknown address`, async () => {
      for (const text of [good, 'no JSON', '', '{"statuses":[]}']) {
        const answer = (await describeResponse(path(), { text })) as { status: number; text: string };
        assert.deepEqual([answer.status, answer.text], [404, '{}']);
        assert.deepEqual(answer, await describeResponse(nowhere()));
      }
    });

  test('a body that is too large returns the same 413 for known and unknown addresses', async () => {
    const text = ' '.repeat(1024 * 1024 + 1);
    const answer = await describeResponse(huaweiPath, { text });
    assert.equal((answer as { status: number }).status, 413);
    assert.deepEqual(answer, await describeResponse(nowhere(), { text }));
  });

  test('other methods return 404 and code 10006 for known and unknown addresses', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answers = await Promise.all(
        [huaweiPath, nowhere(), '/no/such/operation'].map((path) => postCallback(path, { method })),
      );
      for (const [status, text] of answers) {
        assert.equal(status, 404, method);
        assert.equal((parseJson(text as string) as { code: number }).code, 10006);
      }
    }
  });
});

describe('requests to a known callback address', () => {
  const paths = { Huawei: () => huaweiPath, Honor: () => honorPath };

  for (const [vendor, path] of Object.entries(paths)) {
    test(`returns the success response that ${vendor} expects`, async () => {
      const response = await send(path());
      assert.match(String(response.headers.get('content-type')), /^application\/json\b/);
      assert.deepEqual([response.status, await response.text()], UNDERSTOOD);
    });

    test(`returns success to ${vendor} for an empty list, the sample request from its console, malformed receipts and a thousand receipts`, async () => {
      const sample = { ...receipt, biTag: '******', token: '******' };
      for (const statuses of [[], [sample], [null, 1, {}], new Array(1_000).fill(receipt)])
        assert.deepEqual(await postCallback(path(), { text: JSON.stringify({ statuses }) }), UNDERSTOOD);
    });

    test(`accepts any content type from ${vendor}`, async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json;charset=UTF-8', null])
        assert.deepEqual(await postCallback(path(), { type }), UNDERSTOOD, String(type));
    });

    test(`returns 400 to ${vendor} for a body in another format`, async () => {
      const others = ['', 'no JSON', '{"statuses":', '{}', '[]', 'null', '5', '"text"', '{"statuses":{}}', `[${good}]`];
      for (const text of others) assert.deepEqual(await postCallback(path(), { text }), WRONG_BODY, text);
    });
  }

  test('after a renewal, the old address returns 404 and the new address accepts callbacks', async () => {
    const renewed = 'renewed';
    await carillon.addApp(renewed);
    const old = await callbackPath(renewed, { provider: HUAWEI });
    assert.deepEqual(await postCallback(old), UNDERSTOOD);
    const path = await callbackPath(renewed, { provider: HUAWEI, renew: true });
    assert.deepEqual(await postCallback(path), UNDERSTOOD);
    // A recently used address is cached for two seconds.
    await eventually(async () => assert.deepEqual(await postCallback(old), [404, '{}']), 5);
    assert.deepEqual(await postCallback(path), UNDERSTOOD);
  });
});

interface Signing {
  readonly key?: string | Buffer;
  readonly userName?: string;
  readonly ageSeconds?: number;
}

/** Returns the signature header as Huawei sends it. */
function signed({ key = KEY, userName = USER_NAME, ageSeconds = 0 }: Signing = {}): Record<string, string> {
  const timestamp = Date.now() - ageSeconds * 1_000;
  const nonce = 'a-nonce';
  const value = createHmac('sha256', key).update(`${timestamp}${nonce}${userName}`).digest('base64');
  return { 'X-HUAWEI-CALLBACK-ID': `timestamp=${timestamp}; nonce=${nonce}; value=${value}` };
}

describe('signed callbacks', () => {
  test('accepts a signed callback, even if it is repeated', async () => {
    const headers = signed();
    assert.deepEqual(await postCallback(signedPath, { headers }), UNDERSTOOD);
    assert.deepEqual(await postCallback(signedPath, { headers }), UNDERSTOOD);
  });

  const wrong: Readonly<Record<string, () => Record<string, string>>> = {
    'no signature': () => ({}),
    'an empty signature': () => ({ 'X-HUAWEI-CALLBACK-ID': '' }),
    'a signature without a value': () => ({ 'X-HUAWEI-CALLBACK-ID': `timestamp=${Date.now()}; nonce=a; value=` }),
    'a signature made with another key': () => signed({ key: 'another key' }),
    'a signature made with an empty key': () => signed({ key: '' }),
    'a signature made with another user name': () => signed({ userName: 'another' }),
    'a signature that was recorded an hour ago': () => signed({ ageSeconds: 3_600 }),
    'a signature with a timestamp in the future': () => signed({ ageSeconds: -3_600 }),
    'a signature with a changed timestamp': () => {
      const { 'X-HUAWEI-CALLBACK-ID': header = '' } = signed({ ageSeconds: 3_600 });
      return { 'X-HUAWEI-CALLBACK-ID': header.replace(/timestamp=\d+/, `timestamp=${Date.now()}`) };
    },
    'a valid signature in another header': () => ({ authorization: signed()['X-HUAWEI-CALLBACK-ID'] as string }),
  };
  for (const [what, headers] of Object.entries(wrong))
    test(`${what} returns the same 404 as an unknown address`, async () => {
      for (const text of [good, 'no JSON'])
        assert.deepEqual(
          await describeResponse(signedPath, { text, headers: headers() }),
          await describeResponse(nowhere()),
        );
    });

  test('returns 400 for a signed body that is not in Huawei’s format', async () => {
    assert.deepEqual(await postCallback(signedPath, { text: 'no JSON', headers: signed() }), WRONG_BODY);
  });

  test('rejects a valid signature at an unknown address', async () => {
    assert.deepEqual(await postCallback(wrongSecret(signedPath), { headers: signed() }), [404, '{}']);
  });

  test('accepts signatures made with the decoded bytes of a base64 key, which newer vendor consoles generate', async () => {
    const inBase64 = 'base64';
    await carillon.addApp(inBase64);
    const bytes = Buffer.from('the bytes of a key');
    const key = bytes.toString('base64');
    const path = await callbackPath(inBase64, { provider: HUAWEI, user_name: USER_NAME, key });
    assert.deepEqual(await postCallback(path, { headers: signed({ key: bytes }) }), UNDERSTOOD);
    assert.deepEqual(await postCallback(path, { headers: signed({ key }) }), UNDERSTOOD);
    assert.deepEqual(await postCallback(path), [404, '{}']);
  });
});

test('logs no errors, and logs unsigned callbacks', () => {
  assert.deepEqual(carillon.errorLines, []);
  assert.ok(carillon.logLines.some((line) => line.includes('"callback-not-signed"') && line.includes(SIGNING_APP)));
});
