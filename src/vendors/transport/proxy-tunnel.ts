import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect, type SecureContext } from 'node:tls';
import { CONNECT_MS_MAX, errorText, NoResponseError } from './pool.ts';

/** Opens a connection for HTTP/2 through an HTTP proxy. */
export async function openTunnel(proxyUrl: string, origin: string, secureContext?: SecureContext): Promise<Socket> {
  const socket = await connectViaProxy(proxyUrl, origin);
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'http:') return socket;
  const host = withoutBrackets(hostname);
  return connect({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }), // an IP address is not a valid server name (RFC 6066)
    ALPNProtocols: ['h2'],
    ...(secureContext && { secureContext }),
  });
}

/** Opens a plain connection through an HTTP proxy (CONNECT). The proxy URL can contain a user name and password. */
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
  // The request's own timeout is not used, because it restarts with every byte.
  const timer = setTimeout(
    () => connectRequest.destroy(new Error('The proxy did not respond in time.')),
    CONNECT_MS_MAX,
  );
  connectRequest.once('connect', ({ statusCode = 0 }, socket) => {
    if (statusCode >= 200 && statusCode < 300) return void resolve(socket as Socket);
    socket.destroy();
    reject(new NoResponseError(`The proxy returned ${statusCode}.`));
  });
  connectRequest.once('response', ({ statusCode }) =>
    connectRequest.destroy(new Error(`The proxy returned ${statusCode}.`)),
  );
  connectRequest.on('error', (error) => reject(new NoResponseError(errorText(error))));
  connectRequest.end();
  return promise.finally(() => clearTimeout(timer));
}

/** Returns the host and port for CONNECT, which always requires the port. */
function authorityOf(origin: string): string {
  const { protocol, hostname, port } = new URL(origin);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** Removes the brackets, which IPv6 addresses have only in URLs. */
const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');
