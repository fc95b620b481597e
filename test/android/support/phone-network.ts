import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** `no-uplink` delivers what the service sends, but nothing that the phone sends. */
export type NetworkMode = 'up' | 'down' | 'no-uplink';

/** Bytes of a chunk in which the request line is searched. The phone sends each request in one chunk. */
const REQUEST_LINE_BYTES_MAX = 200;

/** The network between a phone and one port of Carillon: a TCP proxy that can fail, and counts HTTP requests. */
export class PhoneNetwork implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #requests = new Map<string, number>();
  #mode: NetworkMode = 'up';
  /** The port of Carillon, which changes when a process is replaced. */
  targetPort: number;

  private constructor(targetPort: number) {
    this.targetPort = targetPort;
    this.#server = createServer((phone) => this.#forward(phone));
  }

  static async start(targetPort: number): Promise<PhoneNetwork> {
    const network = new PhoneNetwork(targetPort);
    network.#server.listen(0, '127.0.0.1');
    await once(network.#server, 'listening');
    return network;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns the number of requests with this path that the phone has sent. */
  requestCount(path: string): number {
    return this.#requests.get(path) ?? 0;
  }

  setMode(mode: NetworkMode): void {
    this.#mode = mode;
    for (const socket of this.#sockets)
      if (mode === 'down') socket.destroy();
      else if (mode === 'no-uplink') socket.pause();
      else socket.resume();
  }

  #forward(phone: Socket): void {
    phone.on('error', () => undefined); // 'close' follows
    if (this.#mode === 'down') return void phone.destroy();
    const service = connect({ host: '127.0.0.1', port: this.targetPort });
    service.on('error', () => undefined);
    this.#sockets.add(phone);
    phone.on('data', (chunk: Buffer) => {
      this.#count(chunk);
      service.write(chunk);
    });
    service.on('data', (chunk: Buffer) => phone.write(chunk));
    service.once('close', () => phone.destroy());
    phone.once('close', () => {
      this.#sockets.delete(phone);
      service.destroy();
    });
    if (this.#mode === 'no-uplink') phone.pause();
  }

  #count(chunk: Buffer): void {
    const path = /^(?:POST|GET) (\S+) HTTP/.exec(chunk.toString('latin1', 0, REQUEST_LINE_BYTES_MAX))?.[1];
    if (path !== undefined) this.#requests.set(path, this.requestCount(path) + 1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.setMode('down');
    this.#server.close();
    await once(this.#server, 'close');
  }
}
