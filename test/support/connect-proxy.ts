import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The behavior of a proxy for every CONNECT request. With `hang` it never responds. */
export type ProxyBehavior = 'serve' | 'hang' | 'hang-up' | 407 | 502;

/** An HTTP proxy (CONNECT) on loopback that can require a user name and a password. */
export interface ConnectProxy extends AsyncDisposable {
  /** The URL without the user name and password. */
  readonly url: string;
  readonly port: number;
  /** The targets of the CONNECT requests, in order. */
  readonly connectTargets: string[];
  behavior: ProxyBehavior;
  /** Resets every connection through the proxy. */
  resetAll(): void;
}

/** Starts a proxy. With `credentials` (`name:password`), requests with missing or different credentials get 407. */
export async function startConnectProxy(credentials?: string): Promise<ConnectProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    const target = request.url as string;
    proxy.connectTargets.push(target);
    if (proxy.behavior === 'hang') return;
    if (proxy.behavior === 'hang-up') return void client.destroy();
    const isAuthorized = credentials === undefined || credentialsOf(request) === credentials;
    const status = isAuthorized ? proxy.behavior : 407;
    if (status !== 'serve') return void client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const [host, port] = target.split(':') as [string, string];
    const upstream = connect({ host, port: Number(port) }, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => client.destroy());
    upstream.once('close', () => client.destroy());
    client.once('close', () => upstream.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy: ConnectProxy = {
    url: `http://127.0.0.1:${port}`,
    port,
    connectTargets: [],
    behavior: 'serve',
    resetAll: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

function credentialsOf({ headers }: IncomingMessage): string | undefined {
  const [scheme, encoded = ''] = (headers['proxy-authorization'] ?? '').split(' ');
  return scheme === 'Basic' ? Buffer.from(encoded, 'base64').toString() : undefined;
}
