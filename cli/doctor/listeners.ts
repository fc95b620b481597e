import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { codeOf, type Finding, ok, reasonOf, wrong } from './finding.ts';
import { checkTls, serverName } from './tls.ts';

const RESPONSE_MS_MAX = 5_000;

/** A CONNECT packet of MQTT 3.1.1 without a user name or password. A gateway rejects it with a CONNACK. */
const CONNECT = Buffer.from([0x10, 12, 0, 4, ...Buffer.from('MQTT'), 4, 2, 0, 60, 0, 0]);
const CONNACK = 0x20;
/** The same packet in a binary WebSocket frame. A client must mask its frames; this mask is zero. */
const CONNECT_FRAME = Buffer.concat([Buffer.from([0x82, 0x80 | CONNECT.length, 0, 0, 0, 0]), CONNECT]);
const BINARY_FRAME = 0x82;

/** Checks whether devices can connect to a gateway. */
export async function* checkListeners(urls: { mqtt?: string; websocket?: string }): AsyncGenerator<Finding> {
  if (urls.mqtt !== undefined) yield* checkListener('MQTT', urls.mqtt, ['mqtt:', 'mqtts:'], connectByMqtt);
  if (urls.websocket !== undefined)
    yield* checkListener('WebSocket', urls.websocket, ['ws:', 'wss:'], connectByWebSocket);
}

async function* checkListener(
  check: string,
  text: string,
  schemes: readonly string[],
  connectTo: (url: URL) => Promise<void>,
): AsyncGenerator<Finding> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !schemes.includes(url.protocol)) {
    yield wrong(check, `"${text}" is not a valid listener URL.`, `Use the form ${schemes[0]}//host:port.`);
    return;
  }
  if (url.protocol === 'mqtts:' || url.protocol === 'wss:')
    yield await checkTls(`TLS, ${check}`, url.hostname, portOf(url));
  try {
    await connectTo(url);
    yield ok(check, `A gateway responds at ${text}.`);
  } catch (error) {
    yield wrong(check, `No gateway responds at ${text}: ${reasonOf(error)}.`, adviceFor(error));
  }
}

/** Default ports by scheme, because `URL.port` is empty if the URL contains no port. */
const ports: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883, 'ws:': 80, 'wss:': 443 };
const portOf = ({ port, protocol }: URL): number => Number(port || ports[protocol]);

function adviceFor(error: unknown): string {
  if (codeOf(error) === 'ECONNREFUSED')
    return 'No process is listening on that address. Start a gateway, or check the host and port.';
  if (error instanceof Error && error.message.startsWith('HTTP '))
    return 'A proxy in front of the gateway must forward WebSockets. In nginx, set `proxy_http_version 1.1`, `proxy_set_header Upgrade $http_upgrade` and `proxy_set_header Connection upgrade`.';
  return 'Check the host, the port, the firewall, and whether the listener uses TLS (mqtts, wss).';
}

async function connectByMqtt(url: URL): Promise<void> {
  const [host, port] = [url.hostname, portOf(url)];
  // `checkTls` has already reported whether the certificate is trusted.
  const socket =
    url.protocol === 'mqtts:'
      ? connectTls({ host, port, ...serverName(host), rejectUnauthorized: false })
      : connectTcp({ host, port });
  socket.once(url.protocol === 'mqtts:' ? 'secureConnect' : 'connect', () => socket.write(CONNECT));
  const [first] = await firstBytes(socket);
  if (first !== CONNACK) throw new Error('the server does not use MQTT');
}

async function connectByWebSocket(url: URL): Promise<void> {
  const socket = await upgrade(url);
  socket.write(CONNECT_FRAME);
  const [frame, , first] = await firstBytes(socket);
  if (frame !== BINARY_FRAME || first !== CONNACK) throw new Error('the server does not use MQTT');
}

function upgrade(url: URL): Promise<Socket> {
  const secure = url.protocol === 'wss:';
  return new Promise((resolve, reject) => {
    const request = (secure ? requestHttps : requestHttp)({
      host: url.hostname,
      port: portOf(url),
      path: `${url.pathname}${url.search}`,
      timeout: RESPONSE_MS_MAX,
      ...(secure && { rejectUnauthorized: false }),
      headers: {
        host: url.host,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'Y2FyaWxsb24gZG9jdG9yIQ==',
        'sec-websocket-protocol': 'mqtt',
      },
    });
    request.once('upgrade', (_response, socket: Socket) => resolve(socket));
    request.once('response', ({ statusCode }) => {
      request.destroy();
      reject(new Error(`HTTP ${statusCode} instead of a WebSocket`));
    });
    request.once('timeout', () => request.destroy(new Error('no response in time')));
    request.once('error', reject);
    request.end();
  });
}

/** Returns the first bytes that the server sends. */
function firstBytes(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(RESPONSE_MS_MAX, () => socket.destroy(new Error('no response in time')));
    socket.once('data', (bytes) => {
      resolve(bytes);
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed the connection')));
  });
}
