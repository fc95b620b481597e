import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Counts } from './counts.ts';
import { type Listener, listenAs, Sockets } from './loopback.ts';
import type { ServerIdentity } from './server-identity.ts';

/** A request as the vendor's checks receive it. Header names are in lower case. */
export type HttpsRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
};

export type HttpResponse = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * The response to a request. `label` is its name in the counts. With `isCut`, the response ends in the middle of its
 * body.
 */
export type SimulatedResponse =
  | { kind: 'answer'; label: string; response: HttpResponse; afterMs?: number; isCut?: boolean }
  | { kind: 'stall' }
  | { kind: 'reset' };

export type HttpsOptions<Endpoint extends string> = {
  readonly identity: ServerIdentity;
  readonly port: number;
  readonly endpoint: Endpoint;
  /** Returns the endpoint under which a request is counted, if the server serves several of the vendor's endpoints. */
  readonly endpointOf?: (request: HttpsRequest) => Endpoint;
  readonly counts: Counts<Endpoint>;
  readonly serve: (request: HttpsRequest) => SimulatedResponse;
};

const BODY_BYTES_MAX = 8 * 1_048_576; // enough for a thousand long tokens, and for OPPO also a message per token
const REQUEST_MS_MAX = 30_000;
const KEEP_ALIVE_MS = 60_000;
const STALL_MS_MAX = 10 * 60 * 1000; // longer than any sender's timeout, but bounded
const CONNECTIONS_MAX = 1000; // a sender that opens more connections is leaking them

/** Starts a simulated vendor server that supports HTTP/1.1 over TLS. `serve` is called only for complete requests. */
export async function startHttps<Endpoint extends string>(options: HttpsOptions<Endpoint>): Promise<Listener> {
  const { identity, port, endpoint, endpointOf = () => endpoint, counts, serve } = options;
  const server = createServer({
    key: identity.keyPem,
    cert: identity.certificatePem,
    minVersion: 'TLSv1.2',
    requestTimeout: REQUEST_MS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  server.maxConnections = CONNECTIONS_MAX;
  const sockets = new Sockets(server);
  server.on('secureConnection', (socket: TLSSocket) => {
    counts.countOpened(endpoint);
    socket.once('close', () => counts.countClosed(endpoint));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void readBody(request).then((body) => {
      if (body === 'gone') return counts.countRequest(endpoint, 'gone');
      const httpsRequest = toRequest(request, body === 'too-long' ? Buffer.alloc(0) : body);
      const result = body === 'too-long' ? BODY_TOO_LONG : serve(httpsRequest);
      counts.countRequest(endpointOf(httpsRequest), labelOf(result));
      if (result.kind === 'reset') sockets.reset(request.socket.remotePort);
      else if (result.kind === 'stall') response.setTimeout(STALL_MS_MAX, () => request.socket.destroy());
      else write(response, result);
    });
  });
  return listenAs(identity, server, port, sockets);
}

export function jsonResponse(
  status: number,
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json;charset=UTF-8', ...headers },
    body: JSON.stringify(json),
  };
}

/** The response of a proxy in front of a vendor that is unavailable. */
export const badGatewayResponse: HttpResponse = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
};

const BODY_TOO_LONG: SimulatedResponse = {
  kind: 'answer',
  label: '413',
  response: { status: 413, headers: { connection: 'close' }, body: 'Request Entity Too Large' },
};

function labelOf(result: SimulatedResponse): string {
  if (result.kind !== 'answer') return result.kind;
  return result.isCut ? 'cut' : result.label;
}

function toRequest(request: IncomingMessage, body: Buffer): HttpsRequest {
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
 * Reads the body. A body that is too long is read to its end but not stored, because stopping earlier would close the
 * connection before the response.
 */
async function readBody(request: IncomingMessage): Promise<Buffer | 'too-long' | 'gone'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
    }
  } catch {
    return 'gone'; // the sender disconnected, so no response is possible
  }
  return bytes > BODY_BYTES_MAX ? 'too-long' : Buffer.concat(chunks);
}

function write(
  response: ServerResponse,
  { response: answer, afterMs, isCut }: Extract<SimulatedResponse, { kind: 'answer' }>,
): void {
  const body = Buffer.from(answer.body);
  const writeNow = () => {
    response.writeHead(answer.status, { ...answer.headers, 'content-length': body.length });
    if (isCut) response.write(body.subarray(0, body.length / 2), () => response.destroy());
    else response.end(body);
  };
  if (afterMs === undefined) {
    writeNow();
    return;
  }
  const timer = setTimeout(writeNow, afterMs);
  response.once('close', () => clearTimeout(timer));
}
