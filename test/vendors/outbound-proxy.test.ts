import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import type { VendorName } from '#src/domain/channel.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { VendorSender } from '#src/vendors/sender.ts';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { startVendorSimulators, type VendorSimulators } from '../support/vendor-simulators.ts';

/** Two vendors with HTTP/2, one of which has a token endpoint with HTTP/1.1, and one vendor with HTTP/1.1 only. */
const names = ['apns', 'fcm', 'huawei'] as const;

const LONG_DEADLINE_SECONDS = 10;
const SHORT_DEADLINE_SECONDS = 1;
/** A send counts as hanging if it takes this much longer than its deadline. */
const GRACE_MS = 1_500;
/** Contains characters that must be encoded in a URL. */
const CREDENTIALS = 'ringer:c@n/ary:4711';

let vendors: VendorSimulators;
let proxy: ConnectProxy;
before(async () => {
  vendors = await startVendorSimulators();
  proxy = await startConnectProxy(CREDENTIALS);
});
after(async () => {
  await proxy[Symbol.asyncDispose]();
  await vendors[Symbol.asyncDispose]();
});
afterEach(() => {
  proxy.behavior = 'serve';
  proxy.connectTargets.length = 0;
});

const urlWith = (password: string) => `http://ringer:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}`;
const goodUrl = () => urlWith('c@n/ary:4711');

function newSender(change: Readonly<Record<string, string | number>> = {}): VendorSender & Disposable {
  const sender = new VendorSender({
    ...vendors.settings,
    CARILLON_VENDOR_DEADLINE_SECONDS: LONG_DEADLINE_SECONDS,
    CARILLON_VENDOR_PROXY_URL: goodUrl(),
    CARILLON_VENDOR_PROXY_FOR: '',
    CARILLON_WEBPUSH_HOSTS: '',
    ...change,
  });
  return Object.assign(sender, { [Symbol.dispose]: () => sender.close() });
}

let tokens = 0;
async function send(sender: VendorSender, name: VendorName, account = vendors.newAccount(name)): Promise<Outcome> {
  const token = `live-proxy${++tokens}`;
  const notification = {
    taskId: BigInt(tokens),
    deviceId: 64n,
    reference: `${tokens}.2.3`,
    message: { type: 'text', badge: '+1', body: 'ding' } as const,
    badge: 1,
    notAfter: new Date(Date.now() + 60_000),
  };
  const [outcome] = await sender.send(name, account, [{ token, notification }], new Date());
  const isThere = (await vendors.arrivedTokens(name, token)).length === 1;
  assert.equal(isThere, outcome?.kind === 'accepted');
  return outcome as Outcome;
}

/** Returns the host and port of a vendor URL, as in a CONNECT request. */
const authorityOf = (setting: string) => new URL(vendors.settings[setting] as string).host;

describe('a proxy between Carillon and vendors', () => {
  for (const name of names) {
    test(`${name} is reached through the proxy, with a user name and password`, async () => {
      using sender = newSender();
      const account = vendors.newAccount(name);
      assert.equal((await send(sender, name, account)).kind, 'accepted');
      const places = {
        apns: ['CARILLON_APNS_URL_PRODUCTION'],
        fcm: ['CARILLON_FCM_TOKEN_URL', 'CARILLON_FCM_URL'],
        huawei: ['CARILLON_HUAWEI_TOKEN_URL', 'CARILLON_HUAWEI_URL'],
      }[name];
      assert.deepEqual(proxy.connectTargets, places.map(authorityOf));
      assert.equal((await send(sender, name, account)).kind, 'accepted');
      assert.equal(proxy.connectTargets.length, places.length, 'over the same connection');
    });

    for (const [what, only, expected] of [
      ['not named', names.filter((other) => other !== name).join(), false],
      ['named', `meizu, ${name}`, true],
    ] as const)
      test(`${name} ${expected ? 'uses' : 'does not use'} the proxy when the vendor is ${what}`, async () => {
        using sender = newSender({ CARILLON_VENDOR_PROXY_FOR: only });
        assert.equal((await send(sender, name)).kind, 'accepted');
        assert.equal(proxy.connectTargets.length > 0, expected);
      });

    for (const manner of ['hang', 'hang-up', 407, 502] as const)
      test(`${name} is unreachable by the deadline if the proxy behavior is ${manner}, and no secret is revealed`, async () => {
        using sender = newSender({ CARILLON_VENDOR_DEADLINE_SECONDS: SHORT_DEADLINE_SECONDS });
        const account = vendors.newAccount(name);
        proxy.behavior = manner;
        const start = performance.now();
        const outcome = await send(sender, name, account);
        assert.ok(performance.now() - start < SHORT_DEADLINE_SECONDS * 1_000 + GRACE_MS);
        assert.equal(outcome.kind, 'unreachable');
        assert.ok(!/c@n|4711|ringer/.test(JSON.stringify(outcome)));
        if (typeof manner !== 'number') return;
        assert.match(JSON.stringify(outcome), new RegExp(`The proxy returned ${manner}`));
        proxy.behavior = 'serve';
        assert.equal((await send(sender, name, account)).kind, 'accepted', 'the proxy is used again');
      });

    test(`${name} is unreachable with a wrong password, which is not revealed`, async () => {
      using sender = newSender({ CARILLON_VENDOR_PROXY_URL: urlWith('canary-word') });
      const outcome = await send(sender, name);
      assert.deepEqual([outcome.kind, JSON.stringify(outcome).includes('canary')], ['unreachable', false]);
    });

    test(`${name} is unreachable if no proxy is listening, and the password is not revealed`, async () => {
      for (const nobody of ['127.0.0.1:9', 'localhost:9', '[::1]:9', 'nobody.invalid:3128']) {
        using sender = newSender({ CARILLON_VENDOR_PROXY_URL: `http://ringer:canary@${nobody}` });
        const outcome = await send(sender, name);
        assert.deepEqual([outcome.kind, JSON.stringify(outcome).includes('canary')], ['unreachable', false]);
        assert.match(JSON.stringify(outcome), /"reason":".*(REFUSED|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL)/, nobody);
      }
    });

    test(`${name} reconnects after all connections were reset`, async () => {
      using sender = newSender();
      const account = vendors.newAccount(name);
      assert.equal((await send(sender, name, account)).kind, 'accepted');
      proxy.resetAll();
      await new Promise(setImmediate);
      // The first request may use a connection that was reset. Later requests must not.
      await send(sender, name, account);
      assert.equal((await send(sender, name, account)).kind, 'accepted');
    });
  }
});

describe('a vendor URL with a path', () => {
  test('is the prefix of every request URL', async () => {
    const paths: string[] = [];
    const upstream = connect(vendors.settings.CARILLON_FCM_URL as string);
    const detour = createServer((request, response) => {
      paths.push(request.url);
      const { ':path': path = '', ':authority': _, ':scheme': __, ...headers } = request.headers;
      const onward = upstream.request({ ...headers, [constants.HTTP2_HEADER_PATH]: path.replace(/^\/fcm\//, '/') });
      onward.on('response', ({ ':status': status = 500, ...others }) => {
        response.writeHead(status, others as Record<string, string>);
        onward.pipe(response);
      });
      request.pipe(onward);
    });
    detour.listen(0, '127.0.0.1');
    await once(detour, 'listening');
    const { port } = detour.address() as AddressInfo;
    for (const slash of ['', '/']) {
      using sender = newSender({
        CARILLON_VENDOR_PROXY_URL: '',
        CARILLON_FCM_URL: `http://127.0.0.1:${port}/fcm${slash}`,
      });
      assert.equal((await send(sender, 'fcm')).kind, 'accepted');
    }
    const project = vendors.factsOf('fcm').certificate.app_id;
    assert.deepEqual(paths, new Array(2).fill(`/fcm/v1/projects/${project}/messages:send`));
    upstream.destroy();
    detour.close();
  });
});
