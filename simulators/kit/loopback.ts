import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { ServerIdentity } from './server-identity.ts';

export type Listener = { readonly url: string; stop(): Promise<void> };

/**
 * The TCP sockets of a server. They are tracked because only the socket below TLS can be reset, and a TLS socket does
 * not expose it.
 */
export class Sockets {
  readonly #byPort = new Map<number | undefined, Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const senderPort = socket.remotePort;
      this.#byPort.set(senderPort, socket);
      socket.once('close', () => this.#byPort.delete(senderPort));
    });
  }

  /** Resets the connection from this port. The TLS socket and the TCP socket below it have the same remote port. */
  reset(senderPort: number | undefined): void {
    this.#byPort.get(senderPort)?.resetAndDestroy();
  }

  destroyAll(): void {
    for (const socket of this.#byPort.values()) socket.destroy();
  }
}

/** Listens on the loopback address only. Port 0 selects a free port. */
export const listenOnLoopback = (server: Server, port: number): Promise<Listener> =>
  listen(server, 'http', LOOPBACK, port, new Sockets(server));

/** Listens on the address of `identity.name`, or on the loopback address if there is no name. */
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
  const address = server.address() as AddressInfo; // not null, because the TCP server is listening
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
