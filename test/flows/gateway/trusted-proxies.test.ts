import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import mqttPacket, { type Packet } from 'mqtt-packet';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { createServerIdentity } from '../../../simulators/kit/certificate.ts';
import { type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';

const PROXY = '127.0.0.1';
const STRANGER = '127.0.0.2';
const PER_ADDRESS_MAX = 3;

/** Returns a PROXY protocol version 2 header for a client with the given address. */
function version2(address: string): Buffer {
  const ends = Buffer.from([...address.split('.').map(Number), 127, 0, 0, 1, 0xc3, 0x5b, 0x07, 0x5b]);
  return Buffer.concat([Buffer.from('0d0a0d0a000d0a515549540a2111000c', 'hex'), ends]);
}
const version1 = (address: string) => Buffer.from(`PROXY TCP4 ${address} 127.0.0.1 50011 1883\r\n`);

describe('client addresses behind a trusted proxy', () => {
  let carillon: Carillon;
  let login: Login;
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'carillon-proxies-'));
    const { certificatePem, keyPem } = createServerIdentity(Date.now());
    const files = [join(directory, 'certificate.pem'), join(directory, 'key.pem')] as const;
    await writeFile(files[0], certificatePem);
    await writeFile(files[1], keyPem);
    carillon = await startCarillon({
      settings: {
        CARILLON_MQTT_TRUSTED_PROXIES: `${PROXY},192.0.2.0/24`,
        CARILLON_GATEWAY_PENDING_CONNECTIONS_PER_ADDRESS_MAX: `${PER_ADDRESS_MAX}`,
      },
    });
    await carillon.start('gateway', {
      CARILLON_MQTT_TLS_CERTIFICATE_FILE: files[0],
      CARILLON_MQTT_TLS_KEY_FILE: files[1],
    });
    login = await carillon.logIn(await carillon.createUser('ada'), 'phone');
  });
  after(async () => {
    await carillon[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  const gateway = () => carillon.gateways[0] as RoleProcess;
  const secured = () => carillon.gateways[1] as RoleProcess;
  const refused = async (reason: string) => {
    const text = await (await fetch(`${gateway().healthUrl}/metrics`)).text();
    return Number(new RegExp(`^carillon_gateway_refused_total{reason="${reason}"} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  };

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
  const pingBytes = mqttPacket.generate({ cmd: 'pingreq' });

  async function open(port: number | undefined, localAddress: string): Promise<Socket> {
    const socket = connect({ port: port as number, host: '127.0.0.1', localAddress }).setNoDelay(true);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  /** Waits for `count` packets and returns their names. */
  async function answers(socket: Socket, count: number): Promise<string[]> {
    const packets: Packet[] = [];
    const parser = mqttPacket.parser({ protocolVersion: 4 });
    parser.on('packet', (packet) => packets.push(packet));
    socket.on('data', (chunk) => parser.parse(chunk));
    await eventually(() => assert.equal(packets.length, count), 5);
    socket.destroy();
    return packets.map(({ cmd }) => cmd);
  }

  /** Opens `count` connections and returns the number that stay open after the others were rejected. */
  async function staying(openSocket: () => Promise<Socket>, count: number): Promise<number> {
    const before = await refused('pending-per-address');
    const sockets: Socket[] = [];
    for (let i = 0; i < count; i++) sockets.push(await openSocket());
    for (const socket of sockets) socket.resume();
    await eventually(() => assert.ok(sockets.filter(({ destroyed }) => !destroyed).length <= PER_ADDRESS_MAX), 4);
    const openCount = sockets.filter(({ destroyed }) => !destroyed).length;
    assert.equal((await refused('pending-per-address')) - before, count - openCount);
    for (const socket of sockets) socket.destroy();
    return openCount;
  }

  for (const [version, header] of [
    ['1', version1('127.0.3.1')],
    ['2', version2('127.0.3.1')],
  ] as const) {
    test(`a device behind a version ${version} header can connect, whether the header is sent in one write or byte by byte`, async () => {
      const all = Buffer.concat([header, connectBytes(), pingBytes]);
      const atOnce = await open(gateway().ports.gateway, PROXY);
      atOnce.write(all);
      assert.deepEqual(await answers(atOnce, 2), ['connack', 'pingresp']);

      const slowly = await open(gateway().ports.gateway, PROXY);
      for (const byte of all) {
        slowly.write(Buffer.from([byte]));
        await new Promise((resume) => setImmediate(resume));
      }
      assert.deepEqual(await answers(slowly, 2), ['connack', 'pingresp']);
    });

    test(`TLS starts after a version ${version} header`, async () => {
      const socket = await open(secured().ports.tls, PROXY);
      socket.write(header);
      const secure = connectTls({ socket, rejectUnauthorized: false });
      await once(secure, 'secureConnect');
      secure.write(Buffer.concat([connectBytes(), pingBytes]));
      assert.deepEqual(await answers(secure, 2), ['connack', 'pingresp']);
    });
  }

  test('a TLS ClientHello in the same chunk as the header gets a response', async () => {
    const hello = await new Promise<Buffer>((resolve) => {
      const wire = new Duplex({ read: () => undefined, write: (chunk: Buffer) => resolve(chunk) });
      connectTls({ socket: wire, rejectUnauthorized: false });
    });
    const socket = await open(secured().ports.tls, PROXY);
    socket.write(Buffer.concat([version1('127.0.3.1'), hello]));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.equal(answer.subarray(0, 2).toString('hex'), '1603', 'a handshake, not an alert');
    socket.destroy();
  });

  test('the limit per address applies to each client, regardless of the proxy it uses, and not to the proxy', async () => {
    const by = (header: Buffer) => async () => {
      const socket = await open(gateway().ports.gateway, PROXY);
      socket.write(header);
      return socket;
    };
    const openCount = await staying(by(version1('127.0.4.1')), PER_ADDRESS_MAX + 3);
    assert.equal(openCount, PER_ADDRESS_MAX);
    assert.equal(await staying(by(version2('127.0.4.2')), PER_ADDRESS_MAX + 2), PER_ADDRESS_MAX);

    const many: Socket[] = [];
    for (let i = 0; i < 3 * PER_ADDRESS_MAX; i++) many.push(await by(version1(`127.0.5.${1 + i}`))());
    const last = await open(gateway().ports.gateway, PROXY);
    last.write(Buffer.concat([version1('127.0.4.3'), connectBytes()]));
    assert.deepEqual(await answers(last, 1), ['connack']);
    assert.ok(many.every(({ destroyed }) => !destroyed));
    for (const socket of many) socket.destroy();
  });

  test('WebSocket connections use the part of X-Forwarded-For that a client cannot spoof', async () => {
    let call = 0;
    const openSocket = async () => {
      const socket = await open(gateway().ports.webSocket, PROXY);
      const upgrade = `GET /mqtt HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${Buffer.alloc(16).toString('base64')}\r\nsec-websocket-protocol: mqtt`;
      socket.write(`${upgrade}\r\nx-forwarded-for: 6.6.6.${++call}, 127.0.6.1\r\n\r\n`);
      return socket;
    };
    assert.equal(await staying(openSocket, PER_ADDRESS_MAX + 2), PER_ADDRESS_MAX);
  });

  test('neither a PROXY header nor X-Forwarded-For is trusted if it comes from an unknown address', async () => {
    const socket = await open(gateway().ports.gateway, STRANGER);
    socket.write(Buffer.concat([version1('127.0.7.1'), connectBytes()]));
    await once(socket.resume(), 'close');

    let call = 0;
    const openSocket = async () => {
      const webSocket = await open(gateway().ports.webSocket, STRANGER);
      webSocket.write(`GET /mqtt HTTP/1.1\r\nx-forwarded-for: 6.6.6.${++call}\r\n`);
      return webSocket;
    };
    assert.equal(await staying(openSocket, PER_ADDRESS_MAX + 2), PER_ADDRESS_MAX);
    await using direct = await connectDevice(gateway(), login, { localAddress: '127.0.0.3' });
    assert.ok(direct.client.connected, 'a direct client needs no header');
  });

  test('a proxy connection without a header is rejected and counted', async () => {
    const before = await refused('proxy-header');
    const socket = await open(gateway().ports.gateway, PROXY);
    socket.write(connectBytes());
    await once(socket.resume(), 'close');
    assert.equal(await refused('proxy-header'), before + 1);
  });

  test('a connection with an incomplete header is closed after five seconds', async () => {
    const socket = await open(gateway().ports.gateway, PROXY);
    const begun = performance.now();
    socket.write('PROXY TCP4 127');
    await once(socket.resume(), 'close');
    const ms = performance.now() - begun;
    assert.ok(ms > 4_000 && ms < 6_500, `${ms} ms`);
  });

  test('a gateway does not start with an invalid proxy address', async () => {
    await assert.rejects(carillon.start('gateway', { CARILLON_MQTT_TRUSTED_PROXIES: 'proxy' }), /neither an address/);
  });
});
