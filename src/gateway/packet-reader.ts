/** The longest CONNECT: two ids, a token and room for properties. */
export const CONNECT_BYTES_MAX = 8 * 1024;
/** The longest packet of a device that has connected. */
export const PACKET_BYTES_MAX = 64 * 1024;

/** MQTT spends at most four bytes on a packet's length. */
const LENGTH_BYTES_MAX = 4;

export type ReadResult =
  | { readonly kind: 'packet'; readonly bytes: Buffer }
  | { readonly kind: 'more' } // not whole yet
  | { readonly kind: 'malformed' }
  | { readonly kind: 'too-large' };

/**
 * Cuts a device's bytes into whole packets before any parser sees them. The declared length is judged as soon as it
 * is there: `mqtt-packet` alone would buffer 256 MB of a CONNECT that nobody has authenticated.
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
      if (byte === undefined) return MORE;
      remainingLength += (byte & 0x7f) * 128 ** (i - 1);
      if (remainingLength > this.sizeMax) return { kind: 'too-large' };
      if ((byte & 0x80) !== 0) continue;
      const end = 1 + i + remainingLength;
      if (buffer.length < end) return MORE;
      // Nothing left: let go of the chunk, which would otherwise live as long as the session does.
      this.#buffer = buffer.length === end ? EMPTY : buffer.subarray(end);
      return { kind: 'packet', bytes: buffer.subarray(0, end) };
    }
    return { kind: 'malformed' };
  }
}

const EMPTY = Buffer.alloc(0);
const MORE = { kind: 'more' } as const;
