import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import mqtt, { type IClientOptions, MqttClient } from 'mqtt';
import mqttPacket, { type IPublishPacket } from 'mqtt-packet';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import type { Login } from './carillon.ts';

/** A standard MQTT client that acknowledges every notification. */
export class TestDevice implements AsyncDisposable {
  readonly client: MqttClient;
  /** The received payloads, in order. */
  readonly received: Record<string, unknown>[] = [];
  /** The task ids of rejected notifications. */
  readonly refused: string[] = [];
  /** The number of lost connections. */
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
  options: {
    protocolVersion?: 4 | 5;
    /** The URL of a listener other than TCP, such as `gateway.webSocketUrl`. */
    url?: string;
    /** The CA that the device trusts, for TLS. */
    ca?: string;
    /** The source address for TCP, if it is not 127.0.0.1. */
    localAddress?: string;
    reconnectPeriod?: number;
    /** Rejects every notification with this reason code, which requires MQTT 5. */
    refuseWith?: number;
    /** Called for each notification. */
    onNotification?: (taskId: string) => void;
    /** The largest packet in bytes that the client accepts, which requires MQTT 5. */
    maximumPacketSize?: number;
  } = {},
): Promise<TestDevice> {
  const clientOptions: IClientOptions = {
    clientId: login.deviceGuid,
    username: login.push_token,
    password: login.token,
    protocolVersion: options.protocolVersion ?? 4,
    reconnectPeriod: options.reconnectPeriod ?? 0,
    connectTimeout: 5_000,
    ...(options.ca !== undefined && { ca: options.ca }),
    ...(options.maximumPacketSize !== undefined && { properties: { maximumPacketSize: options.maximumPacketSize } }),
    ...(options.refuseWith !== undefined && {
      customHandleAcks: (_topic, payload, _packet, done) => {
        device.refused.push((JSON.parse(payload.toString()) as { task_id: string }).task_id);
        done(options.refuseWith as number);
      },
    }),
  };
  const { localAddress } = options;
  // The client has no option for the source address.
  const openSocket = () => connectSocket({ port: gateway.ports.gateway as number, host: '127.0.0.1', localAddress });
  const client =
    localAddress === undefined
      ? mqtt.connect(options.url ?? gateway.mqttUrl, clientOptions)
      : new MqttClient(openSocket, clientOptions);
  // Created before the client connects, so that notifications sent immediately after the connection are recorded.
  const device = new TestDevice(client);
  if (options.onNotification) client.on('message', () => options.onNotification?.(device.taskIds.at(-1) as string));
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
    // Without automatic reconnects, the client may close without an error, and this promise would never settle.
    if (!clientOptions.reconnectPeriod)
      client.once('close', () => reject(new Error('The connection was closed without an error.')));
  });
  return device;
}

/** Records the time at which a device first received each task, by `performance.now()`. */
export function recordArrivals(device: TestDevice): ReadonlyMap<string, number> {
  const arrivals = new Map<string, number>();
  device.client.on('message', () => {
    const taskId = device.taskIds.at(-1) as string;
    if (!arrivals.has(taskId)) arrivals.set(taskId, performance.now());
  });
  return arrivals;
}

/** A device with an open connection and an unresponsive app: it reads notifications but does not acknowledge them. */
export class SilentDevice implements Disposable {
  readonly taskIds: string[] = [];
  /** Called for each notification. */
  onNotification: (taskId: string) => void = () => undefined;
  /** The time at which its connection was lost, by `performance.now()`. */
  closedAt: number | undefined;
  readonly #socket: Socket;
  readonly #protocolVersion: 4 | 5;
  readonly #packetIds: number[] = [];

  constructor(socket: Socket, protocolVersion: 4 | 5) {
    this.#socket = socket;
    this.#protocolVersion = protocolVersion;
    socket.on('error', () => undefined); // 'close' follows
    socket.on('close', () => {
      this.closedAt = performance.now();
    });
  }

  onPublish(packet: IPublishPacket): void {
    const { task_id: taskId } = JSON.parse(packet.payload.toString()) as { task_id: string };
    this.taskIds.push(taskId);
    this.onNotification(taskId);
    this.#packetIds.push(packet.messageId as number);
  }

  /** Acknowledges everything that it has read so far. */
  acknowledge(): void {
    for (const messageId of this.#packetIds.splice(0))
      this.#socket.write(mqttPacket.generate({ cmd: 'puback', messageId }, { protocolVersion: this.#protocolVersion }));
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** Connects a silent device. With `receiveMaximum`, the gateway sends it at most so many unacknowledged notifications. */
export async function connectSilentDevice(
  gateway: RoleProcess,
  login: Login,
  { receiveMaximum, onNotification }: { receiveMaximum?: number; onNotification?: (taskId: string) => void } = {},
): Promise<SilentDevice> {
  // Only MQTT 5 has the property.
  const protocolVersion = receiveMaximum === undefined ? 4 : 5;
  const socket = connectSocket(gateway.ports.gateway as number, '127.0.0.1');
  await once(socket, 'connect');
  const device = new SilentDevice(socket, protocolVersion);
  if (onNotification) device.onNotification = onNotification;
  const parser = mqttPacket.parser({ protocolVersion });
  const connected = once(parser, 'packet');
  parser.on('packet', (packet) => {
    if (packet.cmd === 'publish') device.onPublish(packet);
  });
  socket.on('data', (chunk: Buffer) => parser.parse(chunk));
  socket.write(
    mqttPacket.generate(
      {
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion,
        clean: true,
        keepalive: 60,
        clientId: login.deviceGuid,
        username: login.push_token,
        password: Buffer.from(login.token),
        ...(receiveMaximum !== undefined && { properties: { receiveMaximum } }),
      },
      { protocolVersion },
    ),
  );
  await connected;
  return device;
}
