import type { WebSocket } from 'ws';
import type { DeviceSocket } from './device-socket.ts';

/**
 * If more than 16 KiB are buffered when a ping is received, the device is not reading, and its connection is destroyed.
 */
const PONG_BYTES_MAX = 16 * 1024;
/** MQTT allows only binary frames [MQTT-6.0.0-1]; 1003 means "unsupported data" (RFC 6455, 7.4.1). */
const UNSUPPORTED_DATA = 1003;

/**
 * A WebSocket as a device socket. Its messages form one byte stream: message boundaries are not packet boundaries
 * [MQTT-6.0.0-2]. The stream that `ws` provides would need two more buffers per session.
 */
export class FramedSocket implements DeviceSocket {
  readonly #webSocket: WebSocket;

  constructor(webSocket: WebSocket) {
    this.#webSocket = webSocket;
    // `ws` closes the connection after a protocol or limit violation, and 'close' follows.
    webSocket.on('error', () => undefined);
    webSocket.on('ping', (data: Buffer) => {
      if (this.writableLength > PONG_BYTES_MAX) this.destroy();
      else webSocket.pong(data);
    });
  }

  get writable(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  get writableLength(): number {
    return this.#webSocket.bufferedAmount;
  }

  write(bytes: Buffer): void {
    this.#webSocket.send(bytes);
  }

  end(bytes: Buffer): void {
    this.write(bytes);
    this.destroySoon();
  }

  destroySoon(): void {
    this.#webSocket.close();
  }

  destroy(): void {
    this.#webSocket.terminate();
  }

  pause(): void {
    this.#webSocket.pause();
  }

  resume(): void {
    this.#webSocket.resume();
  }

  on(event: 'data' | 'close' | 'error', listener: (chunk: Buffer) => void): void {
    if (event === 'close') this.#webSocket.on('close', listener as () => void);
    else if (event === 'data')
      this.#webSocket.on('message', (data, isBinary) => {
        if (isBinary) listener(data as Buffer);
        else this.#webSocket.close(UNSUPPORTED_DATA);
      });
  }
}
