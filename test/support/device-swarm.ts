import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import mqttPacket, { type IConnectPacket, type Packet } from 'mqtt-packet';
import { addDevice, addUser } from './add-device.ts';
import type { Carillon, Login } from './carillon.ts';

export interface SwarmOptions {
  readonly version?: 4 | 5;
  /** The source address, by default 127.0.0.1. Every address in 127.0.0.0/8 can be used. */
  readonly from?: string;
  /** Whether the device acknowledges notifications. */
  readonly acknowledges?: boolean;
  /** Delays each acknowledgement. */
  readonly acknowledgeAfterMs?: number;
  readonly keepalive?: number;
  /** Collects the task ids of received notifications. */
  readonly taskIds?: string[];
  /** Called for each notification before it is acknowledged, with the port of the gateway that wrote it. */
  readonly onNotification?: ((taskId: string, port: number) => void) | undefined;
}

const KEEPALIVE_SECONDS = 60;

/** A lightweight device, for tests with thousands of devices or tests of single packets. */
export class SwarmDevice implements Disposable {
  readonly login: Login;
  /** Task ids of the received notifications, in order, including duplicates. */
  readonly taskIds: string[];
  /** The code of its CONNACK. 0 means success. */
  connack: number | undefined;
  /** The reason string of its CONNACK. */
  connackText: string | undefined;
  /** The reason code of the received DISCONNECT, if any. */
  disconnectReason: number | undefined;
  /** The number of received PINGRESP packets. */
  pongs = 0;
  readonly socket: Socket;
  readonly #version: 4 | 5;
  readonly #acknowledges: boolean;
  readonly #acknowledgeAfterMs: number;
  readonly #onNotification: SwarmOptions['onNotification'];

  constructor(socket: Socket, login: Login, options: SwarmOptions) {
    const { version = 5, acknowledges = true, taskIds = [], onNotification } = options;
    this.socket = socket;
    this.login = login;
    this.taskIds = taskIds;
    this.#version = version;
    this.#acknowledges = acknowledges;
    this.#acknowledgeAfterMs = options.acknowledgeAfterMs ?? 0;
    this.#onNotification = onNotification;
    const parser = mqttPacket.parser({ protocolVersion: version });
    parser.on('packet', (packet) => this.#onPacket(packet));
    socket.setNoDelay(true);
    socket.on('error', () => undefined); // 'close' follows
    socket.on('data', (chunk: Buffer) => parser.parse(chunk));
  }

  get open(): boolean {
    return this.connack === 0 && !this.socket.destroyed;
  }

  /** Resolves when the connection has ended, and rejects if that takes longer than `secondsMax`. */
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

  #onPacket(packet: Packet): void {
    if (packet.cmd === 'connack') {
      this.connack = this.#version === 5 ? packet.reasonCode : packet.returnCode;
      this.connackText = packet.properties?.reasonString;
      this.socket.emit('connack');
    } else if (packet.cmd === 'disconnect') this.disconnectReason = packet.reasonCode ?? 0;
    else if (packet.cmd === 'pingresp') this.pongs++;
    else if (packet.cmd === 'publish') {
      const { task_id: taskId } = JSON.parse(packet.payload.toString()) as { task_id: string };
      this.taskIds.push(taskId);
      this.#onNotification?.(taskId, this.socket.remotePort as number);
      if (!this.#acknowledges) return;
      const acknowledge = () => this.send({ cmd: 'puback', messageId: packet.messageId as number });
      if (this.#acknowledgeAfterMs === 0) acknowledge();
      else setTimeout(acknowledge, this.#acknowledgeAfterMs).unref();
    }
  }
}

/** Connects and waits for a CONNACK with any code. Throws if none is received. */
export async function connectSwarmDevice(port: number, login: Login, options: SwarmOptions = {}): Promise<SwarmDevice> {
  const socket = connect({ port, host: '127.0.0.1', ...(options.from && { localAddress: options.from }) });
  const device = new SwarmDevice(socket, login, options);
  const connackReceived = new Promise<void>((resolve, reject) => {
    socket.once('connack', resolve);
    socket.once('close', () => reject(new Error(`${login.deviceGuid} received no CONNACK.`)));
  });
  device.send({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: options.version ?? 5,
    clean: true,
    keepalive: options.keepalive ?? KEEPALIVE_SECONDS,
    clientId: login.deviceGuid,
    username: login.push_token,
    password: Buffer.from(login.token),
  } satisfies IConnectPacket);
  await connackReceived;
  return device;
}

/** A user with a lightweight device, which reconnects to any gateway when its connection is lost. */
export interface SwarmMember {
  readonly userId: bigint;
  readonly login: Login;
  readonly from: string;
  readonly apnsToken: string | undefined;
  readonly acknowledges: boolean;
  readonly keepalive: number;
  readonly onNotification: SwarmOptions['onNotification'];
  /** Task ids received on all its connections, in order, including duplicates. */
  readonly taskIds: string[];
  device: SwarmDevice | undefined;
  connects: number;
}

const CONNECT_AGAIN_MS_MIN = 50;
/** Maximum delay before a reconnect. Devices reconnect after a random delay, like real devices. */
const CONNECT_AGAIN_MS_MAX = 500;
/** Maximum number of devices per source address, so that no address exceeds the limit on connections. */
const PHONES_PER_ADDRESS = 15;

/** Many devices of one app that stay connected to the available gateways. */
export class DeviceSwarm implements Disposable {
  readonly members: readonly SwarmMember[];
  /** The number of CONNECT packets that were rejected or got no response. */
  refusals = 0;
  readonly #ports: () => readonly number[];
  readonly #keptOffline = new Set<SwarmMember>();
  #stopped = false;

  constructor(members: readonly SwarmMember[], ports: () => readonly number[]) {
    this.members = members;
    this.#ports = ports;
  }

  /** Connects all devices, `concurrency` at a time. */
  async connectAll(concurrency = 50): Promise<void> {
    const waiting = [...this.members.entries()];
    const connector = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await this.#connect(next[1], next[0]);
    };
    await Promise.all(Array.from({ length: concurrency }, connector));
  }

  get connected(): number {
    return this.members.filter(({ device }) => device?.open).length;
  }

  /** Disconnects some members, which then stay offline. */
  disconnect(members: readonly SwarmMember[]): void {
    for (const member of members) {
      this.#keptOffline.add(member);
      member.device?.[Symbol.dispose]();
    }
  }

  reconnect(members: readonly SwarmMember[]): void {
    for (const [i, member] of members.entries())
      if (this.#keptOffline.delete(member)) void this.#connectLater(member, i);
  }

  /** Returns the indexes of the members that have not received a task. */
  missing(taskId: bigint): number[] {
    return [...this.members.keys()].filter((i) => !this.members[i]?.taskIds.includes(taskId.toString()));
  }

  [Symbol.dispose](): void {
    this.#stopped = true;
    for (const { device } of this.members) device?.[Symbol.dispose]();
  }

  async #connect(member: SwarmMember, turn: number): Promise<void> {
    for (let i = turn; !this.#stopped; i++) {
      const ports = this.#ports();
      try {
        const device = await connectSwarmDevice(ports[i % ports.length] as number, member.login, member);
        if (device.connack === 0) {
          member.device = device;
          member.connects++;
          device.socket.once('close', () => void this.#connectLater(member, i));
          return;
        }
        device[Symbol.dispose]();
      } catch {
        // The connection failed before the CONNACK.
      }
      this.refusals++;
      await pause();
    }
  }

  async #connectLater(member: SwarmMember, turn: number): Promise<void> {
    await pause();
    if (!this.#keptOffline.has(member)) await this.#connect(member, turn + 1);
  }
}

function pause(): Promise<void> {
  return sleep(CONNECT_AGAIN_MS_MIN + Math.random() * (CONNECT_AGAIN_MS_MAX - CONNECT_AGAIN_MS_MIN));
}

/** Creates users with lightweight devices. `apnsTokenOf` returns the vendor tokens of devices that APNs can reach. */
export async function createSwarm(
  carillon: Carillon,
  size: number,
  options: {
    ports?: () => readonly number[];
    apnsTokenOf?: (i: number) => string | undefined;
    /** Whether a device acknowledges notifications. By default all do. */
    acknowledges?: (i: number) => boolean;
    /** In seconds. The devices never send a PINGREQ, so a longer test requires a larger value. */
    keepalive?: number;
    onNotification?: (i: number, taskId: string, port: number) => void;
  } = {},
): Promise<DeviceSwarm> {
  const { storage, appId } = carillon;
  const livePorts = () =>
    carillon.gateways.filter(({ isAlive }) => isAlive).map(({ ports }) => ports.gateway as number);
  const run = ++lastRun;
  const indices = [...Array(size).keys()];
  const members: SwarmMember[] = [];
  const createMembers = async () => {
    for (let i = indices.shift(); i !== undefined; i = indices.shift()) {
      const apnsToken = options.apnsTokenOf?.(i);
      const address = Math.floor(i / PHONES_PER_ADDRESS);
      const userId = await addUser(storage.home, appId);
      const phone = { appId, userId, deviceGuid: `swarm-${run}-${i}`, ...(apnsToken && { apnsToken }) };
      members[i] = {
        ...{ userId, login: await addDevice(storage, phone), apnsToken, taskIds: [], device: undefined, connects: 0 },
        acknowledges: options.acknowledges?.(i) ?? true,
        keepalive: options.keepalive ?? KEEPALIVE_SECONDS,
        onNotification: options.onNotification && ((taskId, port) => options.onNotification?.(i, taskId, port)),
        from: `127.0.${1 + Math.floor(address / 250)}.${2 + (address % 250)}`,
      };
    }
  };
  await Promise.all(Array.from({ length: 8 }, createMembers));
  return new DeviceSwarm(members, options.ports ?? livePorts);
}

let lastRun = 0;
