/**
 * The part of a socket that a session needs. TCP and TLS sockets have these members; `FramedSocket` provides them for a
 * WebSocket.
 */
export interface DeviceSocket {
  readonly writable: boolean;
  /** Bytes that were written but are still buffered in this process. */
  readonly writableLength: number;
  write(bytes: Buffer): unknown;
  /** Writes the bytes and ends the stream. */
  end(bytes: Buffer): unknown;
  /** Closes the socket after all written bytes are flushed. */
  destroySoon(): void;
  destroy(): unknown;
  pause(): unknown;
  resume(): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'close' | 'error', listener: () => void): unknown;
}
