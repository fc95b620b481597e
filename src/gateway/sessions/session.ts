import type { Packet } from 'mqtt-packet';
import type { PlaceRef } from '#src/receipts/receipts.ts';
import { encode, type ProtocolVersion, type PublishFrame } from '../codec.ts';
import type { DeviceSocket } from '../listeners/device-socket.ts';
import { reason, reasonStrings } from '../reason-codes.ts';
import type { PendingReports } from '../report.ts';

/** The device behind a session, as its CONNECT proved. */
export interface ConnectedDevice {
  readonly appId: string;
  readonly shard: number;
  readonly deviceId: bigint;
  readonly generation: number;
  readonly userId: bigint;
  /**
   * What it connected with, for when that is revoked. As text: the bytes lie in a slab with others, and would keep all
   * of it for as long as the session lasts.
   */
  readonly tokenHash: string;
  /** In milliseconds since 1970, as the next one. */
  readonly tokenCreatedAt: number;
  /** When its token was looked at, by the home database's clock. */
  readonly connectedAt: number;
  /** Its shard database's clock when it connected. */
  readonly since: string;
}

/** A notification that was written and is not acknowledged yet. */
interface InFlight {
  readonly packetId: number;
  readonly ref: PlaceRef;
  /** It lies in the inbox as well and must leave it when it is acknowledged. */
  inInbox: boolean;
  readonly latencySample: LatencySample | undefined;
}

/** Of one that is measured: how long after it was due it was written, and when. */
export interface LatencySample {
  readonly ageMs: number;
  /** By this process's clock. */
  readonly writtenMs: number;
}

/** A device gets so many notifications ahead of its answers. */
export const IN_FLIGHT_MAX = 20;
/** So many reports of a device may be without an answer. */
export const RECEIVE_MAXIMUM = 20;
/** A device may say so much of itself at once, and one thing a second from then on. */
export const REPORT_BURST_MAX = 30;
const REPORTS_PER_SECOND = 1;
/** So many more wait here for its answers, a moment each; what is beyond goes another way. */
const QUEUED_MAX = 100;
/** A reader that stopped reading is cut at this many bytes. */
export const BUFFERED_BYTES_MAX = 256 * 1024;
/** From here on it is watched: what is less fits into one write. */
const STALL_CHECK_BYTES_MIN = 16 * 1024;
/** A reader that is watched must read something in this time. */
export const STALL_SECONDS_MAX = 20;
const PACKET_IDS = 65_535;
/** Time for the last words to be read. */
const CLOSE_MS_MAX = 2_000;
/** What was queued longer is on another way by now. */
const QUEUED_MS_MAX = 4_000;
/** So many answered notifications are remembered, more than an inbox holds: each may lie there a moment longer. */
const ACKNOWLEDGED_MAX = 200;

/** `queued`: it will be written as soon as the device has answered others. */
export type NotifyResult = 'written' | 'queued' | 'full';

/** One connected device: its socket, and what is on the way to it. */
export class Session {
  readonly device: ConnectedDevice;
  readonly version: ProtocolVersion;
  readonly keepAliveMs: number;
  /** It got its CONNACK, which must be the first packet of all [MQTT-3.2.0-1]. */
  connackSent = false;
  /** Its inbox holds more than its window had room for. */
  hasMoreInInbox = false;
  lastPacketMs = performance.now();
  /** What it reported and is not answered yet. */
  reportQueue: PendingReports | undefined;
  /** Its CONNECT wished for a session that outlives its connection. None does, and its DISCONNECT may still speak of it. */
  readonly expiryRequested: boolean;
  readonly #socket: DeviceSocket;
  readonly #problemInformation: boolean;
  readonly #windowMax: number;
  readonly #packetBytesMax: number;
  // These are made when they are needed, and lists rather than maps: most sessions are idle most of the time.
  #inFlight: InFlight[] | undefined;
  #queue: { readonly frame: PublishFrame; readonly ref: PlaceRef; readonly since: number }[] | undefined;
  #closing = false;
  /** Oldest first. */
  #acknowledged: { readonly taskId: bigint; readonly accepted: boolean }[] | undefined;
  #lastPacketId = 0;
  #reportTokens = REPORT_BURST_MAX;
  #reportTokensUpdatedMs = 0;
  /** All that was ever written; what of it is not in the socket's buffer has left. */
  #writtenBytes = 0;
  /** Runs while it is behind with reading, and when it was told to go. */
  #destroyTimer: NodeJS.Timeout | undefined;

  constructor(options: {
    device: ConnectedDevice;
    version: ProtocolVersion;
    keepAliveMs: number;
    receiveMaximum: number;
    packetBytesMax: number;
    problemInformation: boolean;
    expiryRequested: boolean;
    socket: DeviceSocket;
  }) {
    this.device = options.device;
    this.version = options.version;
    this.keepAliveMs = options.keepAliveMs;
    this.#socket = options.socket;
    this.#windowMax = Math.min(IN_FLIGHT_MAX, options.receiveMaximum);
    this.#packetBytesMax = options.packetBytesMax;
    this.#problemInformation = options.problemInformation;
    this.expiryRequested = options.expiryRequested;
  }

  get windowRoom(): number {
    return this.#windowMax - (this.#inFlight?.length ?? 0);
  }

  /** Half of the window is free: then it is worth a look whether the inbox has more. */
  get hasRoom(): boolean {
    return this.windowRoom >= this.#windowMax / 2;
  }

  /** Whether a task is on the way to the device; if so, its message in the inbox goes when it is acknowledged. */
  markIfInFlight(taskId: bigint): boolean {
    const inFlight = this.#findInFlight(taskId);
    if (inFlight) inFlight.inInbox = true;
    return inFlight !== undefined;
  }

  /** Nothing is on the way to the device, or waits to be. */
  get isIdle(): boolean {
    return !this.#inFlight?.length && !this.#queue?.length;
  }

  /**
   * Writes a notification, or queues it while too many are on the way. One that is on the way already is not written
   * again. What comes from the inbox is not queued: it is safe where it lies.
   */
  notify(frame: PublishFrame, ref: PlaceRef, inInbox: boolean, latencySample?: LatencySample): NotifyResult {
    const inFlight = this.#findInFlight(ref.taskId);
    if (inFlight) {
      inFlight.inInbox ||= inInbox;
      return 'written';
    }
    if (!this.connackSent || this.#closing || this.#socket.writableLength > BUFFERED_BYTES_MAX / 2) return 'full';
    if (frame.sizeIn(this.version) > this.#packetBytesMax) return 'full'; // [MQTT-3.1.2-25]
    if (this.windowRoom > 0) {
      this.#writeNotification(frame, ref, inInbox, latencySample);
      return 'written';
    }
    this.#queue ??= [];
    if (inInbox || this.#queue.length >= QUEUED_MAX) return 'full';
    if (!this.#queue.some((queued) => queued.ref.taskId === ref.taskId))
      this.#queue.push({ frame, ref, since: performance.now() });
    return 'queued';
  }

  /** The device has taken the notification with this packet id, or refused it. */
  acknowledge(packetId: number, accepted: boolean): InFlight | undefined {
    const index = this.#inFlight?.findIndex((entry) => entry.packetId === packetId) ?? -1;
    const [acknowledged] = index < 0 ? [] : (this.#inFlight?.splice(index, 1) ?? []);
    if (!acknowledged) return undefined;
    this.#acknowledged ??= [];
    this.#acknowledged.push({ taskId: acknowledged.ref.taskId, accepted });
    if (this.#acknowledged.length > ACKNOWLEDGED_MAX) this.#acknowledged.shift();
    return acknowledged;
  }

  /** What the device said lately of a task: taken, refused, or nothing. */
  wasAccepted(taskId: bigint): boolean | undefined {
    return this.#acknowledged?.findLast((entry) => entry.taskId === taskId)?.accepted;
  }

  /** Writes what was queued and has room now. Answers what was written. */
  writeQueued(): PlaceRef[] {
    if (!this.#queue?.length) return [];
    const now = performance.now();
    this.#queue = this.#queue.filter(({ since }) => now - since < QUEUED_MS_MAX);
    const ready = this.#queue.splice(0, this.windowRoom);
    for (const { frame, ref } of ready) this.#writeNotification(frame, ref, false);
    return ready.map(({ ref }) => ref);
  }

  /** Whether it may report once more now; if so, that is counted. */
  takeReportToken(): boolean {
    const now = performance.now();
    const refill = ((now - this.#reportTokensUpdatedMs) / 1_000) * REPORTS_PER_SECOND;
    this.#reportTokens = Math.min(this.#reportTokens + refill, REPORT_BURST_MAX);
    this.#reportTokensUpdatedMs = now;
    if (this.#reportTokens < 1) return false;
    this.#reportTokens--;
    return true;
  }

  /** Properties that say something to people, unless the client does not want that [MQTT-3.1.2-29]. */
  reasonStringProperties(reasonString: string | undefined): { properties?: { reasonString: string } } {
    const isIncluded = this.version === 5 && this.#problemInformation && reasonString !== undefined;
    return isIncluded ? { properties: { reasonString } } : {};
  }

  reasonCodeProperties(reasonCode: number): { properties?: { reasonString: string } } {
    return this.reasonStringProperties(reasonStrings[reasonCode]);
  }

  /** What is larger than the client takes is not sent [MQTT-3.1.2-25], and first of all the words for people. */
  send(packet: Packet): void {
    const bytes = encode(packet, this.version);
    if (bytes.length <= this.#packetBytesMax) this.write(bytes);
    else if ('properties' in packet && packet.cmd !== 'connack') {
      const { properties: _, ...withoutProperties } = packet;
      this.send(withoutProperties as Packet);
    }
  }

  /** After its last words nothing follows [MQTT-3.14.4-1]. */
  write(bytes: Buffer): void {
    if (this.#closing) return;
    if (this.#socket.writableLength > BUFFERED_BYTES_MAX) this.#socket.destroy();
    else this.#writeToSocket(bytes);
  }

  /** Says why, if its standard has a word for it, and goes; a reader that does not read is cut off. */
  close(reasonCode: number): void {
    if (this.#closing) return;
    // Nothing may come before a CONNACK [MQTT-3.2.0-1].
    if (this.connackSent && this.version === 5 && reasonCode !== reason.normal && this.#socket.writable)
      this.send({ cmd: 'disconnect', reasonCode, ...this.reasonCodeProperties(reasonCode) });
    this.#closing = true;
    clearTimeout(this.#destroyTimer);
    this.#destroyTimer = setTimeout(() => this.#socket.destroy(), CLOSE_MS_MAX).unref();
    this.#socket.destroySoon();
  }

  /** Its socket is closed: a timer that would see to that must not keep it any longer. */
  handleSocketClose(): void {
    this.#closing = true;
    clearTimeout(this.#destroyTimer);
  }

  #writeNotification(frame: PublishFrame, ref: PlaceRef, inInbox: boolean, latencySample?: LatencySample): void {
    this.#inFlight ??= [];
    const packetId = this.#nextPacketId(this.#inFlight);
    this.#inFlight.push({ packetId, ref, inInbox, latencySample });
    this.#writeToSocket(frame.withPacketId(packetId, this.version));
  }

  #writeToSocket(bytes: Buffer): void {
    this.#socket.write(bytes);
    this.#writtenBytes += bytes.length;
    if (!this.#destroyTimer && this.#socket.writableLength >= STALL_CHECK_BYTES_MIN) this.#watchForStall();
  }

  /** Cuts off a reader of which nothing leaves for too long. Only those that are behind cost a timer. */
  #watchForStall(): void {
    const flushedBytes = this.#writtenBytes - this.#socket.writableLength;
    this.#destroyTimer = setTimeout(() => {
      this.#destroyTimer = undefined;
      if (this.#socket.writableLength < STALL_CHECK_BYTES_MIN) return;
      if (this.#writtenBytes - this.#socket.writableLength <= flushedBytes) this.#socket.destroy();
      else this.#watchForStall();
    }, STALL_SECONDS_MAX * 1_000).unref();
  }

  #findInFlight(taskId: bigint): InFlight | undefined {
    return this.#inFlight?.find(({ ref }) => ref.taskId === taskId);
  }

  #nextPacketId(inFlight: readonly InFlight[]): number {
    do this.#lastPacketId = (this.#lastPacketId % PACKET_IDS) + 1;
    while (inFlight.some(({ packetId }) => packetId === this.#lastPacketId));
    return this.#lastPacketId;
  }
}
