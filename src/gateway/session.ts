import type { Packet } from 'mqtt-packet';
import type { PlaceRef } from '#src/receipts/receipts.ts';
import { encode, type ProtocolVersion, type PublishFrame } from './codec.ts';
import type { DeviceSocket } from './doors/device-socket.ts';

/** The device behind a session, as its CONNECT proved. */
export interface ConnectedDevice {
  readonly appId: string;
  readonly shard: number;
  readonly deviceId: bigint;
  readonly generation: number;
  readonly userId: bigint;
  /** What it connected with, for when that is revoked. */
  readonly tokenHash: Buffer;
  readonly tokenMadeAt: Date;
  /** When its token was looked at, by the home database's clock. */
  readonly connectedAt: Date;
  /** Its shard database's clock when it connected. */
  readonly since: string;
}

/** A notification that was written and is not acknowledged yet. */
interface InFlight {
  readonly ref: PlaceRef;
  /** It lies in the inbox as well and must leave it when it is acknowledged. */
  inInbox: boolean;
}

/** A device gets so many notifications ahead of its answers. */
const IN_FLIGHT_MAX = 20;
/** So many more wait here for its answers, a moment each; what is beyond goes another way. */
const QUEUED_MAX = 100;
/** A reader that stopped reading is cut at this many bytes. */
const BUFFERED_BYTES_MAX = 256 * 1024;
const PACKET_IDS = 65_535;
/** Time for the last words to be read. */
const CLOSE_MS_MAX = 2_000;
/** What was queued longer is on another way by now. */
const QUEUED_MS_MAX = 4_000;
/** So many answered notifications are remembered: one may lie in the inbox a moment longer. */
const ANSWERED_MAX = 64;

/** Why a session ends, in the reason codes of MQTT 5; a client of 3.1.1 is just cut off, as its standard has it. */
export const reason = {
  normal: 0x00,
  malformed: 0x81,
  protocolError: 0x82,
  notAuthorised: 0x87,
  shuttingDown: 0x8b,
  keepAliveTimeout: 0x8d,
  takenOver: 0x8e,
  packetTooLarge: 0x95,
  quotaExceeded: 0x97,
} as const;

/** `queued`: it will be written as soon as the device has answered others. */
export type NotifyResult = 'written' | 'queued' | 'full';

/** One connected device: its socket, and what is on the way to it. */
export class Session {
  readonly device: ConnectedDevice;
  readonly version: ProtocolVersion;
  readonly keepAliveMs: number;
  /** It got its CONNACK, which must be the first packet of all [MQTT-3.2.0-1]. */
  welcomed = false;
  /** Its inbox holds more than its window had room for. */
  inboxWaits = false;
  lastHeardMs = performance.now();
  readonly #socket: DeviceSocket;
  readonly #windowMax: number;
  readonly #packetBytesMax: number;
  // These are made when they are needed: most sessions are idle most of the time.
  #inFlight: Map<number, InFlight> | undefined;
  #queue: { readonly frame: PublishFrame; readonly ref: PlaceRef; readonly since: number }[] | undefined;
  #closing = false;
  #answered: Map<bigint, boolean> | undefined;
  #lastPacketId = 0;

  constructor(options: {
    device: ConnectedDevice;
    version: ProtocolVersion;
    keepAliveMs: number;
    receiveMaximum: number;
    packetBytesMax: number;
    socket: DeviceSocket;
  }) {
    this.device = options.device;
    this.version = options.version;
    this.keepAliveMs = options.keepAliveMs;
    this.#socket = options.socket;
    this.#windowMax = Math.min(IN_FLIGHT_MAX, options.receiveMaximum);
    this.#packetBytesMax = options.packetBytesMax;
  }

  get windowRoom(): number {
    return this.#windowMax - (this.#inFlight?.size ?? 0);
  }

  /**
   * Writes a notification, or queues it while too many are on the way. One that is on the way already is not written
   * again. What comes from the inbox is not queued: it is safe where it lies.
   */
  notify(frame: PublishFrame, ref: PlaceRef, inInbox: boolean): NotifyResult {
    const known = this.#find(ref.taskId);
    if (known) {
      known.inInbox ||= inInbox;
      return 'written';
    }
    if (!this.welcomed || this.#closing || this.#socket.writableLength > BUFFERED_BYTES_MAX / 2) return 'full';
    if (frame.sizeIn(this.version) > this.#packetBytesMax) return 'full'; // [MQTT-3.1.2-25]
    if (this.windowRoom > 0) {
      this.#write(frame, ref, inInbox);
      return 'written';
    }
    this.#queue ??= [];
    if (inInbox || this.#queue.length >= QUEUED_MAX) return 'full';
    if (!this.#queue.some((queued) => queued.ref.taskId === ref.taskId))
      this.#queue.push({ frame, ref, since: performance.now() });
    return 'queued';
  }

  /** The device has taken the notification with this packet id, or refused it. */
  answer(packetId: number, taken: boolean): InFlight | undefined {
    const answered = this.#inFlight?.get(packetId);
    if (!answered) return undefined;
    this.#inFlight?.delete(packetId);
    this.#answered ??= new Map();
    this.#answered.set(answered.ref.taskId, taken);
    if (this.#answered.size > ANSWERED_MAX) this.#answered.delete(this.#answered.keys().next().value as bigint);
    return answered;
  }

  /** What the device said lately of a task: taken, refused, or nothing. */
  answerTo(taskId: bigint): boolean | undefined {
    return this.#answered?.get(taskId);
  }

  /** Writes what was queued and has room now. Answers what was written. */
  writeQueued(): PlaceRef[] {
    const now = performance.now();
    this.#queue = this.#queue?.filter(({ since }) => now - since < QUEUED_MS_MAX);
    const ready = this.#queue?.splice(0, this.windowRoom) ?? [];
    for (const { frame, ref } of ready) this.#write(frame, ref, false);
    return ready.map(({ ref }) => ref);
  }

  send(packet: Packet): void {
    if (this.#socket.writableLength > BUFFERED_BYTES_MAX) this.#socket.destroy();
    else this.#socket.write(encode(packet, this.version));
  }

  /** Says why, if its standard has a word for it, and goes; a reader that does not read is cut off. */
  close(reasonCode: number): void {
    if (this.#closing) return;
    this.#closing = true;
    if (this.version === 5 && reasonCode !== reason.normal && this.#socket.writable)
      this.send({ cmd: 'disconnect', reasonCode });
    this.#socket.destroySoon();
    setTimeout(() => this.#socket.destroy(), CLOSE_MS_MAX).unref();
  }

  #write(frame: PublishFrame, ref: PlaceRef, inInbox: boolean): void {
    this.#inFlight ??= new Map();
    const packetId = this.#nextPacketId(this.#inFlight);
    this.#inFlight.set(packetId, { ref, inInbox });
    this.#socket.write(frame.withPacketId(packetId, this.version));
  }

  #find(taskId: bigint): InFlight | undefined {
    for (const inFlight of this.#inFlight?.values() ?? []) if (inFlight.ref.taskId === taskId) return inFlight;
    return undefined;
  }

  #nextPacketId(inFlight: ReadonlyMap<number, unknown>): number {
    do this.#lastPacketId = (this.#lastPacketId % PACKET_IDS) + 1;
    while (inFlight.has(this.#lastPacketId));
    return this.#lastPacketId;
  }
}
