import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { ServerIdentity } from './certificate.ts';

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
export const listenOnLoopback = (server: Server, port: number): Promise<Listener> =>
  listen(server, 'http', LOOPBACK, port, new Sockets(server));

/** The same, unless the certificate has a name by which other machines know this one: then it is where that leads. */
export const listenAs = (identity: ServerIdentity, server: Server, port: number, sockets: Sockets): Promise<Listener> =>
  listen(server, 'https', identity.name ?? LOOPBACK, port, sockets);

const LOOPBACK = '127.0.0.1';

async function listen(
  server: Server,
  scheme: 'http' | 'https',
  host: string,
  port: number,
  sockets: Sockets,
): Promise<Listener> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo; // a TCP server that listens has one
  return {
    url: `${scheme}://${host}:${address.port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      sockets.destroyAll();
      await closed;
    },
  };
}
