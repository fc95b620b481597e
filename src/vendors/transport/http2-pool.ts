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

/** Our own bound beside the vendor's: more streams on one connection only queue at the other end. */
const STREAMS_MAX = 500;
/** More than one only where the vendor's own limit of streams is in the way. */
const CONNECTIONS_MAX = 4;
/**
 * A vendor that goes away sends back what came too late; it is sent to its successor, and not for ever. One that goes away
 * without having answered anything is in trouble, and is not asked more.
 */
const REFUSALS_MAX = 3;
const PING_MS = 60_000;
const PONG_MS_MAX = 5_000;
/** Something was asked, and nothing heard for so long: the other end is gone or frozen. */
const UNRESPONSIVE_MS_MAX = 5_000;

interface PendingRequest {
  readonly request: VendorRequest;
  /** Its stream, while there is one. */
  active?: { readonly connection: Connection; readonly stream: ClientHttp2Stream };
  isSettled: boolean;
  /** How often the vendor has sent it back unread. */
  refusals: number;
  readonly resolve: (response: VendorResponse) => void;
  readonly reject: (error: NoResponseError) => void;
}

/** One connection, and how many streams are open on it. */
interface Connection {
  readonly session: ClientHttp2Session;
  openStreams: number;
  /** When anything last came from the other end. */
  lastReceivedAt: number;
  /** When something was first asked of it since then. */
  waitingSince: number;
  /** It may have as many streams as the vendor says. */
  allowsManyStreams: boolean;
  hasResponded: boolean;
}

/** Requests over HTTP/2. A lost peer shows itself only by `close`. */
export class Http2Pool implements Pool {
  readonly #origin: string;
  readonly #options: PoolOptions;
  readonly #secureContext: SecureContext | undefined;
  readonly #waiting: PendingRequest[] = [];
  readonly #connections = new Set<Connection>();
  /** Those that are silent: they get nothing new, and what they still carry may wait for its own deadline. */
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
      reject(new NoResponseError('Too many requests wait for this vendor.'));
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

  /** Only when nothing is under way: our GOAWAY would overtake requests that were made a moment ago. */
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
    // One that has not shown what it allows may soon have room for all.
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
        // Nobody is there: the others would only hear the same, one connection after the other.
        this.#failWaiting(`no connection: ${errorText(error)}`);
      },
    );
  }

  /** Waits for the vendor's settings, which every server sends first. */
  async #dial(): Promise<ClientHttp2Session> {
    const { proxyUrl } = this.#options;
    const secureContext = this.#secureContext;
    const tunnel = proxyUrl === undefined ? undefined : await openTunnel(proxyUrl, this.#origin, secureContext);
    const session = connect(this.#origin, {
      ...(secureContext && { secureContext }),
      ...(tunnel && { createConnection: () => tunnel }),
    });
    const { promise, resolve, reject } = Promise.withResolvers<ClientHttp2Session>();
    const timer = setTimeout(() => session.destroy(new Error('it takes too long')), CONNECT_MS_MAX);
    session.once('remoteSettings', () => resolve(session));
    session.once('close', () => reject(new Error('the other end hung up')));
    session.on('error', reject); // also later: its streams tell their jobs
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
      this.#connections.delete(connection); // it is closing, and has not told yet
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
    let failure = 'the stream closed without an answer';
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
      // A stream that was cut off also ends, with what had come until then; only its code tells.
      if (headers && isComplete && status && stream.rstCode === constants.NGHTTP2_NO_ERROR) {
        connection.hasResponded = true;
        connection.allowsManyStreams ||= status !== 403;
        settle(pending, { status, headers, body: Buffer.concat(chunks).toString() });
      } else if (isRefusedStream(stream) && connection.hasResponded && pending.refusals < REFUSALS_MAX)
        this.#requeue(pending);
      else settle(pending, new NoResponseError(failure));
      this.#pump();
    });
    stream.end(pending.request.body);
  }

  #requeue(pending: PendingRequest): void {
    pending.refusals++;
    delete pending.active;
    this.#waiting.unshift(pending);
  }

  /** Its time is over, whether it has been sent or not. */
  #expire(pending: PendingRequest): void {
    if (pending.isSettled) return;
    settle(pending, new NoResponseError('no answer in time'));
    if (!pending.active) return;
    const { connection, stream } = pending.active;
    stream.close(constants.NGHTTP2_CANCEL);
    // Not by the request's own time, of which a provider token may have left it little.
    if (performance.now() - Math.max(connection.lastReceivedAt, connection.waitingSince) < UNRESPONSIVE_MS_MAX) return;
    // Not at once: everything on it would end at the same moment, and those who serve other vendors feel that.
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

/** The vendor says that it has done nothing with it. */
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
    return undefined; // node throws when the session got its GOAWAY a moment ago
  }
}

function streamLimit({ session, allowsManyStreams }: Connection): number {
  return allowsManyStreams ? Math.min(session.remoteSettings?.maxConcurrentStreams ?? STREAMS_MAX, STREAMS_MAX) : 1;
}
