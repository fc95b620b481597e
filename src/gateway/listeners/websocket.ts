import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ServerOptions, WebSocketServer } from 'ws';
import type { DeviceSocket } from './device-socket.ts';
import { FramedSocket } from './framed-socket.ts';

const PATH = '/mqtt';
const SUBPROTOCOL = 'mqtt';
const HEADER_BYTES_MAX = 8 * 1024;
/** The longest message: one packet of the longest kind. */
const MESSAGE_BYTES_MAX = 64 * 1024;
/** Browsers do not cut messages of this size at all; each piece costs memory until the last one is here. */
const FRAGMENTS_MAX = 16;
/** The longest message in TCP segments of 256 bytes, which is half of what every network carries. */
const BUFFERED_CHUNKS_MAX = 256;
/** Time for the other side to say goodbye too. */
const CLOSE_MS_MAX = 2_000;

const webSocketOptions: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  autoPong: false, // would answer without a bound; see FramedSocket
  maxPayload: MESSAGE_BYTES_MAX,
  maxFragments: FRAGMENTS_MAX,
  maxBufferedChunks: BUFFERED_CHUNKS_MAX,
  closeTimeout: CLOSE_MS_MAX,
  handleProtocols: () => SUBPROTOCOL,
};

interface WebSocketListenerOptions {
  /** The pages' origins that may connect. Empty: all. */
  readonly origins: readonly string[];
  /** False: it was turned away without an answer. */
  readonly isAdmitted: (request: IncomingMessage) => boolean;
  readonly serve: (socket: Socket, device: DeviceSocket) => void;
}

/** Does one thing: it turns `GET /mqtt` with subprotocol `mqtt` into a device's socket. */
export function createWebSocketListener({
  origins,
  isAdmitted,
  serve,
}: WebSocketListenerOptions): (socket: Socket) => void {
  const webSockets = new WebSocketServer(webSocketOptions);
  // It does not listen, and so has no deadlines of its own: they come with the sockets.
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

/** The status to refuse an upgrade with, or undefined. Whether it is a good one is up to `ws`. */
function refusalOf(request: IncomingMessage, origins: readonly string[]): number | undefined {
  if (pathOf(request) !== PATH) return 404;
  const offered = request.headers['sec-websocket-protocol']?.split(',') ?? [];
  if (!offered.some((protocol) => protocol.trim() === SUBPROTOCOL)) return 400;
  // Only browsers say where they come from, and only they cannot lie about it.
  const { origin } = request.headers;
  if (origin !== undefined && origins.length > 0 && !origins.includes(origin)) return 403;
  return undefined;
}

function refuse(socket: Duplex, status: number): void {
  const body = responseBodyOf(status);
  socket.on('error', () => undefined); // it went away meanwhile
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

const pathOf = (request: IncomingMessage) => request.url?.split('?', 1)[0];

const responseBodies: Readonly<Record<number, string>> = {
  400: 'The WebSocket subprotocol must be mqtt.\n',
  403: 'Pages of this origin may not connect.\n',
  404: 'Here is only /mqtt.\n',
  426: 'Here is MQTT over WebSocket.\n',
};

const responseBodyOf = (status: number) => responseBodies[status] as string;
