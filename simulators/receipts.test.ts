import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type HonorSimulator, startHonorSimulator } from './honor/simulator.ts';
import { openHonorSender } from './honor/test-sender.ts';
import { type HuaweiSimulator, startHuaweiSimulator } from './huawei/simulator.ts';
import { openHuaweiSender } from './huawei/test-sender.ts';
import { createServerIdentity } from './kit/certificate.ts';
import type { BearerSender } from './kit/test-sender.ts';

type ReceivedPost = { headers: IncomingHttpHeaders; statuses: Record<string, unknown>[]; atMs: number };

const received: ReceivedPost[] = [];
/** Number of requests that the receiver rejects with 503 before it accepts requests. */
let refusals = 0;
let waiting = Promise.withResolvers<void>();
const receiver = createServer((request, response: ServerResponse) => {
  void request.toArray().then((chunks) => {
    const { statuses } = JSON.parse(Buffer.concat(chunks).toString());
    received.push({ headers: request.headers, statuses, atMs: Date.now() });
    if (refusals-- > 0) response.statusCode = 503;
    response.end('{"code":"0","message":"success"}');
    waiting.resolve();
  });
});

const identity = createServerIdentity(Date.now());
let url: string;
let huawei: HuaweiSimulator;
let honor: HonorSimulator;
let huaweiSender: BearerSender;
let honorSender: BearerSender;
before(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`;
  huawei = await startHuaweiSimulator({ identity });
  honor = await startHonorSimulator({ identity });
  huaweiSender = await openHuaweiSender(huawei);
  honorSender = await openHonorSender(honor);
});
after(async () => {
  await Promise.all([huaweiSender, honorSender].map((sender) => sender[Symbol.asyncDispose]()));
  await Promise.all([huawei, honor].map((simulator) => simulator.stop()));
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(() => {
  received.length = 0;
  refusals = 0;
});

async function call({ controlUrl }: { controlUrl: string }, path: string, body: object, expected = 204) {
  const response = await fetch(controlUrl + path, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  assert.equal(response.status, expected, text);
  return text === '' ? undefined : JSON.parse(text);
}

async function untilHeard(posts: number): Promise<void> {
  while (received.length < posts) {
    waiting = Promise.withResolvers();
    await waiting.promise;
  }
}

/** Verifies a signature header as described in Huawei's documentation. The signature does not cover the body. */
function isGenuine(header: unknown, userName: string, key: Buffer): boolean {
  const [, timestamp, nonce, value] = /^timestamp=(\d+); nonce=([\w-]+); value=(\S+)$/.exec(String(header)) ?? [];
  return value === createHmac('sha256', key).update(`${timestamp}${nonce}${userName}`).digest('base64');
}

const KEY = Buffer.from('a key of the callback').toString('base64');
const signed = { user_name: 'callback', key: KEY };

describe('receipts of the Huawei simulator', () => {
  test('are sent for every accepted token after the delay, with the values from the message', async () => {
    await call(huawei, '/receipts', { url, delay_ms: 100 });
    const start = Date.now();
    const { json } = await huaweiSender.send({ tokens: ['live-1', 'dead-1', 'half-away'] });
    assert.equal(json, undefined);
    await untilHeard(1);
    const [post] = received;
    assert.ok((post?.atMs ?? 0) - start >= 95);
    assert.equal(post?.headers['x-huawei-callback-id'], undefined);
    const { timestamp, requestId, ...rest } = post?.statuses[0] ?? {};
    assert.deepEqual(rest, { token: 'live-1', biTag: 'task-7', status: 0, clientId: '100000001' });
    assert.equal(requestId, huawei.arrived('live-1').at(-1)?.request_id);
    assert.ok(Math.abs(Number(timestamp) - start) < 5000);
    assert.deepEqual(
      post?.statuses.map(({ token }) => token),
      ['live-1', 'half-away'],
    );
  });

  test('are sent in requests of at most a hundred receipts', async () => {
    await call(huawei, '/receipts', { url });
    await huaweiSender.send({ tokens: Array.from({ length: 250 }, (_, index) => `live-${index}`) });
    await untilHeard(3);
    assert.deepEqual(received.map(({ statuses }) => statuses.length).sort(), [100, 100, 50]);
  });

  test('are sent again after a 5xx response until the receiver accepts them', async () => {
    await call(huawei, '/receipts', { url });
    refusals = 1;
    await huaweiSender.send({ tokens: ['live-1'] });
    await untilHeard(2);
    assert.deepEqual(
      received.map(({ statuses }) => statuses.map(({ token }) => token)),
      [['live-1'], ['live-1']],
    );
  });

  test('have the status for the token prefix, or the configured status', async () => {
    await call(huawei, '/receipts', { url });
    await huaweiSender.send({ tokens: ['gone-1', 'moved-1', 'muted-1', 'capped-1', 'live-1'] });
    await untilHeard(1);
    assert.deepEqual(
      received[0]?.statuses.map(({ status }) => status),
      [2, 5, 6, 102, 0],
    );
    await call(huawei, '/receipts', { url, status: 27 });
    await huaweiSender.send();
    await untilHeard(2);
    assert.equal(received[1]?.statuses[0]?.status, 27);
  });

  test('are not sent for a validate_only message or after the URL is deleted', async () => {
    await call(huawei, '/receipts', { url });
    await huaweiSender.send({ body: '{"validate_only":true,"message":{"data":"x","token":["live-1"]}}' });
    await fetch(`${huawei.controlUrl}/receipts`, { method: 'DELETE' });
    await huaweiSender.send();
    await call(huawei, '/receipts', { url });
    await huaweiSender.send({ tokens: ['live-last'] });
    await untilHeard(1);
    assert.deepEqual(
      received.map(({ statuses }) => statuses[0]?.token),
      ['live-last'],
    );
  });

  const modes = [
    ['base64', Buffer.from(KEY, 'base64')],
    ['text', Buffer.from(KEY)],
  ] as const;
  for (const [keyMode, keyBytes] of modes) {
    test(`are signed with a ${keyMode} key`, async () => {
      await call(huawei, '/receipts', { url, ...signed, key_mode: keyMode });
      await huaweiSender.send();
      await untilHeard(1);
      const header = received[0]?.headers['x-huawei-callback-id'];
      assert.ok(isGenuine(header, 'callback', keyBytes));
      assert.ok(!isGenuine(header, 'another', keyBytes));
      const [, timestamp] = /timestamp=(\d+)/.exec(String(header)) ?? [];
      assert.ok(Math.abs(Number(timestamp) - Date.now()) < 5000);
    });
  }

  test('can have the V2 format', async () => {
    await call(huawei, '/receipts', { url, version: 'V2' });
    await huaweiSender.send();
    await untilHeard(1);
    const { deliveryStatus, requestId, ...rest } = received[0]?.statuses[0] ?? {};
    assert.match(String(requestId), /^\d{24}$/);
    const about = { token: 'live-1', biTag: 'task-7', pushType: 0, appPackageName: 'com.example.carillon' };
    assert.deepEqual(rest, about);
    assert.equal((deliveryStatus as { result: number }).result, 0);
  });

  test('can be repeated, replayed, badly signed or outdated when sent through the control API', async () => {
    await call(huawei, '/receipts', { url, ...signed });
    const send = (fields: object) => call(huawei, '/receipts/send', { token: 'live-hand', status: 0, ...fields }, 200);
    const headers = () => received.splice(0).map((post) => post.headers['x-huawei-callback-id']);
    const key = Buffer.from(KEY, 'base64');

    assert.deepEqual(await send({ bi_tag: 'b', request_id: 'r' }), {
      posts: [{ status: 200, body: '{"code":"0","message":"success"}' }],
    });
    const { biTag, requestId, status } = received.splice(0)[0]?.statuses[0] ?? {};
    assert.deepEqual([biTag, requestId, status], ['b', 'r', 0]);
    await send({ repeat: 2 });
    const [first, second] = headers();
    assert.ok(first !== second && isGenuine(first, 'callback', key) && isGenuine(second, 'callback', key));
    await send({ repeat: 2, replay: true });
    const [original, replay] = headers();
    assert.equal(original, replay);
    await send({ bad_signature: true });
    assert.ok(!isGenuine(headers()[0], 'callback', key));
    await send({ old: true });
    const [, timestamp] = /timestamp=(\d+)/.exec(String(headers()[0])) ?? [];
    assert.ok(Date.now() - Number(timestamp) >= 600_000);
  });

  test('are counted by error code if the receiver is unreachable', async () => {
    await call(huawei, '/receipts', { url: 'http://127.0.0.1:1/' });
    const { posts } = await call(huawei, '/receipts/send', { token: 'live-1', status: 0 }, 200);
    assert.equal(typeof posts[0].status, 'string');
    const counted = JSON.parse(await (await fetch(`${huawei.controlUrl}/receipts`)).text());
    assert.equal(counted.posts[posts[0].status], 1);
  });

  const bad: readonly (readonly [string, string, object])[] = [
    ['without a URL', '/receipts', {}],
    ['with a URL that is not HTTP', '/receipts', { url: 'ftp://127.0.0.1/' }],
    ['with an unknown version', '/receipts', { url: 'http://127.0.0.1:1/', version: 'V3' }],
    ['without a status', '/receipts/send', { token: 'live-1' }],
  ];
  for (const [what, path, body] of bad) {
    test(`are not configured or sent ${what}`, async () => {
      assert.equal(typeof (await call(huawei, path, body, 400)).error, 'string');
    });
  }
});

test('receipts of the Honor simulator have Huawei’s oldest format, a separate status and no signature', async () => {
  await call(honor, '/receipts', { url, ...signed });
  await honorSender.send({ tokens: ['live-1', 'dead-1', 'fail-1'] });
  await untilHeard(1);
  assert.equal(received[0]?.headers['x-huawei-callback-id'], undefined);
  const { timestamp, requestId, ...rest } = received[0]?.statuses[0] ?? {};
  assert.deepEqual(rest, { biTag: 'task-7', appid: '104400001', token: 'live-1', status: 40_000_002 });
  assert.equal(requestId, honor.arrived('live-1')[0]?.request_id);
  assert.equal(typeof timestamp, 'number');
  assert.equal(received[0]?.statuses.length, 1);
  await call(honor, '/receipts/send', { token: 'live-1', status: 0 }, 200);
  assert.deepEqual([received[1]?.statuses[0]?.status, received[1]?.statuses[0]?.biTag], [0, 'task-7']);
});
