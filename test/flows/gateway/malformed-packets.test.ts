import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import mqttPacket, { type IConnectPacket, type Packet } from 'mqtt-packet';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { countInboxRows } from '../../support/ledger.ts';
import { metricOf } from '../../support/metric.ts';

/** A client that sends and receives raw bytes. */
interface RawClient extends Disposable {
  readonly socket: Socket;
  readonly packets: Packet[];
  readonly closed: Promise<unknown>;
}

describe('malformed packets', () => {
  let carillon: Carillon;
  let user: TestUser;
  let login: Login;

  before(async () => {
    carillon = await startCarillon({ settings: { CARILLON_GATEWAY_KEEPALIVE_SECONDS_MIN: '2' } });
    user = await carillon.createUser('ada');
    login = await carillon.logIn(user, 'phone');
  });
  after(async () => {
    await checkLaws(carillon.storage);
    await carillon[Symbol.asyncDispose]();
  });

  const gateway = () => carillon.gateways[0] as RoleProcess;

  async function open(version: 4 | 5): Promise<RawClient> {
    const socket = connect(gateway().ports.gateway as number, '127.0.0.1');
    await once(socket, 'connect');
    const packets: Packet[] = [];
    const parser = mqttPacket.parser({ protocolVersion: version });
    parser.on('packet', (packet) => packets.push(packet));
    socket.on('data', (chunk: Buffer) => parser.parse(chunk));
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    return { socket, packets, closed, [Symbol.dispose]: () => socket.destroy() };
  }

  const connectPacket = (version: 4 | 5, change: Partial<IConnectPacket> = {}): IConnectPacket => ({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    clean: true,
    keepalive: 60,
    clientId: login.deviceGuid,
    username: login.push_token,
    password: Buffer.from(login.token),
    ...change,
  });

  async function openSession(version: 4 | 5, change: Partial<IConnectPacket> = {}): Promise<RawClient> {
    const client = await open(version);
    client.socket.write(mqttPacket.generate(connectPacket(version, change), { protocolVersion: version }));
    await eventually(() => assert.equal(client.packets[0]?.cmd, 'connack'));
    return client;
  }

  const sessions = () => metricOf(gateway(), 'carillon_gateway_sessions');

  async function stillServes(): Promise<void> {
    assert.ok(gateway().isAlive, carillon.warningLines.join('\n'));
    await using device = await connectDevice(gateway(), login);
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'still here?' });
    await eventually(() => assert.ok(device.taskIds.includes(taskId.toString())));
  }

  const rude: [what: string, version: 4 | 5, bytes: string][] = [
    ['an MQTT 3.1.1 SUBSCRIBE without topics', 4, '82020001'],
    ['an MQTT 5 SUBSCRIBE without topics', 5, '8203000100'],
    ['an UNSUBSCRIBE without topics', 5, 'a203000700'],
    ['a PUBLISH at QoS 1 without a packet id', 4, '3203000161'],
    ['a PUBLISH at QoS 2', 4, '3406000161000178'],
    ['a second CONNECT', 4, '100c00044d515454040200000000'],
    ['a CONNACK', 4, '20020000'],
    ['a packet above the size limit', 4, '30ffffff7f'],
    ['an unterminated length field', 4, '30ffffffff01'],
  ];
  for (const [what, version, bytes] of rude)
    test(`${what} ends only that session`, async () => {
      using client = await openSession(version);
      client.socket.write(Buffer.from(bytes, 'hex'));
      await client.closed;
      await stillServes();
    });

  test('a connection whose CONNECT declares 268 MB is closed when the length is read', async () => {
    using client = await open(4);
    client.socket.write(Buffer.from('10ffffff7f', 'hex'));
    await client.closed;
    await stillServes();
  });

  test('data from a rejected client is ignored', async () => {
    using client = await open(4);
    client.socket.write(mqttPacket.generate(connectPacket(4, { password: Buffer.from('wrong') })));
    await eventually(() => assert.equal(client.packets[0]?.cmd, 'connack'));
    const before = await residentBytes();
    const noise = Buffer.alloc(1 << 20, 0x30);
    for (let i = 0; i < 64 && client.socket.writable; i++) client.socket.write(noise);
    await stillServes();
    assert.ok((await residentBytes()) - before < 60e6, 'none of the data is kept');
  });

  const residentBytes = () => metricOf(gateway(), 'process_resident_memory_bytes');

  test('a receive maximum of zero is a protocol error', async () => {
    using client = await open(5);
    // An MQTT 5 CONNECT packet whose only property is 0x21 (receive maximum) with the value 0.
    const body = Buffer.concat([
      Buffer.from('00044d51545405c2003c03210000', 'hex'),
      ...[login.deviceGuid, login.push_token, login.token].map((text) =>
        Buffer.concat([Buffer.from([0, Buffer.byteLength(text)]), Buffer.from(text)]),
      ),
    ]);
    client.socket.write(Buffer.concat([Buffer.from([0x10, body.length]), body]));
    await client.closed;
    assert.ok(client.packets.every((packet) => packet.cmd !== 'connack' || packet.reasonCode === 0x82));
    await stillServes();
  });

  test('a client does not receive a packet above its maximum packet size', async () => {
    const other = await carillon.logIn(user, 'small-phone');
    using client = await openSession(5, {
      clientId: 'small-phone',
      username: other.push_token,
      password: Buffer.from(other.token),
      properties: { maximumPacketSize: 300 },
    });
    const large = await carillon.notify({ push_token: [other.push_token] }, { body: 'x'.repeat(1_000) });
    const small = await carillon.notify({ push_token: [other.push_token] }, { body: 'y' });
    await eventually(() => assert.ok(client.packets.some((packet) => packet.cmd === 'publish')));
    await eventually(async () =>
      assert.equal(
        await countInboxRows(carillon.storage, large),
        1,
        'the notification was attempted, and waits in the inbox',
      ),
    );
    const sent = client.packets.filter((packet) => packet.cmd === 'publish').map((packet) => packet.payload.toString());
    assert.ok(sent.every((payload) => payload.includes(small.toString()) && !payload.includes(large.toString())));
    assert.deepEqual(await carillon.counters(large), { nativepush: [1, 0, 0] });
  });

  test('a notification to a client that sent DISCONNECT is not counted as sent', async () => {
    using client = await openSession(4);
    await eventually(async () => assert.equal(await sessions(), 1), 5);
    client.socket.pause();
    client.socket.write(mqttPacket.generate({ cmd: 'disconnect' }));
    await eventually(async () => assert.equal(await sessions(), 0), 5);
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'gone' });
    await eventually(async () => assert.equal((await carillon.counters(taskId)).nativepush?.[0], 2));
    assert.equal((await carillon.counters(taskId)).nativepush?.[1], 0);
  });

  test('the connection of a client that neither reads nor sends is closed when its keep-alive expires', async () => {
    using client = await openSession(4, { keepalive: 2 });
    await eventually(async () => assert.equal(await sessions(), 1), 5);
    client.socket.pause();
    for (let i = 0; i < 20; i++)
      await carillon.notify({ user_id: [user.userId] }, { body: 'x'.repeat(4_000), big_text: 'x'.repeat(4_000) });
    await eventually(async () => assert.equal(await sessions(), 0), 15);
    await stillServes();
  });
});
