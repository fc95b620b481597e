import { buildConnector, type Dispatcher, Pool as UndiciPool } from 'undici';
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
import { connectViaProxy } from './proxy-tunnel.ts';

/** Each request carries a whole slice, so a few connections are enough for many notifications. */
const CONNECTIONS_MAX = 32;

/** Sends requests over HTTP/1.1, one at a time per connection. */
export class Http1Pool implements Pool {
  readonly #dispatcher: Dispatcher;
  #pendingRequests = 0;

  constructor(origin: string, { proxyUrl, connections = CONNECTIONS_MAX, lookup }: PoolOptions) {
    const direct = { timeout: CONNECT_MS_MAX, ...(lookup && { lookup }) };
    this.#dispatcher = new UndiciPool(origin, {
      connections,
      allowH2: false,
      connect: proxyUrl === undefined ? direct : proxyConnector(proxyUrl, origin),
    });
  }

  async request(request: VendorRequest, deadlineMs: number): Promise<VendorResponse> {
    if (this.#pendingRequests >= QUEUED_REQUESTS_MAX)
      throw new NoResponseError('Too many requests are waiting for this vendor.');
    const { promise, resolve, reject } = Promise.withResolvers<VendorResponse>();
    const abortController = new AbortController();
    // The signal alone is not enough, because undici checks it only when the request has a connection.
    const timer = setTimeout(() => {
      reject(new NoResponseError('no response in time'));
      abortController.abort();
    }, deadlineMs);
    this.#pendingRequests++;
    void this.#send(request, deadlineMs, abortController.signal)
      .then(resolve, (error: Error) => reject(new NoResponseError(errorText(error))))
      .finally(() => {
        clearTimeout(timer);
        this.#pendingRequests--;
      });
    return promise;
  }

  async #send(
    { path, headers, body, bytes }: VendorRequest,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<VendorResponse> {
    // These timeouts are only a fallback, because the signal ends the request earlier.
    const timeouts = { headersTimeout: deadlineMs * 2, bodyTimeout: deadlineMs * 2 };
    const response = await this.#dispatcher.request({
      path,
      method: 'POST',
      headers,
      body: bytes ?? body,
      signal,
      ...timeouts,
    });
    return { status: response.statusCode, headers: response.headers, body: await readBody(response.body) };
  }

  close(): void {
    void this.#dispatcher.destroy();
  }

  retire(): void {
    void this.#dispatcher.close();
  }
}

/** Reads a body. Fails if the connection ends before the body does. */
async function readBody(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > RESPONSE_BYTES_MAX) throw new Error('the response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/**
 * Connects like undici, but through a proxy. undici's ProxyAgent is not used, because it waits five minutes for a
 * proxy.
 */
function proxyConnector(proxyUrl: string, origin: string): buildConnector.connector {
  const connectTls = buildConnector({ timeout: CONNECT_MS_MAX, allowH2: false });
  return (options, callback) => {
    connectViaProxy(proxyUrl, origin).then(
      (socket) => {
        if (options.protocol === 'https:') connectTls({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}
