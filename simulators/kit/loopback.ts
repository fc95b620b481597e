import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

export type Listener = { readonly url: string; stop(): Promise<void> };

/** The TCP connections of a server. TLS hides the socket below it, and only that one can be reset. */
export class Sockets {
  readonly #byPort = new Map<number | undefined, Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const senderPort = socket.remotePort;
      this.#byPort.set(senderPort, socket);
      socket.once('close', () => this.#byPort.delete(senderPort));
    });
  }

  /** Both sides of TLS know the sender's port. */
  reset(senderPort: number | undefined): void {
    this.#byPort.get(senderPort)?.resetAndDestroy();
  }

  destroyAll(): void {
    for (const socket of this.#byPort.values()) socket.destroy();
  }
}

/** Port 0 takes a free one. Simulators listen on this machine alone. */
export async function listenOnLoopback(
  server: Server,
  scheme: 'http' | 'https',
  port: number,
  sockets = new Sockets(server),
): Promise<Listener> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo; // a TCP server that listens has one
  return {
    url: `${scheme}://127.0.0.1:${address.port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      sockets.destroyAll();
      await closed;
    },
  };
}
