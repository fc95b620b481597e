import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import mqttPacket, { type Packet } from 'mqtt-packet';
import { WebSocket } from 'ws';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { metricOf } from '../../support/metric.ts';

describe('device connections over WebSocket', () => {
  let carillon: Carillon;
  let user: TestUser;
  let login: Login;

  before(async () => {
    carillon = await startCarillon({ settings: { CARILLON_MQTT_WEBSOCKET_ORIGINS: 'https://good.example' } });
    user = await carillon.createUser('ada');
    login = await carillon.logIn(user, 'browser');
  });
  after(() => carillon[Symbol.asyncDispose]());

  const gateway = () => carillon.gateways[0] as RoleProcess;
  const metric = (name: string) => metricOf(gateway(), name);

  const connectBytes = () =>
    mqttPacket.generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      keepalive: 60,
      clientId: login.deviceGuid,
      username: login.push_token,
      password: Buffer.from(login.token),
    });

  /** Opens a WebSocket and collects the received packets. */
  async function open(options: { origin?: string } = {}): Promise<{ webSocket: WebSocket; packets: Packet[] }> {
    const webSocket = new WebSocket(gateway().webSocketUrl, 'mqtt', options);
    const packets: Packet[] = [];
    const parser = mqttPacket.parser({ protocolVersion: 4 });
    parser.on('packet', (packet) => packets.push(packet));
    webSocket.on('message', (data: Buffer) => parser.parse(data));
    await once(webSocket, 'open');
    return { webSocket, packets };
  }

  /** Returns the status of the response to a request that is not a valid upgrade. */
  async function statusOf(path: string, headers: readonly string[], method = 'GET'): Promise<string | undefined> {
    const socket = connect(gateway().ports.webSocket as number, '127.0.0.1');
    socket.end(`${[`${method} ${path} HTTP/1.1`, 'host: x', ...headers].join('\r\n')}\r\n\r\n`);
    return /^HTTP\/1.1 (\d+)/.exec(await text(socket))?.[1];
  }

  const upgrade = [
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
  ];

  for (const protocolVersion of [4, 5] as const)
    test(`a client with protocol version ${protocolVersion} receives and acknowledges a notification`, async () => {
      await using device = await connectDevice(gateway(), login, { protocolVersion, url: gateway().webSocketUrl });
      const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'x'.repeat(2_000) });
      await eventually(() => assert.deepEqual(device.taskIds, [taskId.toString()]));
      await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));
    });

  test('accepts packets that are split across messages or joined in one message', async () => {
    const { webSocket, packets } = await open();
    for (const byte of connectBytes()) webSocket.send(Buffer.from([byte]));
    await eventually(() => assert.equal(packets[0]?.cmd, 'connack'));
    const ping = mqttPacket.generate({ cmd: 'pingreq' });
    webSocket.send(Buffer.concat([ping, ping, ping.subarray(0, 1)]));
    webSocket.send(Buffer.concat([ping.subarray(1), ping]));
    await eventually(() => assert.equal(packets.filter(({ cmd }) => cmd === 'pingresp').length, 4));
    webSocket.terminate();
  });

  test('accepts a CONNECT and later packets in one message', async () => {
    const { webSocket, packets } = await open();
    webSocket.send(Buffer.concat([connectBytes(), mqttPacket.generate({ cmd: 'pingreq' })]));
    await eventually(() =>
      assert.deepEqual(
        packets.map(({ cmd }) => cmd),
        ['connack', 'pingresp'],
      ),
    );
    webSocket.terminate();
  });

  test('a rejected client receives the return code', async () => {
    const { webSocket, packets } = await open();
    webSocket.send(
      mqttPacket.generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, clientId: 'nobody' }),
    );
    await once(webSocket, 'close');
    assert.deepEqual(
      packets.map((packet) => packet.cmd === 'connack' && packet.returnCode),
      [4],
    );
  });

  test('a session ends with its WebSocket', async () => {
    const { webSocket, packets } = await open();
    webSocket.send(connectBytes());
    await eventually(() => assert.equal(packets[0]?.cmd, 'connack'));
    await eventually(async () => assert.equal(await metric('carillon_gateway_sessions'), 1), 5);
    webSocket.close();
    await eventually(async () => assert.equal(await metric('carillon_gateway_sessions'), 0), 5);
  });

  const rude: [what: string, send: (webSocket: WebSocket) => void, code: number][] = [
    ['text', (webSocket) => webSocket.send('CONNECT'), 1003],
    ['a message above the packet size limit', (webSocket) => webSocket.send(Buffer.alloc(64 * 1024 + 1)), 1009],
    [
      'a message in too many fragments',
      (webSocket) => {
        for (let i = 0; i < 17; i++) webSocket.send(Buffer.from([0x10]), { fin: false });
      },
      1008,
    ],
    ['a CONNECT that declares 268 MB', (webSocket) => webSocket.send(Buffer.from('10ffffff7f', 'hex')), 1006],
  ];
  for (const [what, send, code] of rude)
    test(`${what} closes that WebSocket`, async () => {
      const { webSocket } = await open();
      send(webSocket);
      const [closeCode] = (await once(webSocket, 'close')) as [number];
      assert.equal(closeCode, code);
    });

  test('closes a connection that sends a frame in tiny pieces', async () => {
    const socket = connect(gateway().ports.webSocket as number, '127.0.0.1').setNoDelay(true);
    socket.write(
      `${['GET /mqtt HTTP/1.1', 'host: x', 'sec-websocket-protocol: mqtt', ...upgrade].join('\r\n')}\r\n\r\n`,
    );
    await once(socket, 'data');
    const closed = once(socket, 'close').then(() => true);
    const begun = performance.now();
    socket.on('error', () => undefined).resume();
    socket.write(Buffer.from('82fe4000000000', 'hex')); // start of a masked binary frame of 16 KiB
    while (socket.writable && performance.now() - begun < 4_000) {
      socket.write(Buffer.alloc(1));
      await new Promise((resume) => setTimeout(resume, 1));
    }
    assert.ok(await closed);
    assert.ok(performance.now() - begun < 4_000, 'the connection is closed before the CONNECT timeout');
  });

  test('closes a session whose client sends pings and does not read the responses', async () => {
    const { webSocket, packets } = await open();
    webSocket.send(connectBytes());
    await eventually(() => assert.equal(packets[0]?.cmd, 'connack'));
    await eventually(async () => assert.equal(await metric('carillon_gateway_sessions'), 1), 5);
    webSocket.pause();
    const noise = Buffer.alloc(125);
    await eventually(async () => {
      for (let i = 0; i < 20_000 && webSocket.bufferedAmount < 1e6; i++) webSocket.ping(noise);
      assert.equal(await metric('carillon_gateway_sessions'), 0);
    }, 20);
    webSocket.terminate();
  });

  test('responds to pings', async () => {
    const { webSocket } = await open();
    webSocket.ping('hello');
    assert.equal(String((await once(webSocket, 'pong'))[0]), 'hello');
    webSocket.terminate();
  });

  test('does not negotiate compression', async () => {
    const { webSocket } = await open();
    assert.equal(webSocket.extensions, '');
    webSocket.terminate();
  });

  test('accepts a listed origin and a missing origin, and rejects other origins', async () => {
    (await open({ origin: 'https://good.example' })).webSocket.terminate();
    (await open()).webSocket.terminate();
    const headers = ['sec-websocket-protocol: mqtt', ...upgrade];
    assert.equal(await statusOf('/mqtt', ['origin: https://good.example.evil.example', ...headers]), '403');
    assert.equal(await statusOf('/mqtt', ['origin: null', ...headers]), '403');
  });

  test('rejects every other request', async () => {
    const protocol = 'sec-websocket-protocol: mqtt';
    assert.equal(await statusOf('/', [protocol, ...upgrade]), '404');
    assert.equal(await statusOf('/mqtt', upgrade), '400', 'no subprotocol');
    assert.equal(await statusOf('/mqtt', ['sec-websocket-protocol: mqttv3.1, chat', ...upgrade]), '400');
    assert.equal(await statusOf('/mqtt', []), '426');
    assert.equal(await statusOf('/', []), '404');
    assert.equal(await statusOf('/mqtt', [protocol, ...upgrade], 'POST'), '405');
    assert.equal(await statusOf('/mqtt', [`x: ${'x'.repeat(9_000)}`]), '431');
  });

  test('closes an incomplete upgrade after five seconds', async () => {
    const begun = performance.now();
    const ends = ['', 'GET /mqtt HT', 'GET /mqtt HTTP/1.1\r\nhost: x\r\nx-slow: '].map(async (bytes) => {
      const socket = connect(gateway().ports.webSocket as number, '127.0.0.1');
      socket.on('error', () => undefined).resume();
      socket.write(bytes);
      await once(socket, 'close');
      return performance.now() - begun;
    });
    for (const ms of await Promise.all(ends)) assert.ok(ms > 4_000 && ms < 6_500, `${ms} ms`);
  });

  test('a gateway that stops closes connections with an unfinished upgrade', async () => {
    const other = await carillon.start('gateway');
    const socket = connect(other.ports.webSocket as number, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => undefined).resume();
    assert.equal(await other.stop(), 0);
  });
});
