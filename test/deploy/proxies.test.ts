import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { loadSettings } from '#src/foundation/settings.ts';
import { gatewaySettings } from '#src/gateway/settings.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { freePort } from '../../scripts/stack/free-port.ts';
import { createServerIdentity } from '../../simulators/kit/certificate.ts';
import { type Carillon, startCarillon, type TestUser } from '../support/carillon.ts';
import { connectDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { type Call, callDirectly, callHttps } from './proxy-calls.ts';
import {
  type BackendAddress,
  type BackendAddresses,
  type ProxyProcess,
  proxyKinds,
  startProxy,
} from './proxy-process.ts';
import { startRelay } from './relay.ts';

const identity = createServerIdentity(Date.now());
const { caPem: ca } = identity;

const GATEWAYS = 2;
const PENDING_PER_ADDRESS_MAX = 3;
const LOGIN_FAILURES_MAX = 3;
/** Long enough for two health checks by HAProxy, with a margin. */
const DRAIN_SECONDS = 4;
/** Number of concurrent callers through each proxy. */
const CALLERS = 2;
/** Time for which the calls continue after the last fault. */
const AFTERWARDS_MS = 1_500;

describe('the service behind the proxies in deploy/', () => {
  let carillon: Carillon;
  let user: TestUser;
  /** API processes, in the order in which the proxies number them. */
  let apis: [RoleProcess, RoleProcess];
  let places: BackendAddresses;
  const proxies = new Map<string, ProxyProcess>();
  const proxy = (name: string) => proxies.get(name) as ProxyProcess;

  before(async () => {
    carillon = await startCarillon({
      apis: 0,
      gateways: GATEWAYS,
      settings: {
        CARILLON_API_TRUSTED_PROXIES: '127.0.0.1',
        CARILLON_MQTT_TRUSTED_PROXIES: '127.0.0.1',
        CARILLON_LOGIN_FAILURES_PER_ADDRESS: `${LOGIN_FAILURES_MAX}`,
        CARILLON_LOGIN_FAILURES_PER_NAME: '1000',
        CARILLON_GATEWAY_PENDING_CONNECTIONS_PER_ADDRESS_MAX: `${PENDING_PER_ADDRESS_MAX}`,
      },
    });
    apis = await Promise.all([startApi(), startApi()]);
    const [first, second] = apis;
    const [gateway1, gateway2] = carillon.gateways as [RoleProcess, RoleProcess];
    places = {
      'api-1:8080': placeOf(first, first.ports.api),
      'api-2:8080': placeOf(second, second.ports.api),
      'gateway-1:8083': placeOf(gateway1, gateway1.ports.webSocket),
      'gateway-2:8083': placeOf(gateway2, gateway2.ports.webSocket),
      'gateway-1:1883': placeOf(gateway1, gateway1.ports.gateway),
      'gateway-2:1883': placeOf(gateway2, gateway2.ports.gateway),
    };
    const started = await Promise.all(proxyKinds.map((kind) => startProxy(kind, identity, places)));
    for (const each of started) proxies.set(each.name, each);
    user = await carillon.createUser('ada');
  });
  after(async () => {
    for (const each of proxies.values()) await each[Symbol.asyncDispose]();
    await Promise.all([...carillon.apis, ...carillon.gateways].map((role) => role.kill())); // without waiting for connections to drain
    await carillon[Symbol.asyncDispose]();
  });

  /** Starts an API process on fixed ports, which a restarted process can reuse. */
  async function startApi(ports?: RoleProcess['ports']): Promise<RoleProcess> {
    return carillon.start('api', {
      CARILLON_API_PORT: `${ports?.api ?? (await freePort())}`,
      CARILLON_HEALTH_PORT: `${ports?.health ?? (await freePort())}`,
      CARILLON_READINESS_DELAY_SECONDS: `${DRAIN_SECONDS}`,
    });
  }
  const placeOf = ({ ports }: RoleProcess, port: number | undefined): BackendAddress => ({
    port: port as number,
    healthPort: ports.health,
  });
  const admin = () => ({ app_id: carillon.appId, 'access-token': carillon.adminToken });

  /** Returns a notify call to a user without devices. Its title identifies the task. */
  const notifyCall = (title: string, setting: object = {}): Call => ({
    path: '/push/notify',
    headers: admin(),
    body: { audience: { user_id: [user.userId] }, message: { title }, setting },
  });
  /** Returns the titles and IDs of the tasks whose title starts with `prefix`. */
  async function tasksOf(prefix: string): Promise<{ title: string; task_id: bigint }[]> {
    return carillon.storage.home.query<{ title: string; task_id: bigint }>(
      `select message::json ->> 'title' as title, task_id from tasks where message::json ->> 'title' like $1`,
      [`${prefix}%`],
    );
  }

  for (const [index, kind] of proxyKinds.entries()) {
    const { name } = kind;
    const call = (each: Call) => callHttps(proxy(name).ports.https, ca, each);
    const clientAddress = (last: number) => `127.0.${10 + index}.${last}`;

    test(`${name} accepts its configuration file without warnings`, () => {
      assert.match(proxy(name).configCheckOutput, /test is successful|Configuration file is valid/);
      assert.doesNotMatch(proxy(name).configCheckOutput, /warn/i);
    });

    test(`${name}: all six operations work over HTTPS and with underscores in header names`, async () => {
      const headers = { app_id: carillon.appId };
      const { userId, name: login, password } = user;
      const device_guid = `${name}-six`;
      const onBehalf = { ...admin(), user_id: `${userId}` };
      const byId = await call({ path: '/token/id', headers, body: { user_id: userId, password, device_guid } });
      assert.ok((byId.envelope.data as { push_token: string }).push_token.length > 20);
      const notified = await call(notifyCall(`${name}-six`));
      const { task_id } = notified.envelope.data as { task_id: number };
      const answers = [
        byId,
        await call({ path: '/token/login', headers, body: { login_name: login, password, device_guid } }),
        await call({ path: '/token/user', headers, body: { name: login, password, device_guid } }),
        await call({ method: 'GET', path: '/push/certificate?provider=1', headers: onBehalf }),
        notified,
        await call({ path: '/push/task/detail', headers: admin(), body: { list: [task_id] } }),
      ];
      for (const { status, envelope, type } of answers)
        assert.deepEqual(
          [status, envelope.code, envelope.message, type],
          [200, 200, null, 'application/json; charset=utf-8'],
        );
    });

    const refusals: [what: string, call: () => Call][] = [
      ['a missing app_id', () => ({ path: '/push/notify', body: {} })],
      ['an app-id header', () => ({ path: '/push/notify', headers: { 'app-id': carillon.appId }, body: {} })],
      ['an app that does not exist', () => ({ path: '/push/notify', headers: { app_id: 'nobody' }, body: {} })],
      ['an invalid user_id', () => ({ path: '/push/validate', headers: { ...admin(), user_id: 'x' }, body: {} })],
      ['a body of 300 KB', () => ({ path: '/push/notify', headers: admin(), body: { x: 'x'.repeat(300_000) } })],
      ['a body of 2 MB', () => ({ path: '/push/notify', headers: admin(), body: { x: 'x'.repeat(2_000_000) } })],
      ['a body that is not JSON', () => ({ path: '/push/notify', headers: admin(), body: '{' })],
      ['a header of 9 KB', () => ({ path: '/push/notify', headers: { ...admin(), x: 'x'.repeat(9_000) }, body: {} })],
      ['an unsupported method', () => ({ method: 'GET', path: '/push/notify', headers: admin() })],
      ...['/metrics', '/readyz', '/healthz'].map((path): [string, () => Call] => [
        `${path}, which is internal,`,
        () => ({ method: 'GET', path, headers: admin() }),
      ]),
    ];
    for (const [what, refused] of refusals)
      test(`${name}: ${what} gets the same response as without a proxy`, async () => {
        const answer = await call(refused());
        assert.notEqual(answer.envelope.code, 200);
        assert.deepEqual(answer, await callDirectly(apis[0].apiUrl, refused()));
      });

    for (const [way, urlOf] of [
      ['TCP', ({ mqtt }) => `mqtt://127.0.0.1:${mqtt}`],
      ['TLS', ({ mqtts }) => `mqtts://127.0.0.1:${mqtts}`],
      ['WebSocket', ({ https }) => `wss://127.0.0.1:${https}/mqtt`],
    ] as [string, (ports: ProxyProcess['ports']) => string][])
      test(`${name}: a device that connects over ${way} receives and acknowledges a notification`, async () => {
        const owner = await carillon.createUser(`${name}-${way}`);
        const login = await carillon.logIn(owner, `${name}-${way}`);
        const gateway = carillon.gateways[0] as RoleProcess;
        await using device = await connectDevice(gateway, login, { url: urlOf(proxy(name).ports), ca });
        const taskId = await carillon.notify({ user_id: [owner.userId] }, { body: 'x'.repeat(3_000) });
        await eventually(() => assert.deepEqual(device.taskIds, [taskId.toString()]));
        await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));
      });

    test(`${name}: failed logins are counted for the real client address, even if X-Forwarded-For is forged`, async () => {
      let calls = 0;
      const fail = (localAddress: string) =>
        call({
          path: '/token/id',
          headers: { app_id: carillon.appId, 'x-forwarded-for': `192.0.2.${++calls}`, x_forwarded_for: '192.0.2.1' },
          body: { user_id: user.userId, password: 'wrong' },
          localAddress,
        });
      for (let i = 0; i < LOGIN_FAILURES_MAX; i++) assert.equal((await fail(clientAddress(1))).status, 401);
      assert.equal((await fail(clientAddress(1))).status, 429);
      assert.equal((await fail(clientAddress(2))).status, 401);
    });

    /**
     * Opens more connections than all gateways together accept, and returns the number of connections that stay open.
     */
    async function staying(openSocket: () => Promise<Socket>): Promise<number> {
      const sockets: Socket[] = [];
      for (let i = 0; i < 2 * GATEWAYS * PENDING_PER_ADDRESS_MAX; i++) sockets.push(await openSocket());
      const open = () => sockets.filter(({ destroyed }) => !destroyed).length;
      await eventually(
        () => assert.ok(open() <= GATEWAYS * PENDING_PER_ADDRESS_MAX, `${open()} connections are open`),
        4,
      );
      const openCount = open();
      for (const socket of sockets) socket.destroy();
      return openCount;
    }

    test(`${name}: connections without a session are counted for the client address`, async () => {
      const openSocket = async () => {
        const { mqtt } = proxy(name).ports;
        const socket = connect({ port: mqtt, host: '127.0.0.1', localAddress: clientAddress(3) });
        socket.on('error', () => undefined).resume();
        await once(socket, 'connect');
        return socket;
      };
      assert.equal(await staying(openSocket), GATEWAYS * PENDING_PER_ADDRESS_MAX);
    });

    test(`${name}: WebSocket connections without a session are counted for the client address, even if X-Forwarded-For is forged`, async () => {
      let calls = 0;
      const openSocket = async () => {
        const { https } = proxy(name).ports;
        const socket = connectTls({ port: https, host: '127.0.0.1', localAddress: clientAddress(4), ca } as object);
        socket.on('error', () => undefined);
        await once(socket, 'secureConnect');
        const key = Buffer.alloc(16).toString('base64');
        socket.write(
          `GET /mqtt HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\nsec-websocket-protocol: mqtt\r\nx-forwarded-for: 192.0.2.${++calls}\r\n\r\n`,
        );
        const [answer] = (await once(socket, 'data')) as [Buffer];
        if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) socket.destroy();
        return socket.resume();
      };
      assert.equal(await staying(openSocket), GATEWAYS * PENDING_PER_ADDRESS_MAX);
    });

    test(`${name}: returns an error instead of repeating a call whose response was lost, and a retry with the same request_id creates no second task`, async () => {
      await using relay = await startRelay(places['api-1:8080']?.port as number);
      const lossy = { port: relay.port, healthPort: places['api-1:8080']?.healthPort as number };
      const lossyPlaces = { ...places, 'api-1:8080': lossy, 'api-2:8080': lossy };
      await using other = await startProxy(kind, identity, lossyPlaces);
      const send = (title: string, setting?: object) => callHttps(other.ports.https, ca, notifyCall(title, setting));
      assert.equal((await send(`${name}-lost-before`)).status, 200);

      relay.dropsResponses = true;
      const { status, type, retryAfter, envelope } = await send(`${name}-lost`, { request_id: `${name}-lost` });
      relay.dropsResponses = false;
      assert.deepEqual([status, type, retryAfter], [502, 'application/json; charset=utf-8', '1']);
      assert.equal(envelope.code, 50003);
      assert.match(envelope.message ?? '', /^The service cannot do this right now\. Try again in a moment\./);
      assert.equal(relay.droppedCount, 1, 'the call was sent once');
      assert.equal((await tasksOf(`${name}-lost`)).length, 2);

      const again = await eventually(async () => {
        const answer = await send(`${name}-lost`, { request_id: `${name}-lost` });
        assert.equal(answer.status, 200); // nginx skips a server for a second after a broken connection
        return answer;
      }, 5);
      const tasks = await tasksOf(`${name}-lost`);
      assert.equal(tasks.length, 2);
      const { task_id } = again.envelope.data as { task_id: number };
      assert.ok(tasks.some((task) => task.task_id === BigInt(task_id)));
    });

    test(`${name} allows a device to be idle for as long as the gateway does`, () => {
      const keepAliveMax = loadSettings({ gatewaySettings }, {}).gatewaySettings.CARILLON_GATEWAY_KEEPALIVE_SECONDS_MAX;
      const minutes = [
        ...proxy(name).shippedConfig.matchAll(/(?:proxy_timeout|proxy_read_timeout|timeout tunnel) (\d+)m/g),
      ];
      assert.equal(minutes.length, 2, 'one timeout for WebSocket and one for TCP');
      for (const [, each] of minutes) assert.ok(Number(each) * 60 > 1.5 * keepAliveMax);
    });

    test(`${name} reveals no version, and logs neither tokens nor the secret of a callback`, async () => {
      await callHttps(proxy(name).ports.https, ca, { path: '/callback/huawei/top-secret?q=top-secret', body: {} });
      const line = await eventually(async () => {
        const logLine = /.*POST \/callback\/huawei\/.*/.exec(await proxy(name).log())?.[0];
        assert.ok(logLine);
        return logLine;
      });
      assert.match(line, /127\.0\.0\.1 \[.*\] POST \/callback\/huawei\/- 404 /);
      const log = await proxy(name).log();
      assert.ok(!log.includes('top-secret') && !log.includes(carillon.adminToken));
      assert.doesNotMatch(proxy(name).shippedConfig, /server_tokens on/);
    });
  }

  test('no accepted task is lost or duplicated when one API process is stopped and another is killed during calls', async (t) => {
    const [first, second] = apis;
    const calling = { until: Number.POSITIVE_INFINITY, phase: 'stop' };
    const accepted = new Map<string, bigint>();
    const failed: string[] = [];
    const caller = async (name: string, number: number) => {
      for (let i = 0; performance.now() < calling.until; i++) {
        const title = `flow-${name}-${number}-${i}`;
        const localAddress = `127.0.30.${number + 1}`; // the limits per address apply to each caller
        const call = { ...notifyCall(title), localAddress };
        const answer = await callHttps(proxy(name).ports.https, ca, call).catch(() => undefined);
        if (answer?.status === 200) {
          accepted.set(title, BigInt((answer.envelope.data as { task_id: number }).task_id));
          continue;
        }
        failed.push(`${name} ${calling.phase}`);
        if (answer) assert.equal(answer.envelope.code, 50003, 'a rejected call has an error code');
      }
    };
    const callers = [...proxies.keys()].flatMap((name) =>
      Array.from({ length: CALLERS }, (_, number) => caller(name, number)),
    );
    try {
      const stopped = first.stop();
      await eventually(async () => {
        const { headers } = await fetch(`${first.apiUrl}/openapi.json`);
        assert.equal(headers.get('connection'), 'close', 'clients are asked to reconnect to another process');
      }, DRAIN_SECONDS / 2);
      assert.equal(await stopped, 0);
      const logged = (await proxy('nginx').log()).length;
      await startApi(first.ports);
      // Wait until both proxies use the restarted process again: nginx retries the server, and HAProxy runs health
      // checks.
      const tried = new RegExp(` 200 .* 127\\.0\\.0\\.1:${first.ports.api}$`, 'm');
      await eventually(async () => assert.ok(tried.test((await proxy('nginx').log()).slice(logged))));
      await eventually(async () => assert.ok((await proxy('haproxy').log()).includes('Server api/api-1 is UP')));
      calling.phase = 'kill';
      await second.kill();
    } finally {
      calling.until = performance.now() + AFTERWARDS_MS;
      await Promise.all(callers);
    }

    const tasks = await tasksOf('flow-');
    const idOf = new Map(tasks.map(({ title, task_id }) => [title, task_id]));
    assert.equal(idOf.size, tasks.length, 'no task exists twice');
    for (const [title, taskId] of accepted) assert.equal(idOf.get(title), taskId, `${title} exists`);
    t.diagnostic(`${accepted.size} accepted; failed: ${failed.join(', ') || 'none'}`);
    assert.ok(accepted.size > 50, `${accepted.size} accepted`);
    for (const name of proxies.keys()) {
      const failedWhen = (phase: string) => failed.filter((each) => each === `${name} ${phase}`).length;
      assert.ok(
        failedWhen('stop') <= (name === 'haproxy' ? 0 : 1),
        `${name}: calls failed while a process was stopped`,
      );
      assert.ok(failedWhen('kill') <= 2 * CALLERS, `${name}: calls failed when a process was killed`);
    }
  });
});
