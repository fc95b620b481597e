import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  constants,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Counts } from '../kit/counts.ts';
import type { HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import { type Listener, listenAs, Sockets } from '../kit/loopback.ts';
import type { ServerIdentity } from '../kit/server-identity.ts';
import type { Endpoint } from './faults.ts';
import { GoawayTracker } from './goaway-tracker.ts';
import type { SentResponse } from './responses.ts';

/** `cut` closes the stream or connection without a response. */
export type FcmResponse = SimulatedResponse | { kind: 'goaway' } | { kind: 'cut' };

export type ServerOptions = {
  readonly identity: ServerIdentity;
  readonly port: number;
  readonly endpoint: Endpoint;
  readonly counts: Counts<Endpoint>;
  /**
   * Returns the fault for a request. It is called when the request starts, so that GOAWAY refuses exactly this request
   * and later ones.
   */
  readonly takeFault: () => FcmResponse | 'truncate' | undefined;
  /** Called only for complete requests. */
  readonly serve: (request: HttpsRequest) => FcmResponse;
};

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;

const STREAMS_MAX = 100; // the limit of Google's own client
const BODY_BYTES_MAX = 65_536;
const STALL_MS_MAX = 10 * 60 * 1000; // longer than any sender's timeout, but bounded
const BODILESS = [204, 304];
const CONNECTIONS_MAX = 1000; // a sender that opens more connections is leaking them

/** Starts one of the simulated Google servers, which supports HTTP/2 and HTTP/1.1 on the same port. */
export async function startServer(options: ServerOptions): Promise<Listener> {
  const { identity, port, endpoint, counts, takeFault, serve } = options;
  const server = createSecureServer({
    key: identity.keyPem,
    cert: identity.certificatePem,
    minVersion: 'TLSv1.2',
    allowHTTP1: true,
    settings: { maxConcurrentStreams: STREAMS_MAX },
  });
  server.maxConnections = CONNECTIONS_MAX;
  const sockets = new Sockets(server);
  const goaways = new GoawayTracker();
  server.on('secureConnection', (socket) => {
    counts.countOpened(endpoint);
    socket.once('close', () => counts.countClosed(endpoint));
  });
  server.on('session', (session: Http2Session) => session.on('error', () => {})); // a sender may disconnect at any time

  const handle = async (request: Incoming, response: Outgoing): Promise<void> => {
    const stream = 'stream' in request ? request.stream : undefined;
    for (const emitter of [request, response, stream]) emitter?.on('error', () => {});
    if (stream !== undefined && !goaways.admit(stream)) return;
    const senderPort = request.socket.remotePort; // read now, because it is undefined after the connection closes
    const fault = takeFault();
    const immediate = fault === 'truncate' ? undefined : fault;
    const body = immediate === undefined ? await readBody(request) : Buffer.alloc(0);
    if (body === undefined) return counts.countRequest(endpoint, 'gone');
    const result = immediate ?? serve(toRequest(request, body));
    const isCut = fault === 'truncate' && result.kind === 'answer';
    counts.countRequest(endpoint, isCut ? 'truncate' : result.kind === 'answer' ? result.label : result.kind);
    if (result.kind === 'answer') return write(response, stream, { ...result, isCut });
    if (result.kind === 'stall') return stall(request, stream);
    if (result.kind === 'reset') return sockets.reset(senderPort);
    // HTTP/1.1 has no streams, so the whole connection is closed.
    if (stream === undefined) request.socket.destroy();
    else if (result.kind === 'goaway') goaways.sendGoaway(stream);
    else stream.close(constants.NGHTTP2_CANCEL);
  };
  server.on('request', (request: Incoming, response: Outgoing) => void handle(request, response));
  return listenAs(identity, server, port, sockets);
}

function toRequest(request: Incoming, body: Buffer): HttpsRequest {
  const url = URL.parse(request.url ?? '/', 'https://127.0.0.1');
  return {
    method: request.method ?? '',
    path: url?.pathname ?? '',
    query: url?.searchParams ?? new URLSearchParams(),
    headers: request.headers,
    body,
  };
}

/**
 * Reads a body. A body that exceeds the limit is truncated, but remains longer than the limit. Returns undefined if the
 * sender disconnected.
 */
function readBody(request: Incoming): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
    bytes += chunk.length;
  });
  // A stream that was reset also emits `end`, after `aborted`.
  for (const event of ['aborted', 'close']) request.once(event, () => resolve(undefined));
  request.once('end', () => resolve(Buffer.concat(chunks)));
  return promise;
}

function write(response: Outgoing, stream: ServerHttp2Stream | undefined, result: SentResponse): void {
  const { response: answer, afterMs = 0, isCut } = result;
  const body = Buffer.from(BODILESS.includes(answer.status) ? '' : answer.body);
  const writeNow = () => {
    if (response.destroyed || stream?.destroyed || stream?.closed) return;
    const headers = {
      date: new Date().toUTCString(),
      ...withoutHopByHopHeaders(answer.headers),
      'content-length': body.length,
    };
    // Both kinds of response have the same methods, but their types are not compatible.
    const either = response as ServerResponse;
    either.writeHead(answer.status, headers);
    if (!isCut) return void either.end(body);
    // Only an error makes Node reset a stream; `close` would end it normally.
    const cut = () => setImmediate(() => (stream ?? response).destroy(new Error('response truncated by a fault')));
    either.write(body.subarray(0, body.length / 2), cut);
  };
  if (afterMs === 0) {
    writeNow();
    return;
  }
  const timer = setTimeout(writeNow, afterMs);
  response.once('close', () => clearTimeout(timer));
}

/**
 * Headers that apply only to an HTTP/1.1 connection. They are dropped from the responses that tests define, because
 * they could crash the simulator.
 */
const HOP_BY_HOP =
  /^(?:connection|keep-alive|proxy-connection|transfer-encoding|upgrade|te|http2-settings|content-length)$/i;

function withoutHopByHopHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.test(name)));
}

function stall(request: Incoming, stream: ServerHttp2Stream | undefined): void {
  request.resume();
  (stream ?? request).setTimeout(STALL_MS_MAX, () => (stream ?? request.socket).destroy());
}
