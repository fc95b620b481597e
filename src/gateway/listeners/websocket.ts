import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ServerOptions, WebSocketServer } from 'ws';
import type { DeviceSocket } from './device-socket.ts';
import { FramedSocket } from './framed-socket.ts';

const PATH = '/mqtt';
const SUBPROTOCOL = 'mqtt';
const HEADER_BYTES_MAX = 8 * 1024;
/** A message can contain one packet of the maximum size. */
const MESSAGE_BYTES_MAX = 64 * 1024;
/**
 * Maximum number of fragments per message. Each fragment uses memory until the last fragment is received. Browsers do
 * not fragment messages of this size.
 */
const FRAGMENTS_MAX = 16;
/** Enough chunks for the longest message in TCP segments of 256 bytes. Every network supports segments of 512 bytes. */
const BUFFERED_CHUNKS_MAX = 256;
/** Time for the client to complete the closing handshake. */
const CLOSE_MS_MAX = 2_000;

const webSocketOptions: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  autoPong: false, // would send an unlimited number of pongs; see FramedSocket
  maxPayload: MESSAGE_BYTES_MAX,
  maxFragments: FRAGMENTS_MAX,
  maxBufferedChunks: BUFFERED_CHUNKS_MAX,
  closeTimeout: CLOSE_MS_MAX,
  handleProtocols: () => SUBPROTOCOL,
};

interface WebSocketListenerOptions {
  /** Origins of pages that are allowed to connect. Empty means all. */
  readonly origins: readonly string[];
  /** Returns false if the connection was rejected without a response. */
  readonly isAdmitted: (request: IncomingMessage) => boolean;
  readonly serve: (socket: Socket, device: DeviceSocket) => void;
}

/**
 * Creates a listener that upgrades `GET /mqtt` with subprotocol `mqtt` to a device socket and rejects everything else.
 */
export function createWebSocketListener({
  origins,
  isAdmitted,
  serve,
}: WebSocketListenerOptions): (socket: Socket) => void {
  const webSockets = new WebSocketServer(webSocketOptions);
  // The server does not listen, so it enforces no deadlines; the sockets already have them.
  const server = createServer({ maxHeaderSize: HEADER_BYTES_MAX });
  server.on('request', (request, response) => {
    const status = pathOf(request) === PATH ? 426 : 404;
    response.writeHead(status, { connection: 'close', 'content-type': 'text/plain' }).end(responseBodyOf(status));
  });
  server.on('upgrade', (request, socket, head) => {
    const refusal = refusalOf(request, origins);
    if (refusal !== undefined) refuse(socket, refusal);
    else if (isAdmitted(request))
      webSockets.handleUpgrade(request, socket, head, (webSocket) =>
        serve(request.socket, new FramedSocket(webSocket)),
      );
  });
  return (socket) => void server.emit('connection', socket);
}

/** Returns the status code that rejects an upgrade, or undefined. `ws` checks the rest of the upgrade request. */
function refusalOf(request: IncomingMessage, origins: readonly string[]): number | undefined {
  if (pathOf(request) !== PATH) return 404;
  const offered = request.headers['sec-websocket-protocol']?.split(',') ?? [];
  if (!offered.some((protocol) => protocol.trim() === SUBPROTOCOL)) return 400;
  // Only browsers send a reliable Origin header. Other clients can omit or forge it.
  const { origin } = request.headers;
  if (origin !== undefined && origins.length > 0 && !origins.includes(origin)) return 403;
  return undefined;
}

function refuse(socket: Duplex, status: number): void {
  const body = responseBodyOf(status);
  socket.on('error', () => undefined); // the client has disconnected
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

const pathOf = (request: IncomingMessage) => request.url?.split('?', 1)[0];

const responseBodies: Readonly<Record<number, string>> = {
  400: 'The WebSocket subprotocol must be mqtt.\n',
  403: 'Pages of this origin are not allowed to connect.\n',
  404: 'Not found. MQTT over WebSocket is served at /mqtt.\n',
  426: 'Upgrade required. This endpoint serves only MQTT over WebSocket.\n',
};

const responseBodyOf = (status: number) => responseBodies[status] as string;
