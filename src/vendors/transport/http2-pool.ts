import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { VendorRequest, VendorResponse } from '../vendor.ts';
import {
  CONNECT_MS_MAX,
  errorText,
  NoResponseError,
  type Pool,
  type PoolOptions,
  QUEUED_REQUESTS_MAX,
  RESPONSE_BYTES_MAX,
} from './pool.ts';
import { openTunnel } from './proxy-tunnel.ts';

/**
 * Maximum number of streams per connection. It applies in addition to the vendor's limit, because the vendor would only
 * queue additional streams.
 */
const STREAMS_MAX = 500;
/** More than one connection is opened only if the vendor's stream limit is too low. */
const CONNECTIONS_MAX = 4;
/**
 * Maximum number of times that a refused request is sent again. A vendor that sends GOAWAY refuses later requests,
 * which are then sent over the next connection. If a vendor sends GOAWAY without having responded to any request, it
 * has an outage, and its requests are not sent again.
 */
const REFUSALS_MAX = 3;
const PING_MS = 60_000;
const PONG_MS_MAX = 5_000;
/** If a request is pending and nothing is received for this long, the vendor is offline or frozen. */
const UNRESPONSIVE_MS_MAX = 5_000;

interface PendingRequest {
  readonly request: VendorRequest;
  /** Set while the request has a stream. */
  active?: { readonly connection: Connection; readonly stream: ClientHttp2Stream };
  isSettled: boolean;
  /** The number of times that the vendor has refused the request without processing it. */
  refusals: number;
  readonly resolve: (response: VendorResponse) => void;
  readonly reject: (error: NoResponseError) => void;
}

/** A connection, and the number of streams that are open on it. */
interface Connection {
  readonly session: ClientHttp2Session;
  openStreams: number;
  /** The time of the last response, or the time at which the connection was opened if there is no response yet. */
  lastReceivedAt: number;
  /** The time of the first request after `lastReceivedAt`. */
  waitingSince: number;
  /** Whether the connection can use as many streams as the vendor allows. */
  allowsManyStreams: boolean;
  hasResponded: boolean;
}

/** Sends requests over HTTP/2. Only the session's `close` event reports a lost connection. */
export class Http2Pool implements Pool {
  readonly #origin: string;
  readonly #options: PoolOptions;
  readonly #secureContext: SecureContext | undefined;
  readonly #waiting: PendingRequest[] = [];
  readonly #connections = new Set<Connection>();
  /** Unresponsive connections get no new requests. Their open requests can wait for their own deadlines. */
  readonly #unresponsive = new Set<Connection>();
  #isDialling = false;
  #isClosed = false;
  #isRetired = false;

  /** Throws when the client certificate cannot be used. */
  constructor(origin: string, options: PoolOptions) {
    this.#origin = origin;
    this.#options = options;
    this.#secureContext = options.clientCertificate && createSecureContext({ ...options.clientCertificate });
  }

  request(request: VendorRequest, deadlineMs: number): Promise<VendorResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<VendorResponse>();
    const pending: PendingRequest = { request, isSettled: false, refusals: 0, resolve, reject };
    if (this.#waiting.length >= QUEUED_REQUESTS_MAX)
      reject(new NoResponseError('Too many requests are waiting for this vendor.'));
    else {
      const timer = setTimeout(() => this.#expire(pending), deadlineMs);
      const done = () => clearTimeout(timer);
      promise.then(done, done);
      this.#waiting.push(pending);
      this.#pump();
    }
    return promise;
  }

  close(): void {
    this.#isClosed = true;
    for (const { session } of [...this.#connections, ...this.#unresponsive]) session.destroy();
    this.#failWaiting('the connections were closed');
  }

  retire(): void {
    this.#isRetired = true;
    this.#pump();
  }

  #pump(): void {
    if (this.#isClosed) this.#failWaiting('the connections were closed');
    while (this.#waiting.length > 0) {
      const free = this.#freeConnection();
      if (!free) {
        this.#dialIfNeeded();
        return;
      }
      const pending = this.#waiting.shift() as PendingRequest;
      if (!pending.isSettled) this.#run(free, pending);
    }
    if (this.#isRetired) this.#closeIdle();
  }

  /** Closes only idle connections, because a GOAWAY from Carillon would overtake requests that were just sent. */
  #closeIdle(): void {
    for (const { session, openStreams } of this.#connections) if (openStreams === 0) session.close();
  }

  #failWaiting(reason: string): void {
    for (const pending of this.#waiting.splice(0)) settle(pending, new NoResponseError(reason));
  }

  #freeConnection(): Connection | undefined {
    let free: Connection | undefined;
    for (const connection of this.#connections)
      if (connection.openStreams < streamLimit(connection) && !(free && free.openStreams <= connection.openStreams))
        free = connection;
    return free;
  }

  #dialIfNeeded(): void {
    // A connection that is still limited to one stream may soon have room for all requests.
    const hasLimitedConnection = [...this.#connections].some(({ allowsManyStreams }) => !allowsManyStreams);
    if (this.#isDialling || this.#isClosed || hasLimitedConnection || this.#connections.size >= CONNECTIONS_MAX) return;
    this.#isDialling = true;
    void this.#dial().then(
      (session) => {
        this.#isDialling = false;
        this.#add(session);
        this.#pump();
      },
      (error: Error) => {
        this.#isDialling = false;
        if (this.#connections.size > 0) return;
        // The vendor is unreachable, so the other requests would also fail, each after another connection attempt.
        this.#failWaiting(`no connection: ${errorText(error)}`);
      },
    );
  }

  /** Connects, and waits for the vendor's settings, which every server sends first. */
  async #dial(): Promise<ClientHttp2Session> {
    const { proxyUrl } = this.#options;
    const secureContext = this.#secureContext;
    const tunnel = proxyUrl === undefined ? undefined : await openTunnel(proxyUrl, this.#origin, secureContext);
    const session = connect(this.#origin, {
      ...(secureContext && { secureContext }),
      ...(tunnel && { createConnection: () => tunnel }),
    });
    const { promise, resolve, reject } = Promise.withResolvers<ClientHttp2Session>();
    const timer = setTimeout(() => session.destroy(new Error('the connection attempt timed out')), CONNECT_MS_MAX);
    session.once('remoteSettings', () => resolve(session));
    session.once('close', () => reject(new Error('the vendor closed the connection')));
    session.on('error', reject); // also after connecting: the streams report the error to their requests
    return promise.finally(() => clearTimeout(timer));
  }

  #add(session: ClientHttp2Session): void {
    if (this.#isClosed || session.destroyed) {
      session.destroy();
      return;
    }
    const allowsManyStreams = this.#options.startsWithOneStream !== true;
    const connection: Connection = {
      session,
      openStreams: 0,
      lastReceivedAt: performance.now(),
      waitingSince: 0,
      allowsManyStreams,
      hasResponded: false,
    };
    const remove = () => {
      this.#connections.delete(connection);
      clearInterval(pings);
      this.#pump();
    };
    const pings = setInterval(() => {
      if (connection.openStreams > 0 || session.destroyed) return;
      const pongTimer = setTimeout(() => session.destroy(), PONG_MS_MAX);
      session.ping(() => clearTimeout(pongTimer));
    }, PING_MS).unref();
    session.on('error', () => session.destroy());
    session.on('goaway', remove);
    session.on('close', () => {
      this.#unresponsive.delete(connection);
      remove();
    });
    session.on('remoteSettings', () => this.#pump());
    this.#connections.add(connection);
  }

  #run(connection: Connection, pending: PendingRequest): void {
    const stream = openStream(connection.session, pending.request);
    if (!stream) {
      this.#connections.delete(connection); // the connection is closing, but has not emitted an event yet
      this.#waiting.unshift(pending);
      return;
    }
    connection.openStreams++;
    if (connection.waitingSince <= connection.lastReceivedAt) connection.waitingSince = performance.now();
    pending.active = { connection, stream };
    const chunks: Buffer[] = [];
    let bytes = 0;
    let headers: Record<string, unknown> | undefined;
    let isComplete = false;
    let failure = 'the stream closed without a response';
    stream.on('response', (responseHeaders) => {
      connection.lastReceivedAt = performance.now();
      headers = responseHeaders;
    });
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > RESPONSE_BYTES_MAX) stream.close(constants.NGHTTP2_CANCEL);
      else chunks.push(chunk);
    });
    stream.on('end', () => {
      isComplete = true;
    });
    stream.on('error', (error) => {
      failure = error.message;
    });
    stream.on('close', () => {
      connection.openStreams--;
      if (connection.openStreams === 0 && this.#unresponsive.has(connection)) connection.session.destroy();
      const status = Number(headers?.[constants.HTTP2_HEADER_STATUS]);
      // An aborted stream also emits `end`, with the data received so far. Only its RST_STREAM code differs.
      if (headers && isComplete && status && stream.rstCode === constants.NGHTTP2_NO_ERROR) {
        connection.hasResponded = true;
        connection.allowsManyStreams ||= status !== 403;
        settle(pending, { status, headers, body: Buffer.concat(chunks).toString() });
      } else if (isRefusedStream(stream) && connection.hasResponded && pending.refusals < REFUSALS_MAX)
        this.#requeue(pending);
      else settle(pending, new NoResponseError(failure));
      this.#pump();
    });
    stream.end(pending.request.bytes ?? pending.request.body);
  }

  #requeue(pending: PendingRequest): void {
    pending.refusals++;
    delete pending.active;
    this.#waiting.unshift(pending);
  }

  /** Fails a request at its deadline, whether it has been sent or not. */
  #expire(pending: PendingRequest): void {
    if (pending.isSettled) return;
    settle(pending, new NoResponseError('no response in time'));
    if (!pending.active) return;
    const { connection, stream } = pending.active;
    stream.close(constants.NGHTTP2_CANCEL);
    // The request's own deadline is not used, because obtaining a provider token may have used up most of it.
    if (performance.now() - Math.max(connection.lastReceivedAt, connection.waitingSince) < UNRESPONSIVE_MS_MAX) return;
    // The connection is not destroyed immediately: all its requests would end at the same moment, which delays requests
    // to other vendors.
    this.#connections.delete(connection);
    this.#unresponsive.add(connection);
  }
}

function settle(pending: PendingRequest, result: VendorResponse | NoResponseError): void {
  if (pending.isSettled) return;
  pending.isSettled = true;
  if (result instanceof NoResponseError) pending.reject(result);
  else pending.resolve(result);
}

/** Returns whether the vendor reports that it has not processed the request. */
const isRefusedStream = ({ rstCode }: ClientHttp2Stream): boolean => rstCode === constants.NGHTTP2_REFUSED_STREAM;

function openStream(session: ClientHttp2Session, { path, headers }: VendorRequest): ClientHttp2Stream | undefined {
  if (session.closed || session.destroyed) return undefined;
  try {
    return session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
      ...headers,
    });
  } catch {
    return undefined; // Node.js throws if the session has just received GOAWAY
  }
}

function streamLimit({ session, allowsManyStreams }: Connection): number {
  return allowsManyStreams ? Math.min(session.remoteSettings?.maxConcurrentStreams ?? STREAMS_MAX, STREAMS_MAX) : 1;
}
