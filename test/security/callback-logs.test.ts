import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createServerIdentity } from '../../simulators/kit/certificate.ts';
import { type Call, callHttps } from '../deploy/proxy-calls.ts';
import { type ProxyProcess, proxyKinds, startProxy } from '../deploy/proxy-process.ts';
import { flood, sendRaw } from '../deploy/raw-requests.ts';
import { startUpstream, type Upstream } from '../deploy/upstream.ts';
import { eventually } from '../support/eventually.ts';

const identity = createServerIdentity(Date.now());
const { caPem: ca } = identity;

const SECRET = 'bMkXsecretsecretsecretsecretsecretsecretsec';
const QUERY = 'querysecret';
const CALLBACK = `/callback/huawei/${SECRET}?q=${QUERY}`;
/** Paths that a typing error in a vendor's console can cause. */
const wrongPaths = [
  `/callback/${SECRET}`,
  `/callback/${SECRET}/huawei`,
  `/Callback/Huawei/${SECRET}`,
  `//callback/huawei/${SECRET}`,
  `/api/callback/huawei/${SECRET}`,
  `/%63allback/huawei/${SECRET}`,
  `/callback?secret=${SECRET}`,
  `/callback/huawei/${SECRET}/%`,
  `/callback/huawei/${SECRET} HTTP/9.9`,
  `/callback/huawei/${SECRET}/${'x'.repeat(40_000)}`,
];
/** Shorter timeouts and lower limits than shipped, so that the tests do not take minutes. */
const changes = {
  nginx: [
    ['rate=1000r/s', 'rate=1r/s'],
    ['burst=5000', 'burst=100'],
    ['proxy_read_timeout 60s', 'proxy_read_timeout 1s'],
    ['client_body_timeout 10s', 'client_body_timeout 1s'],
  ],
  haproxy: [
    ['sc0_http_req_rate gt 10000', 'sc0_http_req_rate gt 100'],
    ['timeout server 60s', 'timeout server 1s'],
    ['timeout client 30s', 'timeout client 1s'],
  ],
} satisfies Record<string, [string, string][]>;

for (const kind of proxyKinds)
  describe(`${kind.name} writes no callback secret to its logs`, () => {
    let upstream: Upstream;
    let proxy: ProxyProcess;

    before(async () => {
      upstream = await startUpstream();
      proxy = await startProxy(kind, identity, upstream.places, changes[kind.name]);
    });
    after(async () => {
      await proxy?.[Symbol.asyncDispose]();
      await upstream?.[Symbol.asyncDispose]();
    });

    const post = (call: Partial<Call> = {}) =>
      callHttps(proxy.ports.https, ca, { path: CALLBACK, body: {}, ...call }).then(({ status }) => status);

    const send = (text: string) => sendRaw({ port: proxy.ports.https, ca }, text);

    /** Waits until the log has a new line that matches, and checks the whole log. */
    async function expectLogged(from: number, pattern: RegExp): Promise<void> {
      await eventually(async () => assert.match((await proxy.log()).slice(from), pattern));
      const log = await proxy.log();
      for (const secret of [SECRET, QUERY]) {
        const line = log.split('\n').find((each) => each.includes(secret));
        assert.equal(line, undefined);
      }
    }
    const logLength = async () => (await proxy.log()).length;

    test('after a callback', async () => {
      upstream.behaviour = 'respond';
      const from = await logLength();
      assert.equal(await post(), 200);
      await expectLogged(from, /POST \/callback\/huawei\/- 200 /);
    });

    test('if the API closes the connection', async () => {
      upstream.behaviour = 'close';
      const from = await logLength();
      assert.equal(await post(), 502);
      await expectLogged(from, /POST \/callback\/huawei\/- 502 /);
    });

    test('if the API does not respond', async () => {
      upstream.behaviour = 'hang';
      const from = await logLength();
      assert.equal(await post(), 504);
      await expectLogged(from, /POST \/callback\/huawei\/- 504 /);
    });

    test('if the body is buffered in a file, or is too large', async () => {
      upstream.behaviour = 'respond';
      const from = await logLength();
      // nginx skips a server for a second after a failure.
      await eventually(async () => assert.equal(await post({ body: 'x'.repeat(900_000) }), 200), 5);
      assert.equal(await post({ body: 'x'.repeat(1_100_000) }), 413);
      await expectLogged(from, /POST \/callback\/huawei\/- 413 /);
    });

    test('if the body is incomplete', async () => {
      const from = await logLength();
      await send(`POST ${CALLBACK} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{`);
      await expectLogged(from, /POST \/callback\/huawei\/- (408|50[024]|-1) /);
    });

    test('if the request is malformed', async () => {
      upstream.behaviour = 'close';
      for (const header of ['no colon', `x: ${'x'.repeat(40_000)}`, 'content-length: x', 'transfer-encoding: x', ': x'])
        await send(`POST ${CALLBACK} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${header}\r\n\r\n`);
      for (const path of wrongPaths)
        await send(`POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      const from = await logLength();
      assert.equal(await post(), 502);
      await expectLogged(from, /POST \/callback\/huawei\/- 502 /);
    });

    test('if there are too many requests', async () => {
      upstream.behaviour = 'respond';
      const from = await logLength();
      const { statuses } = await flood({ port: proxy.ports.https, ca }, CALLBACK, 1_000);
      assert.ok(statuses.includes(429));
      await expectLogged(from, /POST \/callback\/huawei\/- 429 /);
    });

    test('if no API process is running', async () => {
      await upstream[Symbol.asyncDispose]();
      const from = await logLength();
      assert.ok([502, 503].includes(await post({ localAddress: '127.0.0.2' })));
      await expectLogged(from, /POST \/callback\/huawei\/- 50[23] /);
    });
  });
