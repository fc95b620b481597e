import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect, type SecureContext } from 'node:tls';
import { CONNECT_MS_MAX, errorText, NoResponseError } from './pool.ts';

/** A connection for HTTP/2 to somewhere else through an HTTP proxy. */
export async function openTunnel(proxyUrl: string, origin: string, secureContext?: SecureContext): Promise<Socket> {
  const socket = await connectViaProxy(proxyUrl, origin);
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'http:') return socket;
  const host = withoutBrackets(hostname);
  return connect({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }), // an address has no name that could be asked for (RFC 6066)
    ALPNProtocols: ['h2'],
    ...(secureContext && { secureContext }),
  });
}

/** A plain connection to somewhere else through an HTTP proxy (CONNECT). Its address may hold a name and password. */
export async function connectViaProxy(proxyUrl: string, origin: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const { protocol, hostname, port, username, password } = new URL(proxyUrl);
  const authority = authorityOf(origin);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const connectRequest = (protocol === 'https:' ? secureRequest : request)({
    host: withoutBrackets(hostname),
    port: port || (protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path: authority,
    agent: false,
    headers: {
      host: authority,
      ...(username !== '' && { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
  });
  // Not the request's own timeout, which begins anew with every byte.
  const timer = setTimeout(() => connectRequest.destroy(new Error('The proxy does not answer.')), CONNECT_MS_MAX);
  connectRequest.once('connect', ({ statusCode = 0 }, socket) => {
    if (statusCode >= 200 && statusCode < 300) return void resolve(socket as Socket);
    socket.destroy();
    reject(new NoResponseError(`The proxy answered ${statusCode}.`));
  });
  connectRequest.once('response', ({ statusCode }) =>
    connectRequest.destroy(new Error(`The proxy answered ${statusCode}.`)),
  );
  connectRequest.on('error', (error) => reject(new NoResponseError(errorText(error))));
  connectRequest.end();
  return promise.finally(() => clearTimeout(timer));
}

/** As a proxy is asked for it: always with its port. */
function authorityOf(origin: string): string {
  const { protocol, hostname, port } = new URL(origin);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** IPv6 addresses have brackets in a URL, and nowhere else. */
const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');
