import type { Packet } from 'mqtt-packet';
import { RECALL_TOPIC } from '#src/contract/mqtt.ts';
import type { PlaceRef } from '#src/receipts/receipts.ts';
import { encode, type ProtocolVersion, type PublishFrame } from '../codec.ts';
import type { DeviceSocket } from '../listeners/device-socket.ts';
import { reason, reasonStrings } from '../reason-codes.ts';
import type { PendingReports } from '../report.ts';

/** The device of a session, as authenticated by its CONNECT. */
export interface ConnectedDevice {
  readonly appId: string;
  readonly bucket: number;
  readonly deviceId: bigint;
  readonly generation: number;
  readonly userId: bigint;
  /**
   * Hash of the access token that the device connected with, used to end the session when the token is revoked. It is a
   * string, because a Buffer would keep its whole slab in memory as long as the session.
   */
  readonly tokenHash: string;
  /** The admin token that created the access token, or null after a login with a password. */
  readonly tokenParent: bigint | null;
  /** In milliseconds since 1970, like `connectedAt`. */
  readonly tokenCreatedAt: number;
  /** The time at which the access token expires, on the monotonic clock of this process. */
  readonly tokenExpiresAtMs: number;
  /** The time at which the access token was read, on the home database's clock. */
  readonly connectedAt: number;
  /** The time at which the device connected, on the shard database's clock. */
  readonly since: string;
  /** The device was connected to a gateway before, and this session replaces that one. */
  readonly isTakeover: boolean;
}

/** A notification that was written and is not acknowledged yet. */
interface InFlight {
  readonly packetId: number;
  readonly ref: PlaceRef;
  /** The notification is also in the inbox and must be deleted there when it is acknowledged. */
  inInbox: boolean;
  readonly latencySample: LatencySample | undefined;
}

/** A latency measurement: the age of the notification when it was written, and the time of writing. */
export interface LatencySample {
  readonly ageMs: number;
  /** On the monotonic clock of this process. */
  readonly writtenMs: number;
}

/** Maximum number of unacknowledged notifications in flight to a device. */
export const IN_FLIGHT_MAX = 20;
/** Maximum number of unacknowledged reports from a device. */
export const RECEIVE_MAXIMUM = 20;
/** A device can send a burst of 30 reports, and one report per second after that. */
export const REPORT_BURST_MAX = 30;
const REPORTS_PER_SECOND = 1;
/**
 * Maximum number of further notifications that wait briefly for acknowledgements. Notifications above this limit use
 * another channel.
 */
const QUEUED_MAX = 100;
/** If more than 256 KiB are buffered for a device, it is not reading, and its connection is destroyed. */
export const BUFFERED_BYTES_MAX = 256 * 1024;
/** Buffers of at least this size are watched for a stall. Smaller buffers fit into one write. */
const STALL_CHECK_BYTES_MIN = 16 * 1024;
/** A watched device must read at least one byte in this time. */
export const STALL_SECONDS_MAX = 20;
const PACKET_IDS = 65_535;
/** Time for the device to read its last packets. */
const CLOSE_MS_MAX = 2_000;
/**
 * Queued notifications older than this are dropped, because the worker falls back to another channel about a second
 * later.
 */
const QUEUED_MS_MAX = 4_000;
/**
 * Maximum number of acknowledged or skipped notifications whose results are kept, because their inbox rows are deleted a little
 * later. An inbox contains fewer notifications than this.
 */
const ACKNOWLEDGED_MAX = 200;

/** `queued`: the notification is written after the device has acknowledged others. */
export type NotifyResult = 'written' | 'queued' | 'full';

/** One connected device: its socket and the notifications that are in flight. */
export class Session {
  readonly device: ConnectedDevice;
  readonly version: ProtocolVersion;
  readonly keepAliveMs: number;
  /** True if the CONNACK was sent, which must be the first packet [MQTT-3.2.0-1]. */
  connackSent = false;
  /** True if the inbox contains more notifications than the window had room for. */
  hasMoreInInbox = false;
  /** True if the client has subscribed to recalls. */
  acceptsRecalls = false;
  lastPacketMs = performance.now();
  /** Reports that have no PUBACK yet. */
  reportQueue: PendingReports | undefined;
  /**
   * True if the CONNECT requested a session expiry. No session outlives its connection, but in this case the DISCONNECT
   * may contain a session expiry too.
   */
  readonly expiryRequested: boolean;
  readonly #socket: DeviceSocket;
  readonly #problemInformation: boolean;
  readonly #windowMax: number;
  readonly #packetBytesMax: number;
  // These are created on demand, as arrays instead of maps, because most sessions are idle most of the time.
  #inFlight: InFlight[] | undefined;
  #queue: { readonly frame: PublishFrame; readonly ref: PlaceRef; readonly since: number }[] | undefined;
  #closing = false;
  /** Acknowledged notifications, and those that are too large for the client, oldest first. */
  #acknowledged: { readonly taskId: bigint; readonly accepted: boolean }[] | undefined;
  #lastPacketId = 0;
  #reportTokens = REPORT_BURST_MAX;
  #reportTokensUpdatedMs = 0;
  /** Total number of bytes written. Bytes that are no longer in the socket's buffer have been flushed. */
  #writtenBytes = 0;
  /** Runs while the device reads too slowly, and while the session is closing. */
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

  /** True if half of the window is free, so that another read of the inbox is worthwhile. */
  get hasRoom(): boolean {
    return this.windowRoom >= this.#windowMax / 2;
  }

  /** Returns whether a task is in flight to the device. If so, its inbox row is deleted when it is acknowledged. */
  markIfInFlight(taskId: bigint): boolean {
    const inFlight = this.#findInFlight(taskId);
    if (inFlight) inFlight.inInbox = true;
    return inFlight !== undefined;
  }

  /** True if no notification is in flight or queued. */
  get isIdle(): boolean {
    return !this.#inFlight?.length && !this.#queue?.length;
  }

  /**
   * Writes a notification, or queues it while too many are in flight. A notification that is already in flight is not
   * written again. Notifications from the inbox are not queued, because they stay in the inbox.
   */
  notify(frame: PublishFrame, ref: PlaceRef, inInbox: boolean, latencySample?: LatencySample): NotifyResult {
    const inFlight = this.#findInFlight(ref.taskId);
    if (inFlight) {
      inFlight.inInbox ||= inInbox;
      return 'written';
    }
    if (!this.connackSent || this.#closing || this.#socket.writableLength > BUFFERED_BYTES_MAX / 2) return 'full';
    if (!this.accepts(frame)) return 'full';
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

  /** Writes a recall with QoS 0. Returns false if the client does not support recalls or does not read. */
  recall(payload: string): boolean {
    if (!this.acceptsRecalls || this.#closing || this.#socket.writableLength > BUFFERED_BYTES_MAX / 2) return false;
    this.send({ cmd: 'publish', topic: RECALL_TOPIC, qos: 0, dup: false, retain: false, payload });
    return true;
  }

  /** Returns whether a notification is small enough for the client [MQTT-3.1.2-25]. */
  accepts(frame: PublishFrame): boolean {
    return frame.sizeIn(this.version) <= this.#packetBytesMax;
  }

  /** Records that a notification is too large for the client, so that it is not sent again in this session. */
  skipTooLarge(taskId: bigint): void {
    this.#recordResult(taskId, false);
  }

  /**
   * Removes the notification with this packet id from the notifications in flight, records whether the device accepted
   * it, and returns it.
   */
  acknowledge(packetId: number, accepted: boolean): InFlight | undefined {
    const index = this.#inFlight?.findIndex((entry) => entry.packetId === packetId) ?? -1;
    const [acknowledged] = index < 0 ? [] : (this.#inFlight?.splice(index, 1) ?? []);
    if (!acknowledged) return undefined;
    this.#recordResult(acknowledged.ref.taskId, accepted);
    return acknowledged;
  }

  /**
   * Returns true if the device recently accepted a task, false if it rejected the task or the task is too large for it,
   * and undefined otherwise.
   */
  wasAccepted(taskId: bigint): boolean | undefined {
    return this.#acknowledged?.findLast((entry) => entry.taskId === taskId)?.accepted;
  }

  /**
   * Drops queued notifications that are too old, and writes those that fit into the window. Returns the places of the
   * written notifications.
   */
  writeQueued(): PlaceRef[] {
    if (!this.#queue?.length) return [];
    const now = performance.now();
    this.#queue = this.#queue.filter(({ since }) => now - since < QUEUED_MS_MAX);
    const ready = this.#queue.splice(0, this.windowRoom);
    for (const { frame, ref } of ready) this.#writeNotification(frame, ref, false);
    return ready.map(({ ref }) => ref);
  }

  /** Returns whether the device can send another report now, and counts it if so. */
  takeReportToken(): boolean {
    const now = performance.now();
    const refill = ((now - this.#reportTokensUpdatedMs) / 1_000) * REPORTS_PER_SECOND;
    this.#reportTokens = Math.min(this.#reportTokens + refill, REPORT_BURST_MAX);
    this.#reportTokensUpdatedMs = now;
    if (this.#reportTokens < 1) return false;
    this.#reportTokens--;
    return true;
  }

  /**
   * Returns properties with a reason string. Returns none for MQTT 3.1.1 or if the client disabled problem information
   * [MQTT-3.1.2-29].
   */
  reasonStringProperties(reasonString: string | undefined): { properties?: { reasonString: string } } {
    const isIncluded = this.version === 5 && this.#problemInformation && reasonString !== undefined;
    return isIncluded ? { properties: { reasonString } } : {};
  }

  reasonCodeProperties(reasonCode: number): { properties?: { reasonString: string } } {
    return this.reasonStringProperties(reasonStrings[reasonCode]);
  }

  /**
   * Sends a packet, unless it is larger than the client accepts [MQTT-3.1.2-25]. The properties of a packet that is too
   * large are omitted first.
   */
  send(packet: Packet): void {
    const bytes = encode(packet, this.version);
    if (bytes.length <= this.#packetBytesMax) this.write(bytes);
    else if ('properties' in packet && packet.cmd !== 'connack') {
      const { properties: _, ...withoutProperties } = packet;
      this.send(withoutProperties as Packet);
    }
  }

  /**
   * Writes bytes, unless the session is closing: nothing may follow a DISCONNECT [MQTT-3.14.4-1]. Destroys the socket
   * if too many bytes are buffered.
   */
  write(bytes: Buffer): void {
    if (this.#closing) return;
    if (this.#socket.writableLength > BUFFERED_BYTES_MAX) this.#socket.destroy();
    else this.#writeToSocket(bytes);
  }

  /**
   * Sends the reason code, if the protocol version supports it, and closes the connection. If the device does not read,
   * the socket is destroyed.
   */
  close(reasonCode: number): void {
    if (this.#closing) return;
    // No packet may precede the CONNACK [MQTT-3.2.0-1].
    if (this.connackSent && this.version === 5 && reasonCode !== reason.normal && this.#socket.writable)
      this.send({ cmd: 'disconnect', reasonCode, ...this.reasonCodeProperties(reasonCode) });
    this.#closing = true;
    clearTimeout(this.#destroyTimer);
    this.#destroyTimer = setTimeout(() => this.#socket.destroy(), CLOSE_MS_MAX).unref();
    this.#socket.destroySoon();
  }

  /** Handles a closed socket. The timer that would destroy it must not keep the session in memory. */
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

  /** Destroys the socket if no bytes are flushed for too long. Only devices that read too slowly need a timer. */
  #watchForStall(): void {
    const flushedBytes = this.#writtenBytes - this.#socket.writableLength;
    this.#destroyTimer = setTimeout(() => {
      this.#destroyTimer = undefined;
      if (this.#socket.writableLength < STALL_CHECK_BYTES_MIN) return;
      if (this.#writtenBytes - this.#socket.writableLength <= flushedBytes) this.#socket.destroy();
      else this.#watchForStall();
    }, STALL_SECONDS_MAX * 1_000).unref();
  }

  #recordResult(taskId: bigint, accepted: boolean): void {
    this.#acknowledged ??= [];
    this.#acknowledged.push({ taskId, accepted });
    if (this.#acknowledged.length > ACKNOWLEDGED_MAX) this.#acknowledged.shift();
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
