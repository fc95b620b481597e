import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';

const HUAWEI = 2;
const USER_NAME = 'carillon';
const KEY = 'a callback key';
const ACCEPTED = 200;
const NOT_FOUND = 404;

/**
 * Huawei's signature covers a timestamp, a nonce and the user name, but not the body. An attacker who has recorded one
 * callback could use its signature for other receipts.
 */
describe('a recorded signature of a vendor callback', () => {
  let carillon: Carillon;
  let path: string;

  before(async () => {
    carillon = await startCarillon({ apis: 2, gateways: 0, workers: 0 });
    const body = { provider: HUAWEI, user_name: USER_NAME, key: KEY };
    path = (await carillon.post<{ path: string }>('/admin/certificate/callback', body)).data.path;
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  let nonces = 0;
  function sign(): { timestamp: string; nonce: string; value: string } {
    const [timestamp, nonce] = [Date.now().toString(), `nonce-${++nonces}`];
    const value = createHmac('sha256', KEY).update(`${timestamp}${nonce}${USER_NAME}`).digest('base64');
    return { timestamp, nonce, value };
  }
  const bodyOf = (token: string) =>
    JSON.stringify({ statuses: [{ token, biTag: 'a-reference', status: 2, timestamp: Date.now() }] });

  async function send(header: string, body: string, api = 0): Promise<number> {
    const headers = { 'content-type': 'application/json', 'x-huawei-callback-id': header };
    return (await fetch(`${carillon.apis[api]?.apiUrl}${path}`, { method: 'POST', headers, body })).status;
  }
  const headerOf = ({ timestamp, nonce, value }: ReturnType<typeof sign>) =>
    `timestamp=${timestamp}; nonce=${nonce}; value=${value}`;

  test('is rejected with another body, by every API process, and logged', async () => {
    const header = headerOf(sign());
    assert.equal(await send(header, bodyOf('a-token')), ACCEPTED);
    assert.equal(await send(header, bodyOf('forged')), NOT_FOUND);
    assert.equal(await send(header, bodyOf('forged'), 1), NOT_FOUND);
    await eventually(() => assert.ok(carillon.logLines.some((line) => line.includes('"callback-replayed"'))));
  });

  test('is accepted again with the same body, because vendors repeat callbacks', async () => {
    const [header, body] = [headerOf(sign()), bodyOf('a-token')];
    for (const api of [0, 1, 0]) assert.equal(await send(header, body, api), ACCEPTED);
  });

  test('is recognized in another notation', async () => {
    const { timestamp, nonce, value } = sign();
    assert.equal(await send(headerOf({ timestamp, nonce, value }), bodyOf('a-token')), ACCEPTED);
    const notations = [
      `value=${value};nonce=${nonce};timestamp=${timestamp}`,
      headerOf({ timestamp, nonce, value: value.replace('=', '') }),
      headerOf({ timestamp, nonce, value: value.replaceAll('+', '-').replaceAll('/', '_') }),
      // The signed text does not separate the timestamp from the nonce.
      headerOf({ timestamp: timestamp.slice(0, 10), nonce: timestamp.slice(10) + nonce, value }),
    ];
    for (const header of notations) assert.equal(await send(header, bodyOf('forged')), NOT_FOUND, header);
  });

  test('is accepted for only one of several concurrent bodies', async () => {
    const header = headerOf(sign());
    const statuses = await Promise.all(Array.from({ length: 10 }, (_, i) => send(header, bodyOf(`token-${i}`), i % 2)));
    assert.deepEqual(statuses.sort(), [ACCEPTED, ...new Array(9).fill(NOT_FOUND)]);
  });
});
