import { isUtf8 } from 'node:buffer';
import type { ProtocolVersion } from './codec.ts';
import { reason } from './reason-codes.ts';

/** Maximum number of bytes in MQTT's variable byte integer. */
const VARIABLE_BYTES_MAX = 4;

/**
 * Reads the fields of one packet and records the first fault. It never throws. After a fault every read returns an
 * empty value and does not advance, so loops must check `done`.
 */
export class PacketCursor {
  readonly bytes: Buffer;
  fault: number | undefined;
  #offset: number;
  #end: number;

  constructor(bytes: Buffer, from: number) {
    this.bytes = bytes;
    this.#offset = from;
    this.#end = bytes.length;
  }

  /** True if no bytes are left or a fault was found. */
  get done(): boolean {
    return this.#offset >= this.#end || this.fault !== undefined;
  }

  fail(fault: number): void {
    this.fault ??= fault;
  }

  /** Fails if bytes follow the last field [MQTT5 1.2, "Malformed Packet"]. */
  mustEnd(): void {
    if (this.#offset < this.#end) this.fail(reason.malformed);
  }

  /** Skips the packet's remaining length. Only MQTT 5 requires its shortest encoding [MQTT-1.5.5-1]. */
  skipRemainingLength(version: ProtocolVersion): void {
    if (version === 5) this.variableByteInteger();
    else while ((this.byte() & 0x80) !== 0);
  }

  byte(): number {
    return this.#advance(1) ? (this.bytes[this.#offset - 1] as number) : 0;
  }

  uint16(): number {
    return this.#advance(2) ? this.bytes.readUInt16BE(this.#offset - 2) : 0;
  }

  uint32(): number {
    return this.#advance(4) ? this.bytes.readUInt32BE(this.#offset - 4) : 0;
  }

  /** Reads an integer, which must have the shortest encoding [MQTT-1.5.5-1]. */
  variableByteInteger(): number {
    let value = 0;
    for (let i = 0; i < VARIABLE_BYTES_MAX; i++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 128 ** i;
      if ((byte & 0x80) !== 0) continue;
      if (byte === 0 && i > 0) this.fail(reason.malformed);
      return value;
    }
    this.fail(reason.malformed);
    return 0;
  }

  binary(): Buffer {
    const length = this.uint16();
    return this.#advance(length) ? this.bytes.subarray(this.#offset - length, this.#offset) : EMPTY;
  }

  /**
   * Reads a string of well-formed UTF-8 without U+0000 [MQTT-1.5.4-1, MQTT-1.5.4-2; 3.1.1: MQTT-1.5.3-1, MQTT-1.5.3-2].
   */
  utf8String(): Buffer {
    const value = this.binary();
    if (!isUtf8(value) || value.includes(0)) this.fail(reason.malformed);
    return value;
  }

  /**
   * Reads a topic name, which must not contain wildcards [MQTT-3.3.2-2]. This method does not check the minimum of one
   * character [MQTT-4.7.3-1].
   */
  topicName(): Buffer {
    const topic = this.utf8String();
    if (topic.includes(PLUS) || topic.includes(HASH)) this.fail(reason.malformed);
    return topic;
  }

  /** Reads a packet id, which must not be zero [MQTT-2.2.1-3; 3.1.1: MQTT-2.3.1-1]. */
  packetId(): void {
    if (this.uint16() === 0) this.fail(reason.protocolError);
  }

  /** Reads a section that has its own length and must be read completely. */
  section(length: number, read: () => void): void {
    const end = this.#end;
    if (this.#offset + length > end) this.fail(reason.malformed);
    if (this.fault !== undefined) return;
    this.#end = this.#offset + length;
    read();
    this.mustEnd();
    this.#end = end;
  }

  #advance(length: number): boolean {
    if (this.fault === undefined && this.#offset + length <= this.#end) {
      this.#offset += length;
      return true;
    }
    this.fail(reason.malformed);
    return false;
  }
}

const EMPTY = Buffer.alloc(0);
const PLUS = 0x2b;
const HASH = 0x23;
