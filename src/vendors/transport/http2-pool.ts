import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { VendorReply, VendorRequest } from '../vendor.ts';
import {
  CONNECT_MS_MAX,
  NoAnswer,
  type Pool,
  type PoolOptions,
  REPLY_BYTES_MAX,
  WAITING_MAX,
  wordsOf,
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
const PING_ANSWER_MS = 5_000;
/** Something was asked, and nothing heard for so long: the other end is gone or frozen. */
const SILENCE_MS_MAX = 5_000;

interface Job {
  readonly request: VendorRequest;
  /** Its stream, while there is one. */
  running?: { readonly connection: Connection; readonly stream: ClientHttp2Stream };
  settled: boolean;
  /** How often the vendor has sent it back unread. */
  refusals: number;
  readonly resolve: (reply: VendorReply) => void;
  readonly reject: (error: NoAnswer) => void;
}

/** One connection, and how many streams are open on it. */
interface Connection {
  readonly session: ClientHttp2Session;
  active: number;
  /** When anything last came from the other end. */
  heardAt: number;
  /** When something was first asked of it since then. */
  askedAt: number;
  /** It may have as many streams as the vendor says. */
  proven: boolean;
  hasAnswered: boolean;
}

/** Requests over HTTP/2. A lost peer shows itself only by `close`. */
export class Http2Pool implements Pool {
  readonly #origin: string;
  readonly #options: PoolOptions;
  readonly #secureContext: SecureContext | undefined;
  readonly #waiting: Job[] = [];
  readonly #connections = new Set<Connection>();
  /** Those that are silent: they get nothing new, and what they still carry may wait for its own deadline. */
  readonly #left = new Set<Connection>();
  #isDialling = false;
  #isClosed = false;
  #isRetired = false;

  /** Throws when the client certificate cannot be used. */
  constructor(origin: string, options: PoolOptions) {
    this.#origin = origin;
    this.#options = options;
    this.#secureContext = options.clientCertificate && createSecureContext({ ...options.clientCertificate });
  }

  request(request: VendorRequest, deadlineMs: number): Promise<VendorReply> {
    const { promise, resolve, reject } = Promise.withResolvers<VendorReply>();
    const job: Job = { request, settled: false, refusals: 0, resolve, reject };
    if (this.#waiting.length >= WAITING_MAX) reject(new NoAnswer('Too many requests wait for this vendor.'));
    else {
      const timer = setTimeout(() => this.#giveUp(job), deadlineMs);
      const done = () => clearTimeout(timer);
      promise.then(done, done);
      this.#waiting.push(job);
      this.#pump();
    }
    return promise;
  }

  close(): void {
    this.#isClosed = true;
    for (const { session } of [...this.#connections, ...this.#left]) session.destroy();
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
      const job = this.#waiting.shift() as Job;
      if (!job.settled) this.#run(free, job);
    }
    if (this.#isRetired) this.#closeIdle();
  }

  /** Only when nothing is under way: our GOAWAY would overtake requests that were made a moment ago. */
  #closeIdle(): void {
    for (const { session, active } of this.#connections) if (active === 0) session.close();
  }

  #failWaiting(reason: string): void {
    for (const job of this.#waiting.splice(0)) settle(job, new NoAnswer(reason));
  }

  #freeConnection(): Connection | undefined {
    let free: Connection | undefined;
    for (const connection of this.#connections)
      if (connection.active < streamLimit(connection) && !(free && free.active <= connection.active)) free = connection;
    return free;
  }

  #dialIfNeeded(): void {
    // One that has not shown what it allows may soon have room for all.
    const isUnproven = [...this.#connections].some(({ proven }) => !proven);
    if (this.#isDialling || this.#isClosed || isUnproven || this.#connections.size >= CONNECTIONS_MAX) return;
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
        this.#failWaiting(`no connection: ${wordsOf(error)}`);
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
    const proven = this.#options.startsWithOneStream !== true;
    const connection: Connection = {
      session,
      active: 0,
      heardAt: performance.now(),
      askedAt: 0,
      proven,
      hasAnswered: false,
    };
    const leave = () => {
      this.#connections.delete(connection);
      clearInterval(pings);
      this.#pump();
    };
    const pings = setInterval(() => {
      if (connection.active > 0 || session.destroyed) return;
      const late = setTimeout(() => session.destroy(), PING_ANSWER_MS);
      session.ping(() => clearTimeout(late));
    }, PING_MS).unref();
    session.on('error', () => session.destroy());
    session.on('goaway', leave);
    session.on('close', () => {
      this.#left.delete(connection);
      leave();
    });
    session.on('remoteSettings', () => this.#pump());
    this.#connections.add(connection);
  }

  #run(connection: Connection, job: Job): void {
    const stream = openStream(connection.session, job.request);
    if (!stream) {
      this.#connections.delete(connection); // it is closing, and has not told yet
      this.#waiting.unshift(job);
      return;
    }
    connection.active++;
    if (connection.askedAt <= connection.heardAt) connection.askedAt = performance.now();
    job.running = { connection, stream };
    const chunks: Buffer[] = [];
    let bytes = 0;
    let headers: Record<string, unknown> | undefined;
    let whole = false;
    let failure = 'the stream closed without an answer';
    stream.on('response', (received) => {
      connection.heardAt = performance.now();
      headers = received;
    });
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > REPLY_BYTES_MAX) stream.close(constants.NGHTTP2_CANCEL);
      else chunks.push(chunk);
    });
    stream.on('end', () => {
      whole = true;
    });
    stream.on('error', (error) => {
      failure = error.message;
    });
    stream.on('close', () => {
      connection.active--;
      if (connection.active === 0 && this.#left.has(connection)) connection.session.destroy();
      const status = Number(headers?.[constants.HTTP2_HEADER_STATUS]);
      // A stream that was cut off also ends, with what had come until then; only its code tells.
      if (headers && whole && status && stream.rstCode === constants.NGHTTP2_NO_ERROR) {
        connection.hasAnswered = true;
        connection.proven ||= status !== 403;
        settle(job, { status, headers, body: Buffer.concat(chunks).toString() });
      } else if (isUnread(stream) && connection.hasAnswered && job.refusals < REFUSALS_MAX) this.#sendAgain(job);
      else settle(job, new NoAnswer(failure));
      this.#pump();
    });
    stream.end(job.request.body);
  }

  #sendAgain(job: Job): void {
    job.refusals++;
    delete job.running;
    this.#waiting.unshift(job);
  }

  /** Its time is over, whether it has been sent or not. */
  #giveUp(job: Job): void {
    if (job.settled) return;
    settle(job, new NoAnswer('no answer in time'));
    if (!job.running) return;
    const { connection, stream } = job.running;
    stream.close(constants.NGHTTP2_CANCEL);
    // Not by the request's own time, of which a provider token may have left it little.
    if (performance.now() - Math.max(connection.heardAt, connection.askedAt) < SILENCE_MS_MAX) return;
    // Not at once: everything on it would end at the same moment, and those who serve other vendors feel that.
    this.#connections.delete(connection);
    this.#left.add(connection);
  }
}

function settle(job: Job, result: VendorReply | NoAnswer): void {
  if (job.settled) return;
  job.settled = true;
  if (result instanceof NoAnswer) job.reject(result);
  else job.resolve(result);
}

/** The vendor says that it has done nothing with it. */
const isUnread = ({ rstCode }: ClientHttp2Stream): boolean => rstCode === constants.NGHTTP2_REFUSED_STREAM;

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

function streamLimit({ session, proven }: Connection): number {
  return proven ? Math.min(session.remoteSettings?.maxConcurrentStreams ?? STREAMS_MAX, STREAMS_MAX) : 1;
}
