import { isUtf8 } from 'node:buffer';
import type { ProtocolVersion } from './codec.ts';
import { reason } from './sessions/session.ts';

/** The most that MQTT's length of four bytes can say. */
const VARIABLE_BYTES_MAX = 4;

/**
 * Walks over the bytes of one packet and notes the first thing that is wrong. It never throws: after a fault every read
 * answers nothing and moves nowhere, so whoever loops must look at `done`.
 */
export class Wire {
  readonly bytes: Buffer;
  fault: number | undefined;
  #at: number;
  #end: number;

  constructor(bytes: Buffer, from: number) {
    this.bytes = bytes;
    this.#at = from;
    this.#end = bytes.length;
  }

  /** Nothing is left, or nothing that can be read. */
  get done(): boolean {
    return this.#at >= this.#end || this.fault !== undefined;
  }

  fail(fault: number): void {
    this.fault ??= fault;
  }

  /** Bytes behind the last field are none of the packet's [MQTT5 1.2, "Malformed Packet"]. */
  mustEnd(): void {
    if (this.#at < this.#end) this.fail(reason.malformed);
  }

  /** The packet's own; only MQTT 5 wants it in as few bytes as it takes [MQTT-1.5.5-1]. */
  skipLength(version: ProtocolVersion): void {
    if (version === 5) this.variable();
    else while ((this.byte() & 0x80) !== 0);
  }

  byte(): number {
    return this.#take(1) ? (this.bytes[this.#at - 1] as number) : 0;
  }

  uint16(): number {
    return this.#take(2) ? this.bytes.readUInt16BE(this.#at - 2) : 0;
  }

  uint32(): number {
    return this.#take(4) ? this.bytes.readUInt32BE(this.#at - 4) : 0;
  }

  /** In as few bytes as it takes [MQTT-1.5.5-1]. */
  variable(): number {
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
    return this.#take(length) ? this.bytes.subarray(this.#at - length, this.#at) : EMPTY;
  }

  /** Well-formed UTF-8 without U+0000 [MQTT-1.5.4-1, MQTT-1.5.4-2; 3.1.1: MQTT-1.5.3-1, MQTT-1.5.3-2]. */
  text(): Buffer {
    const text = this.binary();
    if (!isUtf8(text) || text.includes(0)) this.fail(reason.malformed);
    return text;
  }

  /** The name of a topic: at least one character [MQTT-4.7.3-1], no wildcards [MQTT-3.3.2-2]. */
  topicName(): Buffer {
    const topic = this.text();
    if (topic.includes(PLUS) || topic.includes(HASH)) this.fail(reason.malformed);
    return topic;
  }

  /** A packet id is never zero [MQTT-2.2.1-3; 3.1.1: MQTT-2.3.1-1]. */
  packetId(): void {
    if (this.uint16() === 0) this.fail(reason.protocolError);
  }

  /** Reads a part that has its own length, and that must be used up. */
  part(length: number, read: () => void): void {
    const end = this.#end;
    if (this.#at + length > end) this.fail(reason.malformed);
    if (this.fault !== undefined) return;
    this.#end = this.#at + length;
    read();
    this.mustEnd();
    this.#end = end;
  }

  #take(length: number): boolean {
    if (this.fault === undefined && this.#at + length <= this.#end) {
      this.#at += length;
      return true;
    }
    this.fail(reason.malformed);
    return false;
  }
}

const EMPTY = Buffer.alloc(0);
const PLUS = 0x2b;
const HASH = 0x23;
