/** What a session needs of a connection. Sockets of TCP and TLS have it by themselves; for a WebSocket see `FramedSocket`. */
export interface DeviceSocket {
  readonly writable: boolean;
  /** Bytes that were written and have not left this process. */
  readonly writableLength: number;
  write(bytes: Buffer): unknown;
  /** Writes and says that nothing follows. */
  end(bytes: Buffer): unknown;
  /** Goes when everything that was written has left. */
  destroySoon(): void;
  destroy(): unknown;
  pause(): unknown;
  resume(): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'close' | 'error', listener: () => void): unknown;
}
