/** Maximum size of a CONNECT: two ids, a token and space for properties. */
export const CONNECT_BYTES_MAX = 8 * 1024;
/** Maximum size of a packet from a connected device. */
export const PACKET_BYTES_MAX = 64 * 1024;

/** MQTT encodes a packet's length in at most four bytes. */
const LENGTH_BYTES_MAX = 4;

export type ReadResult =
  | { readonly kind: 'packet'; readonly bytes: Buffer }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'too-large' };

/**
 * Splits a device's bytes into whole packets before the parser receives them. The declared length is checked as soon as
 * it is received. `mqtt-packet` alone would buffer up to 256 MB for an unauthenticated CONNECT.
 */
export class PacketReader {
  #buffer: Buffer = EMPTY;
  sizeMax = CONNECT_BYTES_MAX;

  add(chunk: Buffer): void {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
  }

  next(): ReadResult {
    const buffer = this.#buffer;
    let remainingLength = 0;
    for (let i = 1; i <= LENGTH_BYTES_MAX; i++) {
      const byte = buffer[i];
      if (byte === undefined) return INCOMPLETE;
      remainingLength += (byte & 0x7f) * 128 ** (i - 1);
      if (remainingLength > this.sizeMax) return { kind: 'too-large' };
      if ((byte & 0x80) !== 0) continue;
      const end = 1 + i + remainingLength;
      if (buffer.length < end) return INCOMPLETE;
      // If no bytes are left, release the chunk: otherwise it stays in memory as long as the session.
      this.#buffer = buffer.length === end ? EMPTY : buffer.subarray(end);
      return { kind: 'packet', bytes: buffer.subarray(0, end) };
    }
    return { kind: 'malformed' };
  }
}

const EMPTY = Buffer.alloc(0);
const INCOMPLETE = { kind: 'incomplete' } as const;
