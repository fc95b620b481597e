import { isUtf8 } from 'node:buffer';
import type { ProtocolVersion } from './codec.ts';
import { reason } from './reason-codes.ts';

/** The most that MQTT's length of four bytes can say. */
const VARIABLE_BYTES_MAX = 4;

/**
 * Walks over the bytes of one packet and notes the first thing that is wrong. It never throws: after a fault every read
 * answers nothing and moves nowhere, so whoever loops must look at `done`.
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

  /** Nothing is left, or nothing that can be read. */
  get done(): boolean {
    return this.#offset >= this.#end || this.fault !== undefined;
  }

  fail(fault: number): void {
    this.fault ??= fault;
  }

  /** Bytes behind the last field are none of the packet's [MQTT5 1.2, "Malformed Packet"]. */
  mustEnd(): void {
    if (this.#offset < this.#end) this.fail(reason.malformed);
  }

  /** The packet's own; only MQTT 5 wants it in as few bytes as it takes [MQTT-1.5.5-1]. */
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

  /** In as few bytes as it takes [MQTT-1.5.5-1]. */
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

  /** Well-formed UTF-8 without U+0000 [MQTT-1.5.4-1, MQTT-1.5.4-2; 3.1.1: MQTT-1.5.3-1, MQTT-1.5.3-2]. */
  utf8String(): Buffer {
    const value = this.binary();
    if (!isUtf8(value) || value.includes(0)) this.fail(reason.malformed);
    return value;
  }

  /** The name of a topic: at least one character [MQTT-4.7.3-1], no wildcards [MQTT-3.3.2-2]. */
  topicName(): Buffer {
    const topic = this.utf8String();
    if (topic.includes(PLUS) || topic.includes(HASH)) this.fail(reason.malformed);
    return topic;
  }

  /** A packet id is never zero [MQTT-2.2.1-3; 3.1.1: MQTT-2.3.1-1]. */
  packetId(): void {
    if (this.uint16() === 0) this.fail(reason.protocolError);
  }

  /** Reads a part that has its own length, and that must be used up. */
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
