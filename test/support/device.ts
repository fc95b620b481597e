import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import mqtt, { type MqttClient } from 'mqtt';
import mqttPacket from 'mqtt-packet';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import type { Login } from './carillon.ts';

/** A phone: an ordinary MQTT client that acknowledges what it gets. */
export class TestDevice implements AsyncDisposable {
  readonly client: MqttClient;
  /** The payloads, in the order they came. */
  readonly received: Record<string, unknown>[] = [];
  /** How often its connection was lost. */
  closes = 0;

  constructor(client: MqttClient) {
    this.client = client;
    client.on('message', (_topic, payload) => {
      this.received.push(JSON.parse(payload.toString()) as Record<string, unknown>);
    });
    client.on('close', () => {
      this.closes++;
    });
  }

  get taskIds(): string[] {
    return this.received.map(({ task_id }) => task_id as string);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.endAsync(true);
  }
}

export async function connectDevice(
  gateway: RoleProcess,
  login: Login,
  options: { protocolVersion?: 4 | 5; reconnectPeriod?: number } = {},
): Promise<TestDevice> {
  const client = mqtt.connect(gateway.mqttUrl, {
    clientId: login.deviceGuid,
    username: login.push_token,
    password: login.token,
    protocolVersion: options.protocolVersion ?? 4,
    reconnectPeriod: options.reconnectPeriod ?? 0,
    connectTimeout: 5_000,
  });
  // Made before it connects, so that nothing it is sent at once is missed.
  const device = new TestDevice(client);
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
  });
  return device;
}

/** A phone whose connection is up and whose app does nothing: it reads and never acknowledges. */
export class SilentDevice implements Disposable {
  readonly taskIds: string[] = [];
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

export async function connectSilentDevice(gateway: RoleProcess, login: Login): Promise<SilentDevice> {
  const socket = connectSocket(gateway.ports.gateway as number, '127.0.0.1');
  await once(socket, 'connect');
  const device = new SilentDevice(socket);
  const parser = mqttPacket.parser({ protocolVersion: 4 });
  const connected = once(parser, 'packet');
  parser.on('packet', (packet) => {
    if (packet.cmd === 'publish')
      device.taskIds.push((JSON.parse(packet.payload.toString()) as { task_id: string }).task_id);
  });
  socket.on('data', (chunk: Buffer) => parser.parse(chunk));
  socket.write(
    mqttPacket.generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      keepalive: 60,
      clientId: login.deviceGuid,
      username: login.push_token,
      password: Buffer.from(login.token),
    }),
  );
  await connected;
  return device;
}
