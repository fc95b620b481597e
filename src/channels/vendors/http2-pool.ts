import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { ClientCertificate, VendorReply, VendorRequest } from './vendor.ts';

/** No clear answer came: the vendor may have taken the request or not. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/** Our own bound beside the vendor's: more streams on one connection only queue at the other end. */
const STREAMS_MAX = 500;
/** An answer is a few hundred bytes; whoever sends more is not who we think. */
const REPLY_BYTES_MAX = 64 * 1024;
const QUEUE_MAX = 10_000;
const PING_MS = 60_000;
const PING_ANSWER_MS = 5_000;

interface Job {
  readonly request: VendorRequest;
  readonly deadlineMs: number;
  readonly deadlineAt: number;
  readonly resolve: (reply: VendorReply) => void;
  readonly reject: (error: NoAnswer) => void;
}

/** One connection, and how many streams are open on it. */
interface Connection {
  readonly session: ClientHttp2Session;
  active: number;
  /** When anything last came from the other end. */
  heardAt: number;
  /** Until the first answer Apple allows one stream; it raises the limit when it has seen a good token. */
  proven: boolean;
}

/**
 * Requests to one origin under one credential over HTTP/2. A lost peer shows itself only by `close`, so an answer is a
 * status and a complete body, and everything else is NoAnswer. Nothing is tried again here: the ledger owns retries.
 */
export class Http2Pool {
  readonly #origin: string;
  readonly #secureContext: SecureContext | undefined;
  readonly #waiting: Job[] = [];
  #current: Connection | undefined;

  /** Throws when the client certificate cannot be used. */
  constructor(origin: string, clientCertificate?: ClientCertificate) {
    this.#origin = origin;
    this.#secureContext = clientCertificate && createSecureContext({ ...clientCertificate });
  }

  request(request: VendorRequest, deadlineMs: number): Promise<VendorReply> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= QUEUE_MAX) {
        reject(new NoAnswer('Too many requests wait for this vendor.'));
        return;
      }
      this.#waiting.push({ request, deadlineMs, deadlineAt: performance.now() + deadlineMs, resolve, reject });
      this.#pump();
    });
  }

  close(): void {
    this.#current?.session.destroy();
  }

  /** Ends when what is under way has ended. */
  retire(): void {
    this.#current?.session.close();
  }

  #pump(): void {
    while (this.#waiting.length > 0) {
      this.#current ??= this.#open();
      if (this.#current.active >= streamLimit(this.#current)) return;
      const job = this.#waiting.shift() as Job;
      if (performance.now() > job.deadlineAt) job.reject(new NoAnswer('It waited too long for a free stream.'));
      else this.#run(this.#current, job);
    }
  }

  #run(connection: Connection, job: Job): void {
    const stream = openStream(connection.session, job.request);
    if (!stream) {
      this.#current = undefined; // it is closing, and has not told yet
      this.#waiting.unshift(job);
      return;
    }
    connection.active++;
    const chunks: Buffer[] = [];
    let bytes = 0;
    let headers: Record<string, unknown> | undefined;
    let whole = false;
    let failure = 'the stream closed without an answer';
    let settled = false;
    const settle = () => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      connection.active--;
      const status = Number(headers?.[constants.HTTP2_HEADER_STATUS]);
      // A stream that was cut off also ends, with what had come until then; only its code tells.
      if (headers && whole && status && stream.rstCode === constants.NGHTTP2_NO_ERROR) {
        connection.proven ||= status !== 403;
        job.resolve({ status, headers, body: Buffer.concat(chunks).toString() });
      } else job.reject(new NoAnswer(failure));
      this.#pump();
    };
    const timer = setTimeout(() => {
      failure = 'no answer in time';
      stream.close(constants.NGHTTP2_CANCEL);
      settle();
      // Nothing was heard on this connection for as long: it never came up, or its other end is gone or frozen.
      if (performance.now() - connection.heardAt >= job.deadlineMs) connection.session.destroy();
    }, job.deadlineAt - performance.now());

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
    stream.on('close', settle);
    stream.end(job.request.body);
  }

  #open(): Connection {
    const session = connect(this.#origin, this.#secureContext && { secureContext: this.#secureContext });
    const connection: Connection = { session, active: 0, heardAt: 0, proven: false };
    let connected = false;
    const leave = () => {
      if (this.#current === connection) this.#current = undefined;
      clearInterval(pings);
      // Nobody is there: the others would only hear the same, one connection after the other.
      if (!connected) for (const job of this.#waiting.splice(0)) job.reject(new NoAnswer('no connection'));
      this.#pump();
    };
    session.on('connect', () => {
      connected = true;
    });
    const pings = setInterval(() => {
      if (connection.active > 0 || session.destroyed) return;
      const late = setTimeout(() => session.destroy(), PING_ANSWER_MS);
      session.ping(() => clearTimeout(late));
    }, PING_MS).unref();
    session.on('error', () => session.destroy()); // its streams tell their jobs
    session.on('goaway', leave);
    session.on('close', leave);
    session.on('remoteSettings', () => this.#pump());
    return connection;
  }
}

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
