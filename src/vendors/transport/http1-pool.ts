import { buildConnector, Pool as Connections, type Dispatcher } from 'undici';
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
import { connectThrough } from './proxy-tunnel.ts';

/** Each request carries a whole slice, so that few of them are many notifications. */
const CONNECTIONS_MAX = 32;

/** Requests over HTTP/1.1, one at a time on a connection. */
export class Http1Pool implements Pool {
  readonly #dispatcher: Dispatcher;
  #underWay = 0;

  constructor(origin: string, { proxyUrl }: PoolOptions) {
    this.#dispatcher = new Connections(origin, {
      connections: CONNECTIONS_MAX,
      allowH2: false,
      connect: proxyUrl === undefined ? { timeout: CONNECT_MS_MAX } : throughProxy(proxyUrl, origin),
    });
  }

  async request(request: VendorRequest, deadlineMs: number): Promise<VendorReply> {
    if (this.#underWay >= WAITING_MAX) throw new NoAnswer('Too many requests wait for this vendor.');
    const { promise, resolve, reject } = Promise.withResolvers<VendorReply>();
    const ending = new AbortController();
    // The signal alone would not do: undici looks at it only when the request has a connection.
    const timer = setTimeout(() => {
      reject(new NoAnswer('no answer in time'));
      ending.abort();
    }, deadlineMs);
    this.#underWay++;
    void this.#ask(request, deadlineMs, ending.signal)
      .then(resolve, (error: Error) => reject(new NoAnswer(wordsOf(error))))
      .finally(() => {
        clearTimeout(timer);
        this.#underWay--;
      });
    return promise;
  }

  async #ask({ path, headers, body }: VendorRequest, deadlineMs: number, signal: AbortSignal): Promise<VendorReply> {
    // The signal ends it earlier.
    const timeouts = { headersTimeout: deadlineMs * 2, bodyTimeout: deadlineMs * 2 };
    const reply = await this.#dispatcher.request({ path, method: 'POST', headers, body, signal, ...timeouts });
    return { status: reply.statusCode, headers: reply.headers, body: await readWhole(reply.body) };
  }

  close(): void {
    void this.#dispatcher.destroy();
  }

  retire(): void {
    void this.#dispatcher.close();
  }
}

/** It fails by itself when the connection ends before the body does. */
async function readWhole(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > REPLY_BYTES_MAX) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** As undici connects by itself, only that the way leads through a proxy: its own ProxyAgent waits five minutes for one. */
function throughProxy(proxyUrl: string, origin: string): buildConnector.connector {
  const secure = buildConnector({ timeout: CONNECT_MS_MAX, allowH2: false });
  return (options, callback) => {
    connectThrough(proxyUrl, origin).then(
      (socket) => {
        if (options.protocol === 'https:') secure({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}
