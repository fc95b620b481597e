import assert from 'node:assert/strict';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { USER_TOKEN_PREFIX } from '#src/api/http/authenticate.ts';
import { randomText, withChecksum } from '#src/foundation/random-text.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { startStack } from '../../scripts/stack/stack.ts';
import { addUser, addUserToken } from '../support/add-device.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { queryCountOf } from '../support/concurrent-calls.ts';
import { eventually } from '../support/eventually.ts';

const PER_MINUTE = 20;
const ATTEMPTS = 200;
/** Statements of an idle process while the requests are made. */
const OTHER_STATEMENTS_MAX = 30;
/** Longer than the API caches apps and tokens. */
const CACHE_MS = 2_100;
const TOKEN_INVALID = 10008;
const UNKNOWN_APP = 40000;
const TOO_MANY_REQUESTS = 12029;
const UNAVAILABLE = 50003;

const inventToken = () => withChecksum(USER_TOKEN_PREFIX + randomText(256));

/** Makes a request from an address, and returns the code of the response. */
async function callFrom(api: RoleProcess, appId: string, token: string, localAddress: string): Promise<number> {
  const headers = { app_id: appId, 'access-token': token, 'content-type': 'application/json' };
  const sent = request(`${api.apiUrl}/push/task/detail`, { method: 'POST', localAddress, headers, agent: false });
  const response = await new Promise<Parameters<typeof json>[0]>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject).end('{"list":[1]}');
  });
  return ((await json(response)) as { code: number }).code;
}

describe('requests with invented tokens and apps', () => {
  let carillon: Carillon;
  let api: RoleProcess;

  before(async () => {
    const settings = { CARILLON_API_UNKNOWN_TOKENS_PER_ADDRESS_PER_MINUTE: `${PER_MINUTE}` };
    carillon = await startCarillon({ gateways: 0, workers: 0, settings });
    [api] = carillon.apis as [RoleProcess];
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const call = (token: string, localAddress: string, appId = carillon.appId): Promise<number> =>
    callFrom(api, appId, token, localAddress);

  async function count(address: string, makeCall: () => Promise<number>): Promise<Record<number, number>> {
    const codes: Record<number, number> = {};
    for (let i = 0; i < ATTEMPTS; i++) {
      const code = await makeCall();
      codes[code] = (codes[code] ?? 0) + 1;
    }
    console.log(`  ${address}: ${JSON.stringify(codes)}`);
    return codes;
  }

  test('reach the database at a limited rate, and known tokens and other addresses are not affected', async () => {
    const { appId, storage } = carillon;
    const userId = await addUser(storage.home, appId);
    const known = await addUserToken(storage.home, { appId, userId });
    assert.equal(await call(known, '127.0.0.2'), 200);
    const queriesBefore = await queryCountOf(api);
    const codes = await count('tokens', () => call(inventToken(), '127.0.0.2'));
    const queries = (await queryCountOf(api)) - queriesBefore;
    assert.deepEqual(codes, { [TOKEN_INVALID]: PER_MINUTE, [TOO_MANY_REQUESTS]: ATTEMPTS - PER_MINUTE });
    assert.ok(queries <= PER_MINUTE + OTHER_STATEMENTS_MAX, `${queries} statements`);
    await sleep(CACHE_MS); // the app and the token must be read again
    assert.equal(await call(known, '127.0.0.2'), 200);
    const other = await addUserToken(storage.home, { appId, userId });
    assert.equal(await call(other, '127.0.0.3'), 200);
  });

  test('the same token is looked up only every two seconds', async () => {
    const token = inventToken();
    const codes = await count('one token', () => call(token, '127.0.0.4'));
    assert.deepEqual(codes, { [TOKEN_INVALID]: ATTEMPTS });
  });

  test('unknown apps are counted too', async () => {
    let apps = 0;
    const codes = await count('apps', () => call(inventToken(), '127.0.0.5', `app-${++apps}`));
    assert.deepEqual(codes, { [UNKNOWN_APP]: PER_MINUTE, [TOO_MANY_REQUESTS]: ATTEMPTS - PER_MINUTE });
  });
});

describe('requests with valid tokens during an outage of the home database', () => {
  test('do not use the limit of unknown tokens', async () => {
    await using resources = new AsyncDisposableStack();
    const stack = await startStack();
    resources.defer(() => stack.stop());
    const settings = { CARILLON_API_UNKNOWN_TOKENS_PER_ADDRESS_PER_MINUTE: `${PER_MINUTE}` };
    const carillon = resources.use(await startCarillon({ gateways: 0, workers: 0, settings, stack }));
    const { appId, storage, apis } = carillon;
    const userId = await addUser(storage.home, appId);
    const tokens: string[] = [];
    for (let i = 0; i < 2 * PER_MINUTE; i++) tokens.push(await addUserToken(storage.home, { appId, userId }));
    // One after the other, because a lookup counts until its result is known.
    const callAll = async () => {
      const codes = new Set<number>();
      for (const token of tokens) codes.add(await callFrom(apis[0] as RoleProcess, appId, token, '127.0.0.6'));
      return codes;
    };
    await stack.kill('postgres');
    const codes = await callAll();
    await stack.start('postgres');
    assert.deepEqual(codes, new Set([UNAVAILABLE]));
    await eventually(async () => assert.deepEqual(await callAll(), new Set([200])), 30);
  });
});
