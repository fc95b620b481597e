import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { BODY_BYTES_MAX } from '#src/contract/operation.ts';
import { operations } from '#src/contract/operations.ts';
import { createServerIdentity } from '../../simulators/kit/certificate.ts';
import { callHttps } from '../deploy/proxy-calls.ts';
import { type ProxyProcess, proxyKinds, startProxy } from '../deploy/proxy-process.ts';
import { flood, sendRaw } from '../deploy/raw-requests.ts';
import { startUpstream, type Upstream } from '../deploy/upstream.ts';
import { eventually } from '../support/eventually.ts';

const identity = createServerIdentity(Date.now());
const { caPem: ca } = identity;

const ATTACKER = '127.0.20.1';
const OWN_SERVER = '127.0.20.2';
const OTHER = '127.0.20.3';
const WEBSOCKET_HEADERS = `upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${'A'.repeat(22)}==\r\n`;
const TOO_MANY_REQUESTS = /\{"code":12029,"data":null,"message":"[^"]+"}$/;
/** Lower limits than shipped, so that the test does not open thousands of connections. */
const OPEN_REQUESTS = 10;
const DEVICES = 20;
const lowLimits = {
  nginx: [
    ['open_requests 256', `open_requests ${OPEN_REQUESTS}`],
    [' 4096', ` ${DEVICES}`],
  ],
  haproxy: [
    ['sc1_conn_cur gt 256', `sc1_conn_cur gt ${OPEN_REQUESTS}`],
    [' 4096', ` ${DEVICES}`],
  ],
} satisfies Record<string, [string, string][]>;
/** Replacements that make the proxy read the client's address from a PROXY protocol header. */
const proxyHeaderChanges = {
  nginx: [
    ['listen 443 ssl;', 'listen 443 ssl proxy_protocol; set_real_ip_from 127.0.0.1; real_ip_header proxy_protocol;'],
  ],
  haproxy: [
    ['bind :443 ssl', 'bind :443 accept-proxy ssl'],
    ['tcp-request connection', 'tcp-request session'],
  ],
} satisfies Record<string, [string, string][]>;

for (const kind of proxyKinds)
  describe(`${kind.name} limits one address while another address is served`, () => {
    let upstream: Upstream;
    let proxy: ProxyProcess;

    before(async () => {
      upstream = await startUpstream();
      proxy = await startProxy(kind, identity, upstream.places, [['192.0.2.10', OWN_SERVER]]);
    });
    after(async () => {
      await proxy?.[Symbol.asyncDispose]();
      await upstream?.[Symbol.asyncDispose]();
    });

    const sender = (localAddress: string) => ({ port: proxy.ports.https, ca, localAddress });
    const call = (localAddress: string, path = '/push/task/detail') =>
      callHttps(proxy.ports.https, ca, { path, body: {}, localAddress });

    test('too many requests', async () => {
      const [{ statuses, text }] = await Promise.all([
        flood(sender(ATTACKER), '/push/task/detail', 20_000),
        (async () => {
          for (let i = 0; i < 20; i++) assert.equal((await call(OTHER)).status, 200);
        })(),
      ]);
      const served = statuses.filter((status) => status === 200).length;
      assert.ok(statuses.includes(429) && served >= 1_000 && served < 10_000, `${served} requests were served`);
      assert.ok(upstream.requestCount < 10_000, `${upstream.requestCount} requests reached the API`);
      const [rejected = ''] = /HTTP\/1\.1 429 [^}]+}/.exec(text) ?? [];
      for (const part of [
        /retry-after: 1\r\n/i,
        /content-type: application\/json; charset=utf-8\r\n/i,
        TOO_MANY_REQUESTS,
      ])
        assert.match(rejected, part);
    });

    test('a server in the list of exceptions is not limited', async () => {
      const { statuses } = await flood(sender(OWN_SERVER), '/push/task/detail', 5_000);
      assert.deepEqual([...new Set(statuses)], [200]);
    });

    test('too many open requests and connections', async () => {
      await using limited = await startProxy(kind, identity, upstream.places, lowLimits[kind.name]);
      const open = (localAddress: string) => {
        const socket = connect({ port: limited.ports.mqtt, host: '127.0.0.1', localAddress });
        return socket.on('error', () => undefined).resume();
      };
      const sockets = Array.from({ length: 2 * DEVICES }, () => open('127.0.20.5'));
      await eventually(() => assert.equal(sockets.filter(({ destroyed }) => !destroyed).length, DEVICES));
      const device = open(OTHER);
      const bytes = upstream.bytesReceived;
      device.write('x');
      await eventually(() => assert.ok(upstream.bytesReceived > bytes, 'another device is connected'));
      for (const socket of [...sockets, device]) socket.destroy();

      upstream.behaviour = 'hang';
      const requests: [localAddress: string, request: string, openMax: number][] = [
        ['127.0.20.6', 'POST /push/task/detail HTTP/1.1\r\ncontent-length: 0\r\nconnection: close\r\n', OPEN_REQUESTS],
        ['127.0.20.7', `GET /mqtt HTTP/1.1\r\nconnection: upgrade, close\r\n${WEBSOCKET_HEADERS}`, DEVICES],
      ];
      for (const [address, request, openMax] of requests) {
        const send = (localAddress: string) =>
          sendRaw({ port: limited.ports.https, ca, localAddress }, `${request}host: x\r\n\r\n`);
        const opened = upstream.requestCount;
        for (let i = 1; i <= openMax; i++) {
          void send(address);
          await eventually(() => assert.equal(upstream.requestCount, opened + i));
        }
        await send(address); // closed by the proxy
        assert.equal(upstream.requestCount, opened + openMax);
        void send(OTHER);
        await eventually(() => assert.equal(upstream.requestCount, opened + openMax + 1));
      }
    });
  });

for (const kind of proxyKinds)
  describe(`${kind.name} in front of the API`, () => {
    let upstream: Upstream;
    before(async () => {
      upstream = await startUpstream();
    });
    after(() => upstream?.[Symbol.asyncDispose]());

    test('rejects bodies that the API would reject, and no other bodies', async () => {
      await using proxy = await startProxy(kind, identity, upstream.places);
      const post = async (path: string, bytes: number) =>
        (await callHttps(proxy.ports.https, ca, { path, body: 'x'.repeat(bytes) })).status;
      const limits = new Map(operations.map(({ path, bodyBytesMax = BODY_BYTES_MAX }) => [path, bodyBytesMax]));
      limits.set(`/callback/huawei/${'a'.repeat(43)}`, 1024 * 1024);
      for (const [path, bytesMax] of limits)
        assert.deepEqual([await post(path, bytesMax), await post(path, bytesMax + 1)], [200, 413], path);
    });

    test('counts an IPv6 network as one address', async () => {
      await using proxy = await startProxy(kind, identity, upstream.places, proxyHeaderChanges[kind.name]);
      const from = async (proxiedAddress: string, requests: number) =>
        (await flood({ port: proxy.ports.https, ca, proxiedAddress }, '/push/task/detail', requests)).statuses;
      assert.ok((await from('2001:db8:1:2::1', 6_000)).includes(429));
      assert.ok((await from('2001:db8:1:2:ffff:ffff:ffff:ffff', 1_000)).includes(429), 'the same network');
      assert.deepEqual([...new Set(await from('2001:db8:1:3::1', 250))], [200], 'another network');
      assert.deepEqual([...new Set(await from('2001:db9:1:2::1', 250))], [200], 'another network');
      // IPv4 clients of a listener for both protocols.
      assert.ok((await from('::ffff:198.51.100.1', 6_000)).includes(429));
      assert.deepEqual([...new Set(await from('::ffff:198.51.100.2', 250))], [200], 'another IPv4 address');
    });
  });
