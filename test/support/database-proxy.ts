import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * `open` forwards everything. `refuse` closes every connection. `hang` keeps connections open without forwarding
 * anything, like a network that drops packets.
 */
export type ProxyMode = 'open' | 'refuse' | 'hang';

/** A TCP proxy in front of a database, so that a test can make this database unavailable to some processes. */
export class DatabaseProxy implements AsyncDisposable {
  /** The URL of the same database through the proxy. */
  readonly url: string;
  readonly #sockets = new Set<Socket>();
  readonly #close: () => Promise<void>;
  #mode: ProxyMode = 'open';

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.#close = close;
  }

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const url = new URL(databaseUrl);
    const target = { host: url.hostname, port: Number(url.port) };
    let proxy: DatabaseProxy;
    const listener = createServer((client) => proxy.#forward(client, target));
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    url.port = String((listener.address() as AddressInfo).port);
    proxy = new DatabaseProxy(url.href, async () => {
      listener.close();
      await once(listener, 'close');
    });
    return proxy;
  }

  setMode(mode: ProxyMode): void {
    this.#mode = mode;
    // A connection that has hung never works again, like a connection to a server that has restarted.
    for (const socket of this.#sockets)
      if (mode === 'hang') socket.pause();
      else socket.destroy();
  }

  #forward(client: Socket, target: { host: string; port: number }): void {
    client.on('error', () => undefined);
    this.#sockets.add(client);
    client.once('close', () => this.#sockets.delete(client));
    if (this.#mode === 'refuse') return void client.destroy();
    if (this.#mode === 'hang') return void client.pause();
    const server = connect(target);
    server.on('error', () => undefined);
    this.#sockets.add(server);
    server.once('close', () => {
      this.#sockets.delete(server);
      client.destroy();
    });
    client.once('close', () => server.destroy());
    client.pipe(server).pipe(client);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.setMode('refuse');
    await this.#close();
  }
}
