import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorWithReasonCode } from 'mqtt';
import { WebSocket } from 'ws';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';

const THOUSANDS_MAX = 5;
/** Maximum memory growth. Retaining only the first chunk of each of a thousand connections would already need 64 MB. */
const GROWN_MB_MAX = 8;
/** Connections with invalid data are closed long before the five-second timeout for silent connections. */
const CUT_MS_MAX = 2_500;

describe('limits of device connections', () => {
  let carillon: Carillon;
  let user: TestUser;
  let login: Login;

  before(async () => {
    carillon = await startCarillon({
      settings: {
        CARILLON_GATEWAY_PENDING_CONNECTIONS_PER_ADDRESS_MAX: '20',
        CARILLON_GATEWAY_ACCEPTS_PER_ADDRESS_PER_SECOND: '50',
      },
    });
    user = await carillon.createUser('ada');
    login = await carillon.logIn(user, 'phone');
  });
  after(() => carillon[Symbol.asyncDispose]());

  const gateway = () => carillon.gateways[0] as RoleProcess;
  const metric = async (name: string, from = gateway()) => {
    const text = await (await fetch(`${from.healthUrl}/metrics`)).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length) ?? 0,
    );
  };
  const refused = (reason: string, from = gateway()) =>
    metric(`carillon_gateway_refused_total{reason="${reason}"}`, from);

  /** Connects from one of the loopback addresses without sending anything. */
  async function connectFrom(localAddress: string, port = gateway().ports.gateway as number): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined).resume();
    await once(socket, 'connect');
    return socket;
  }

  /** Resolves when the socket is closed, whether it was reset or ended. */
  const closed = (socket: Socket) =>
    new Promise<void>((resolve) => {
      if (socket.destroyed) resolve();
      else socket.once('close', () => resolve());
    });

  /** Logs in the given number of devices for a new user, who can have at most twenty. */
  async function logInMany(name: string, count: number): Promise<Login[]> {
    const owner = await carillon.createUser(name);
    const logins: Login[] = [];
    for (let i = 0; i < count; i++) logins.push(await carillon.logIn(owner, `${name}-${i}`));
    return logins;
  }

  /**
   * Connects legitimate devices one after the other while `busy` returns true, and returns the 99th percentile of the
   * connection time. The slowest connection is always ignored, because a machine may pause for a moment.
   */
  async function connectMs(busy: () => boolean): Promise<{ count: number; p99: number }> {
    const times: number[] = [];
    while (busy()) {
      const begun = performance.now();
      const localAddress = `127.0.2.${1 + (times.length % 250)}`; // Use many addresses, as legitimate devices do.
      await using device = await connectDevice(gateway(), login, { localAddress });
      assert.ok(device.client.connected);
      times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    const at = Math.min(Math.floor(times.length * 0.99), times.length - 2);
    return { count: times.length, p99: times[at] as number };
  }

  test('closes 10,000 silent sockets within six seconds without delaying other devices', async (t) => {
    await (await connectDevice(gateway(), login))[Symbol.asyncDispose](); // The first connection is slower, so it is not measured.
    const until = performance.now() + 1_500;
    const quiet = await connectMs(() => performance.now() < until);

    const ports = [gateway().ports.gateway, gateway().ports.webSocket] as number[];
    const sockets: Socket[] = [];
    const gone: number[] = [];
    for (let host = 0; host < 500; host++) {
      const address = `127.0.${3 + Math.floor(host / 250)}.${2 + (host % 250)}`;
      const twenty = Array.from({ length: 20 }, (_, i) => connectFrom(address, ports[i % 2]));
      for (const socket of await Promise.all(twenty)) {
        const at = performance.now();
        socket.once('close', () => gone.push(performance.now() - at));
        sockets.push(socket);
      }
    }
    assert.equal(sockets.length, 10_000);
    const crowded = await connectMs(() => gone.length < sockets.length);
    const last = Math.round(Math.max(...gone));
    t.diagnostic(
      `the last socket was closed after ${last} ms; legitimate devices: ${JSON.stringify({ quiet, crowded })}`,
    );
    assert.ok(last < 6_000, `${last} ms`);
    assert.ok(crowded.count >= 20 && crowded.p99 < Math.max(4 * quiet.p99, 500), JSON.stringify({ quiet, crowded }));
  });

  test('closes the connection that has been pending longest if too many connections are pending', async () => {
    const small = await carillon.start('gateway', { CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX: '10' });
    const port = small.ports.gateway as number;
    const sockets: Socket[] = [];
    for (let i = 0; i < 10; i++) sockets.push(await connectFrom('127.0.0.3', port));
    await using device = await connectDevice(small, login);
    assert.ok(device.client.connected);
    await closed(sockets[0] as Socket);
    assert.deepEqual(
      sockets.map((socket) => socket.destroyed),
      [true, ...Array.from({ length: 9 }, () => false)],
    );
    assert.equal(await refused('pending', small), 1);
    for (const socket of sockets) socket.destroy();
  });

  test('limits the pending connections of one address without counting sessions or affecting other addresses', async () => {
    const before = await refused('pending-per-address');
    const devices = [];
    for (const each of await logInMany('neighbour', 5))
      devices.push(await connectDevice(gateway(), each, { localAddress: '127.0.1.1' }));
    const sockets: Socket[] = [];
    // All connections use one listener, which accepts them in order. The limit applies to all listeners together.
    for (let i = 0; i < 20; i++) sockets.push(await connectFrom('127.0.1.1'));
    await closed(await connectFrom('127.0.1.1'));
    await closed(await connectFrom('127.0.1.1', gateway().ports.webSocket));
    assert.equal(await refused('pending-per-address'), before + 2);
    assert.ok(sockets.every((socket) => !socket.destroyed));

    await using other = await connectDevice(gateway(), login);
    assert.ok(other.client.connected);
    sockets[0]?.destroy();
    await eventually(async () => {
      const next = await connectFrom('127.0.1.1');
      await sleep(50);
      assert.ok(!next.destroyed, 'a connection is possible again');
      next.destroy();
    });
    for (const socket of sockets) socket.destroy();
    for (const device of devices) {
      assert.equal((device.client.stream as Socket).localAddress, '127.0.1.1');
      assert.equal(device.closes, 0);
      await device[Symbol.asyncDispose]();
    }
  });

  test('temporarily rejects an address that connects too often', async () => {
    const before = await refused('accept-rate');
    const comeAndGo = async () => {
      const socket = await connectFrom('127.0.1.2');
      socket.destroy();
    };
    // All sockets connect at the same time. A rejected connection may be closed before the client sees it as
    // established.
    await eventually(async () => {
      await Promise.allSettled(Array.from({ length: 120 }, comeAndGo));
      assert.ok((await refused('accept-rate')) > before);
    });
    await eventually(async () => {
      const socket = await connectFrom('127.0.1.2');
      await sleep(50);
      assert.ok(!socket.destroyed);
      socket.destroy();
    });
  });

  test('rejects CONNECTs above the rate per second as "server busy", and accepts them later', async () => {
    const slow = await carillon.start('gateway', {
      CARILLON_GATEWAY_CONNECTS_PER_SECOND: '3',
      CARILLON_GATEWAY_PENDING_CONNECTIONS_PER_ADDRESS_MAX: '0',
    });
    const logins = await logInMany('busy', 10);
    for (const [protocolVersion, code] of [
      [4, 3],
      [5, 0x89],
    ] as const) {
      const results = await Promise.allSettled(logins.map((each) => connectDevice(slow, each, { protocolVersion })));
      const codes = results.flatMap((result) =>
        result.status === 'rejected' ? [(result.reason as ErrorWithReasonCode).code] : [],
      );
      assert.ok(codes.length >= 4 && codes.every((each) => each === code), JSON.stringify(codes));
      for (const result of results) if (result.status === 'fulfilled') await result.value[Symbol.asyncDispose]();
      await sleep(1_100);
    }
    assert.ok((await refused('busy', slow)) >= 8);
    await using device = await connectDevice(slow, login);
    assert.ok(device.client.connected);
  });

  test('limits the sessions of an app, and does not count a reconnecting device twice', async () => {
    const small = await carillon.start('gateway', { CARILLON_GATEWAY_SESSIONS_PER_APP_MAX: '3' });
    const logins = await logInMany('many', 8);
    const results = await Promise.allSettled(logins.map((each) => connectDevice(small, each, { protocolVersion: 5 })));
    const inside = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const codes = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as ErrorWithReasonCode).code] : [],
    );
    assert.equal(inside.length, 3);
    assert.deepEqual(codes, [0x97, 0x97, 0x97, 0x97, 0x97]);
    assert.equal(await refused('app-quota', small), 5);
    await assert.rejects(connectDevice(small, login), (error: ErrorWithReasonCode) => error.code === 3);

    const again = logins[results.findIndex(({ status }) => status === 'fulfilled')] as Login;
    await using back = await connectDevice(small, again);
    assert.ok(back.client.connected, 'the device takes over its own session');
    await eventually(() => assert.equal(inside.filter(({ client }) => client.connected).length, 2));
    await inside.find(({ client }) => client.connected)?.[Symbol.asyncDispose]();
    await eventually(async () => {
      await using next = await connectDevice(small, login);
      assert.ok(next.client.connected, 'a connection is possible again');
    });
    for (const device of inside) await device[Symbol.asyncDispose]();
  });

  test('closes 1,000 connections whose CONNECT declares 268 MB when the length is read, and keeps none of their data', async (t) => {
    const other = await carillon.start('gateway', {
      CARILLON_GATEWAY_PENDING_CONNECTIONS_PER_ADDRESS_MAX: '0',
      CARILLON_GATEWAY_ACCEPTS_PER_ADDRESS_PER_SECOND: '0',
    });
    const begin = Buffer.from('10ffffff7f', 'hex');
    const noise = Buffer.alloc(64_000); // written four times: a quarter of a megabyte per connection
    const byTcp = async () => {
      const socket = await connectFrom('127.0.0.1', other.ports.gateway);
      const begun = performance.now();
      socket.write(begin);
      for (let i = 0; i < 4; i++) socket.write(noise);
      await closed(socket);
      return performance.now() - begun;
    };
    const byWebSocket = async () => {
      const webSocket = new WebSocket(other.webSocketUrl, 'mqtt').on('error', () => undefined);
      await once(webSocket, 'open');
      const begun = performance.now();
      webSocket.send(begin);
      for (let i = 0; i < 4; i++) webSocket.send(noise);
      await new Promise((resolve) => webSocket.once('close', resolve));
      return performance.now() - begun;
    };
    const resident = () => metric('process_resident_memory_bytes', other);
    for (const [transport, connectAndWait] of Object.entries({ byTcp, byWebSocket })) {
      const wave = async (waves: number) => {
        const times: number[] = [];
        for (let i = 0; i < waves; i++) times.push(...(await Promise.all(Array.from({ length: 50 }, connectAndWait))));
        return times.sort((a, b) => a - b);
      };
      // Retained data grows with every thousand connections. Data that is merely garbage-collected late does not.
      let leastMb = Number.POSITIVE_INFINITY;
      for (let i = 0; i < THOUSANDS_MAX && leastMb > GROWN_MB_MAX; i++) {
        const before = await resident();
        const times = await wave(20);
        const grownMb = ((await resident()) - before) / 1e6;
        leastMb = Math.min(leastMb, grownMb);
        const slowest = Math.round(times.at(-1) as number);
        t.diagnostic(
          `${transport}: ${times.length} closed, the slowest after ${slowest} ms, ${grownMb.toFixed(1)} MB more`,
        );
        assert.equal(times.length, 1_000);
        assert.ok((times[500] as number) < CUT_MS_MAX, `${times[500]} ms`);
      }
      assert.ok(leastMb <= GROWN_MB_MAX, `${leastMb} MB of the 256 MB that were sent are kept`);
    }
  });
});
