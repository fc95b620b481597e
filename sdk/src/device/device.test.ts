import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  CONNACK_ACCEPTED,
  connackRefused,
  disconnectPacket,
  publishPacket,
  recallPacket,
  startByteGateway,
} from '../../support/byte-gateway.ts';
import { Carillon } from '../client.ts';
import type { DeviceCredentials } from './credentials.ts';
import { CarillonDevice } from './device.ts';
import type { DeviceEvents } from './events.ts';
import type { NotificationHandler } from './notification-receiver.ts';

const EVENT_MS_MAX = 10_000;
const CREDENTIALS = { token: 'ct_1', push_token: 'p', device_guid: 'g' };
const payloadOf = (id: number) => JSON.stringify({ task_id: `${id}`, message_id: `${id}` });

async function openDevice(gateway: string, onNotification: NotificationHandler = () => undefined) {
  const carillon = new Carillon({ url: 'http://127.0.0.1:1', appId: 'bells' });
  const device = await CarillonDevice.open({ carillon, gateway, onNotification });
  await device.use(CREDENTIALS);
  return Object.assign(device, { [Symbol.asyncDispose]: () => device.disconnect() });
}

const next = <Name extends keyof DeviceEvents>(device: CarillonDevice, name: Name): Promise<DeviceEvents[Name]> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`No ${name} event was emitted in time.`)), EVENT_MS_MAX);
    const stop = device.on(name, (event) => {
      stop();
      clearTimeout(late);
      resolve(event);
    });
  });

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isTrue()) {
    assert.ok(performance.now() < deadline, 'the condition was not met in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('use() names the missing value if a program passes only the response of a login', async () => {
  const carillon = new Carillon({ url: 'http://127.0.0.1:1', appId: 'bells' });
  const device = await CarillonDevice.open({
    carillon,
    gateway: 'wxs://127.0.0.1/mqtt',
    onNotification: () => undefined,
  });
  const { token, push_token } = CREDENTIALS;
  await assert.rejects(device.use({ token, push_token } as DeviceCredentials), /use\(\) requires device_guid\./);
});

test('rejects a gateway URL with another scheme', async () => {
  const carillon = new Carillon({ url: 'http://127.0.0.1:1', appId: 'bells' });
  for (const gateway of ['https://push.example.com/mqtt', 'wxss://push.example.com', 'push.example.com', 'wss://'])
    await assert.rejects(
      CarillonDevice.open({ carillon, gateway, onNotification: () => undefined }),
      TypeError,
      gateway,
    );
});

describe('rejected and ended connections', () => {
  for (const [what, connack] of [
    ['bad credentials', connackRefused(0x86)],
    ['not authorised', connackRefused(0x87)],
    ['not authorised in MQTT 3.1.1', '20020005'],
  ] as const)
    test(`${what}: the device is signed out and does not reconnect`, async () => {
      await using gateway = await startByteGateway(connack);
      await using device = await openDevice(gateway.url);
      const [offline, signedOut] = [next(device, 'offline'), next(device, 'signed-out')];
      device.connect();
      await signedOut;
      assert.equal((await offline).retryMs, undefined);
      device.retryNow();
      assert.deepEqual([device.state, gateway.connections.length], ['offline', 1]);
    });

  test('server busy: the device reconnects, and the maximum delay doubles each time', async () => {
    await using gateway = await startByteGateway(connackRefused(0x89));
    await using device = await openDevice(gateway.url);
    const pauses: number[] = [];
    device.on('offline', ({ retryMs, reasonCode }) => {
      assert.equal(reasonCode, 0x89);
      pauses.push(retryMs as number);
      if (pauses.length < 12) setImmediate(() => device.retryNow());
    });
    device.connect();
    await until(() => pauses.length === 12);
    for (const [i, pause] of pauses.entries()) assert.ok(pause <= Math.min(120, 2 ** i) * 1_000, `${i}: ${pause}`);
    // The probability that all twelve delays are this short is less than one in a million.
    assert.ok(Math.max(...pauses) > 2_000, pauses.join());
  });

  test('connection refused: the reason is reported, even for a host name with several addresses', async () => {
    await using device = await openDevice('mqtt://localhost:1');
    const offline = next(device, 'offline');
    device.connect();
    assert.match((await offline).reason, /ECONNREFUSED/);
  });

  test('taken over: the device does not reconnect until connect() is called', async () => {
    await using gateway = await startByteGateway(CONNACK_ACCEPTED);
    await using device = await openDevice(gateway.url);
    const [online, takenOver] = [next(device, 'online'), next(device, 'taken-over')];
    device.connect();
    await online;
    gateway.connections[0]?.socket.write(disconnectPacket(0x8e));
    await takenOver;
    device.retryNow();
    assert.equal(device.state, 'offline');
    const again = next(device, 'online');
    device.connect();
    await again;
    assert.equal(gateway.connections.length, 2);
  });
});

describe('an acknowledgement', () => {
  test('is written when its handler has ended, regardless of the order of the notifications', async () => {
    await using gateway = await startByteGateway(CONNACK_ACCEPTED);
    const ends = new Map<bigint, () => void>();
    await using device = await openDevice(
      gateway.url,
      ({ message_id }) => new Promise<void>((resolve) => ends.set(message_id, resolve)),
    );
    const online = next(device, 'online');
    device.connect();
    await online;
    const [connection] = gateway.connections;
    assert.ok(connection);
    connection.socket.write(Buffer.concat([publishPacket(1, payloadOf(11)), publishPacket(2, payloadOf(12))]));
    await until(() => ends.size === 2 && connection.acceptsRecalls);
    assert.equal(connection.receivedHex, '');
    ends.get(12n)?.();
    await until(() => connection.receivedHex === '40020002');
    ends.get(11n)?.();
    await until(() => connection.receivedHex === '4002000240020001');
  });

  test('is not written to the next connection if its own connection has ended', async () => {
    await using gateway = await startByteGateway(CONNACK_ACCEPTED);
    const ends = new Map<bigint, () => void>();
    await using device = await openDevice(
      gateway.url,
      ({ message_id }) => new Promise<void>((resolve) => ends.set(message_id, resolve)),
    );
    device.connect();
    await until(() => gateway.connections.length === 1);
    gateway.connections[0]?.socket.write(publishPacket(1, payloadOf(11)));
    await until(() => ends.size === 1);

    const [offline, online] = [next(device, 'offline'), next(device, 'online')];
    gateway.connections[0]?.socket.destroy();
    await offline;
    device.retryNow();
    await online;
    const second = gateway.connections[1];
    assert.ok(second);
    // Uses the same packet id as before for another notification.
    second.socket.write(publishPacket(1, payloadOf(12)));
    await until(() => ends.size === 2);
    ends.get(11n)?.();
    second.socket.write(publishPacket(2, payloadOf(11))); // already shown, so its PUBACK follows immediately; a late PUBACK would come before it
    await until(() => second.receivedHex !== '');
    assert.equal(second.receivedHex, '40020002');
    ends.get(12n)?.();
    await until(() => second.receivedHex === '4002000240020001');
  });

  test('has an error code if the handler throws', async (t) => {
    await using gateway = await startByteGateway(CONNACK_ACCEPTED);
    const warn = t.mock.method(console, 'warn', () => undefined);
    await using device = await openDevice(gateway.url, () => {
      throw new Error('no screen');
    });
    device.connect();
    await until(() => gateway.connections.length === 1);
    const [connection] = gateway.connections;
    connection?.socket.write(publishPacket(0x1234, payloadOf(11)));
    await until(() => connection?.receivedHex === '4003123480');
    assert.equal(warn.mock.callCount(), 1, 'without a listener, the error is written to the console');
  });
});

test('a device subscribes to recalls and emits an event for each, without an acknowledgement', async () => {
  await using gateway = await startByteGateway(CONNACK_ACCEPTED);
  await using device = await openDevice(gateway.url);
  const recall = next(device, 'recall');
  device.connect();
  await until(() => gateway.connections[0]?.acceptsRecalls === true);
  const [connection] = gateway.connections;
  connection?.socket.write(Buffer.concat([recallPacket(payloadOf(11)), publishPacket(1, payloadOf(12))]));
  assert.deepEqual(await recall, { task_id: 11n, message_id: 11n });
  await until(() => connection?.receivedHex === '40020001');
});

test('a device requires a gateway URL with a supported protocol', async () => {
  await assert.rejects(openDevice('https://push.example.com'), TypeError);
  await assert.rejects(openDevice('push.example.com'), TypeError);
  const carillon = new Carillon({ url: 'http://127.0.0.1:1', appId: 'bells' });
  await assert.rejects(CarillonDevice.open({ carillon, gateway: [], onNotification: () => undefined }), TypeError);
});
