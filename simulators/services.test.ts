import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startHonorSimulator } from './honor/simulator.ts';
import { openHonorSender, requestToken as requestHonorToken } from './honor/test-sender.ts';
import { startHuaweiSimulator } from './huawei/simulator.ts';
import { openHuaweiSender, requestToken as requestHuaweiToken } from './huawei/test-sender.ts';
import { createServerIdentity } from './kit/certificate.ts';
import type { Service } from './kit/service.ts';
import { HttpsClient, type Result } from './kit/test-client.ts';

/** Tests of behavior that the Huawei and Honor simulators share, run for each simulator. */

const SLOW_MS = 300;
const identity = createServerIdentity(Date.now());
const options = { identity, slowMs: SLOW_MS, arrivedMax: 50 };

type Sent = { tokens?: readonly string[]; notification?: object; android?: object };
type Started = {
  simulator: Service<{ token: string }>;
  send: (sent?: Sent) => Promise<Result>;
  requestToken: (client: HttpsClient) => Promise<Result>;
  close: () => Promise<void>;
};

const services: readonly {
  name: string;
  start: () => Promise<Started>;
  /** HTTP status for a throttled request and for a failing service; codes for unknown and expired tokens. */
  busyStatus: number;
  downStatus: number;
  unknownCode: unknown;
  expiredCode: unknown;
  tokenError: unknown;
}[] = [
  {
    name: 'Huawei',
    start: async () => {
      const simulator = await startHuaweiSimulator(options);
      const sender = await openHuaweiSender(simulator);
      return {
        simulator,
        send: (sent) => sender.send(sent),
        requestToken: (client) => requestHuaweiToken(client, simulator, {}),
        close: () => sender[Symbol.asyncDispose](),
      };
    },
    busyStatus: 503,
    downStatus: 500,
    unknownCode: '80200001',
    expiredCode: '80200003',
    tokenError: 1101,
  },
  {
    name: 'Honor',
    start: async () => {
      const simulator = await startHonorSimulator(options);
      const sender = await openHonorSender(simulator);
      return {
        simulator,
        send: (sent) => sender.send(sent),
        requestToken: (client) => requestHonorToken(client, simulator, {}),
        close: () => sender[Symbol.asyncDispose](),
      };
    },
    busyStatus: 429,
    downStatus: 502,
    unknownCode: 80200001,
    expiredCode: 80200003,
    tokenError: 'unauthorized_client',
  },
];

for (const service of services) {
  describe(`${service.name} simulator`, () => {
    let simulator: Started['simulator'];
    let started: Started;
    const send = (sent?: Sent) => started.send(sent);
    const arrivedTokens = () => simulator.arrived().map(({ token }) => token);

    async function call(method: string, path: string, body?: unknown) {
      const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
      const response = await fetch(simulator.controlUrl + path, init);
      const text = await response.text();
      return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
    }
    const fault = async (body: object) => assert.equal((await call('POST', '/faults', body)).status, 204);

    before(async () => {
      started = await service.start();
      simulator = started.simulator;
    });
    after(async () => {
      await started.close();
      await simulator.stop();
    });
    beforeEach(async () => {
      await call('DELETE', '/arrived');
      await call('DELETE', '/faults');
    });

    test('delivers once to each live token and to tokens without a known prefix', async () => {
      assert.equal((await send({ tokens: ['live-1', 'BAEAAAAAB.jlyp2BnK', 'slowly'] })).status, 200);
      assert.deepEqual(arrivedTokens(), ['live-1', 'BAEAAAAAB.jlyp2BnK', 'slowly']);
    });

    test('delivers to the live tokens of a batch, but not to dead or unassigned tokens', async () => {
      assert.equal((await send({ tokens: ['dead-1', 'live-1', 'nobody', '0'.repeat(64)] })).status, 200);
      assert.deepEqual(arrivedTokens(), ['live-1']);
    });

    test('rejects a whole batch that contains a busy token, with Retry-After 7, and delivers nothing', async () => {
      const { status, headers } = await send({ tokens: ['live-1', 'busy-1', 'down-1'] });
      assert.deepEqual([status, headers['retry-after']], [service.busyStatus, '7']);
      assert.deepEqual(arrivedTokens(), []);
    });

    test('fails a whole batch that contains a down token', async () => {
      assert.equal((await send({ tokens: ['live-1', 'down-1', 'half-1'] })).status, service.downStatus);
      assert.deepEqual(arrivedTokens(), []);
    });

    test('delays the response for a slow token', async () => {
      const start = performance.now();
      assert.equal((await send({ tokens: ['live-1', 'slow-1'] })).status, 200);
      assert.ok(performance.now() - start >= SLOW_MS - 10);
      assert.deepEqual(arrivedTokens(), ['live-1', 'slow-1']);
    });

    test('cuts the response for a half token in the middle, although all tokens are reached', async () => {
      const { status, isComplete, json, text } = await send({ tokens: ['live-1', 'half-1'] });
      assert.deepEqual([status, isComplete, json], [200, false, undefined]);
      assert.ok(text.startsWith('{'));
      assert.deepEqual(arrivedTokens(), ['live-1', 'half-1']);
    });

    const answers: readonly (readonly [string, number, unknown])[] = [
      ['outage', 503, undefined],
      ['throttle', service.busyStatus, undefined],
      ['html', 502, undefined],
      ['wrong-credentials', 401, service.unknownCode],
      ['expired-token', 401, service.expiredCode],
    ];
    for (const [kind, status, code] of answers) {
      test(`returns ${status} once for the fault ${kind}`, async () => {
        await fault({ kind, requests: 1 });
        const result = await send();
        assert.equal(result.status, status);
        if (code !== undefined) assert.equal(result.json.code, code);
        assert.deepEqual(arrivedTokens(), []);
        assert.equal((await send()).status, 200);
      });
    }

    test('sends Retry-After for the throttle fault but not for the outage fault', async () => {
      await fault({ kind: 'throttle', requests: 1, retry_after_seconds: 30 });
      assert.equal((await send()).headers['retry-after'], '30');
      await fault({ kind: 'outage', requests: 1 });
      assert.equal((await send()).headers['retry-after'], undefined);
    });

    test('returns a proxy’s error page for the html fault', async () => {
      await fault({ kind: 'html', requests: 1 });
      const { headers, text } = await send();
      assert.equal(headers['content-type'], 'text/html');
      assert.match(text, /^<html>/);
    });

    test('returns the given response for the answer fault', async () => {
      await fault({ kind: 'answer', requests: 1, status: 200, headers: { 'x-word': 'w' }, body: { code: 89999999 } });
      const { status, headers, json } = await send();
      assert.deepEqual([status, headers['x-word'], json], [200, 'w', { code: 89999999 }]);
      await fault({ kind: 'answer', requests: 1, status: 500, body: '{"code":' });
      assert.equal((await send()).text, '{"code":');
      assert.deepEqual(arrivedTokens(), []);
    });

    test('delivers the message but truncates the response for the truncate fault', async () => {
      await fault({ kind: 'truncate', requests: 1 });
      const { status, isComplete } = await send();
      assert.deepEqual([status, isComplete], [200, false]);
      assert.deepEqual(arrivedTokens(), ['live-1']);
    });

    test('resets the connection and delivers nothing for the reset fault', async () => {
      await fault({ kind: 'reset', requests: 1 });
      assert.equal((await send()).errorCode, 'ECONNRESET');
      assert.deepEqual(arrivedTokens(), []);
    });

    test('never responds for the stall fault', async () => {
      await using other = { ...(await service.start()), [Symbol.asyncDispose]: () => other.close() };
      const body = JSON.stringify({ kind: 'stall', duration_ms: 60_000 });
      await fetch(`${other.simulator.controlUrl}/faults`, { method: 'POST', body });
      const answered = other.send().then(() => 'answered');
      assert.equal(await Promise.race([answered, wait(250, 'silent')]), 'silent');
      assert.equal(other.simulator.arrived().length, 0);
      await other.simulator.stop();
      assert.equal(await answered, 'answered'); // because stopping the simulator closes the connection
    });

    test('does not apply faults of the token endpoint to sending', async () => {
      await using client = new HttpsClient(identity.caPem);
      await fault({ kind: 'token-outage', requests: 1 });
      await fault({ kind: 'token-refused', requests: 1 });
      assert.equal((await send()).status, 200);
      assert.equal((await started.requestToken(client)).status, 503);
      assert.equal((await started.requestToken(client)).json.error, service.tokenError);
      assert.equal((await started.requestToken(client)).status, 200);
    });

    test('lists deliveries, optionally for one token, and keeps only the newest', async () => {
      await send({ tokens: Array.from({ length: 53 }, (_, index) => `live-${index}`) });
      const { json } = await call('GET', '/arrived?limit=2');
      const tokens = json.arrived.map((each: { token: string }) => each.token);
      assert.deepEqual([json.total, tokens], [50, ['live-51', 'live-52']]);
      assert.equal((await call('GET', '/arrived?token=live-7')).json.arrived[0].token, 'live-7');
    });

    test('counts deliveries by the tag of a notification, or by biTag for a data-only message', async () => {
      await send({ tokens: ['live-1', 'live-2', 'dead-1'], notification: { tag: 'news' } });
      await send({ tokens: ['live-1'], notification: { tag: 'news' } });
      await send({ tokens: ['live-1'], android: { notification: undefined } });
      assert.deepEqual((await call('GET', '/tally')).json, {
        whole: true,
        tally: { news: { 'live-1': 2, 'live-2': 1 }, 'task-7': { 'live-1': 1 } },
      });
    });

    test('keeps connections open and counts requests by response', async () => {
      await send();
      const before = (await call('GET', '/counts')).json.send;
      await send();
      await send({ tokens: ['busy-1'] });
      const { connections, requests } = (await call('GET', '/counts')).json.send;
      assert.equal(connections.opened, before.connections.opened);
      const busy = String(service.busyStatus);
      assert.equal(requests[busy], (before.requests[busy] ?? 0) + 1);
    });

    test('displays a notification as a phone does, with escaped HTML', async () => {
      await send({ notification: { title: '<b>Sale</b>', image: 'https://example.com/a.png' } });
      await send({ android: { notification: undefined } });
      const { text } = await call('GET', '/');
      assert.ok(text.includes(`<h1>${service.name} Push simulator</h1>`));
      assert.match(text, /&#60;b&#62;Sale/);
      assert.match(text, /<img src="https:\/\/example.com\/a.png"/);
      assert.match(text, /<b>\+1<\/b>/);
      assert.match(text, /Data-only message/);
    });

    test('rejects an unknown kind of fault', async () => {
      const { status, json } = await call('POST', '/faults', { kind: 'goaway', requests: 1 });
      assert.equal(status, 400);
      assert.match(json.error, /^kind must be one of /);
    });
  });
}

test('simulators with the same identity need only one CA file', async () => {
  await using huawei = await startHuaweiSimulator({ identity });
  await using honor = await startHonorSimulator({ identity });
  await using client = new HttpsClient(identity.caPem);
  assert.equal(huawei.caPem, honor.caPem);
  assert.equal((await requestHuaweiToken(client, huawei, {})).status, 200);
  assert.equal((await requestHonorToken(client, honor, {})).status, 200);
});
