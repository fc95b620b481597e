import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import mqttPacket, { type IConnectPacket, type Packet } from 'mqtt-packet';
import type { Login } from './carillon.ts';

export interface SwarmOptions {
  readonly version?: 4 | 5;
  /** Where it connects from: a machine has many addresses of its own. */
  readonly from?: string;
  /** Whether it answers what it gets. */
  readonly acknowledges?: boolean;
  readonly keepalive?: number;
}

/** A phone that costs little, for tests with thousands of them or with an eye for single packets. */
export class SwarmDevice implements Disposable {
  readonly login: Login;
  /** The tasks of what it got, in order, with repetitions. */
  readonly taskIds: string[] = [];
  /** What its CONNACK said: 0 is yes. */
  connack: number | undefined;
  /** The reason code of the DISCONNECT it was sent, if any. */
  toldToGo: number | undefined;
  /** How many of its pings were answered. */
  pongs = 0;
  readonly socket: Socket;
  readonly #version: 4 | 5;
  readonly #acknowledges: boolean;

  constructor(socket: Socket, login: Login, { version = 5, acknowledges = true }: SwarmOptions) {
    this.socket = socket;
    this.login = login;
    this.#version = version;
    this.#acknowledges = acknowledges;
    const parser = mqttPacket.parser({ protocolVersion: version });
    parser.on('packet', (packet) => this.#hear(packet));
    socket.setNoDelay(true);
    socket.on('error', () => undefined); // 'close' follows
    socket.on('data', (chunk: Buffer) => parser.parse(chunk));
  }

  get open(): boolean {
    return this.connack === 0 && !this.socket.destroyed;
  }

  /** Resolves when its connection is over, and fails if that takes longer. */
  async ended(secondsMax = 15): Promise<void> {
    const deadline = AbortSignal.timeout(secondsMax * 1_000);
    if (!this.socket.destroyed) await once(this.socket, 'close', { signal: deadline });
  }

  send(packet: Packet): void {
    this.socket.write(mqttPacket.generate(packet, { protocolVersion: this.#version }));
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  #hear(packet: Packet): void {
    if (packet.cmd === 'connack') {
      this.connack = this.#version === 5 ? packet.reasonCode : packet.returnCode;
      this.socket.emit('connack');
    } else if (packet.cmd === 'disconnect') this.toldToGo = packet.reasonCode ?? 0;
    else if (packet.cmd === 'pingresp') this.pongs++;
    else if (packet.cmd === 'publish') {
      this.taskIds.push((JSON.parse(packet.payload.toString()) as { task_id: string }).task_id);
      if (this.#acknowledges) this.send({ cmd: 'puback', messageId: packet.messageId as number });
    }
  }
}

/** Connects and waits for the answer, whichever it is. Fails if there is none. */
export async function connectSwarmDevice(port: number, login: Login, options: SwarmOptions = {}): Promise<SwarmDevice> {
  const socket = connect({ port, host: '127.0.0.1', ...(options.from && { localAddress: options.from }) });
  const device = new SwarmDevice(socket, login, options);
  const answered = new Promise<void>((resolve, reject) => {
    socket.once('connack', resolve);
    socket.once('close', () => reject(new Error(`${login.deviceGuid} was not answered.`)));
  });
  device.send({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: options.version ?? 5,
    clean: true,
    keepalive: options.keepalive ?? 60,
    clientId: login.deviceGuid,
    username: login.push_token,
    password: Buffer.from(login.token),
  } satisfies IConnectPacket);
  await answered;
  return device;
}
