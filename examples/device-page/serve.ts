import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { extname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * A server for the page, the API and the gateway under one origin, like a reverse proxy. With it, the page
 * needs no CORS origin in the settings of the app. It is an example and listens only on this machine.
 */
export interface PageServer extends AsyncDisposable {
  readonly url: string;
}

export interface PageServerOptions {
  /** URL of the API, such as `http://127.0.0.1:8080`. */
  readonly api: string;
  /** WebSocket URL of the gateway, such as `ws://127.0.0.1:8083/mqtt`. */
  readonly gateway: string;
  /** Directory of the compiled SDK. The default is the output of `npm run packages`. */
  readonly sdk?: string;
  readonly port?: number;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = fileURLToPath(new URL('.', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

export async function servePage(options: PageServerOptions): Promise<PageServer> {
  const { api, gateway, sdk = join(root, 'dist/sdk'), port = 0 } = options;
  const files: Readonly<Record<string, string>> = {
    '/': join(page, 'index.html'),
    '/page.css': join(page, 'page.css'),
    '/page.js': join(page, 'page.js'),
    '/web-push.js': join(page, 'web-push.js'),
    '/service-worker.js': join(page, 'service-worker.js'),
    '/mqtt.esm.js': join(root, 'node_modules/mqtt/dist/mqtt.esm.js'),
  };
  const sockets = new Set<Duplex>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname.startsWith('/api/')) proxyRequest(request, response, api);
    else void sendFile(response, files[pathname] ?? moduleOf(pathname, sdk));
  });
  server.on('upgrade', (request, socket, head) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    proxyUpgrade(request, socket, head, new URL(gateway));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * Returns the file of an SDK module. Returns undefined if the path is not a module name, so that no other file can be
 * read.
 */
function moduleOf(pathname: string, sdk: string): string | undefined {
  const name = /^\/sdk\/((?:[a-z0-9-]+\/)*[a-z0-9-]+\.js)$/.exec(pathname)?.[1];
  return name === undefined ? undefined : join(sdk, name);
}

async function sendFile(response: ServerResponse, file: string | undefined): Promise<void> {
  const bytes = file === undefined ? undefined : await readFile(file).catch(() => undefined);
  if (!bytes) {
    response.writeHead(404).end();
    return;
  }
  const type = types[extname(file as string)] as string;
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(bytes);
}

function proxyRequest(request: IncomingMessage, response: ServerResponse, api: string): void {
  const { method = 'GET', url = '', headers } = request;
  const proxied = send(`${api}${url.slice('/api'.length)}`, { method, headers }, (proxiedResponse) => {
    response.writeHead(proxiedResponse.statusCode ?? 502, proxiedResponse.headers);
    proxiedResponse.pipe(response);
  });
  proxied.on('error', () => response.writeHead(502).end());
  request.pipe(proxied);
}

/** Proxies a WebSocket: forwards the HTTP request to the gateway, then connects the two sockets. */
function proxyUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, gateway: URL): void {
  const upstream = connect(Number(gateway.port || 80), gateway.hostname, () => {
    const headers = request.rawHeaders.flatMap((name, i, all) => (i % 2 === 0 ? [`${name}: ${all[i + 1]}\r\n`] : []));
    upstream.write(`GET ${gateway.pathname} HTTP/1.1\r\n${headers.join('')}\r\n`);
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  for (const [one, other] of [
    [upstream, socket],
    [socket, upstream],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

if (import.meta.main) {
  // `source .dev.env` sets both variables for the demo of `npm run dev`.
  const { values } = parseArgs({
    options: {
      api: { type: 'string', default: process.env.CARILLON_URL ?? 'http://127.0.0.1:8080' },
      gateway: { type: 'string', default: process.env.WEBSOCKET_URL ?? 'ws://127.0.0.1:8083/mqtt' },
      port: { type: 'string', default: '8090' },
    },
  });
  const { url } = await servePage({ ...values, port: Number(values.port) });
  console.log(`The page is available at ${url}`);
}
