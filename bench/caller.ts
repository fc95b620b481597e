import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseJson, stringifyJson } from '#src/foundation/json.ts';
import type { Carillon } from '../test/support/carillon.ts';

/**
 * Calls the API as an admin over persistent connections. It does not use `fetch`, because a bench must not measure its
 * own client. Against a trivial server on the same machine, the p99 latency of `fetch` is five times as high as that of
 * this class.
 */
export class ApiClient {
  readonly #carillon: Pick<Carillon, 'apis' | 'appId' | 'adminToken'>;
  readonly #agent: Agent;

  constructor(carillon: Pick<Carillon, 'apis' | 'appId' | 'adminToken'>, connections = 1) {
    this.#carillon = carillon;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Returns the `data` of the response. */
  async post<T>(path: string, body: object): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { apis, appId, adminToken } = this.#carillon;
    const port = apis[0]?.ports.api;
    const headers = { 'content-type': 'application/json', app_id: appId, 'access-token': adminToken };
    const outgoing = request({ agent: this.#agent, host: '127.0.0.1', port, path, method: 'POST', headers });
    outgoing.on('error', reject);
    outgoing.on('response', resolve);
    outgoing.end(stringifyJson(body));
    const envelope = parseJson(await text(await promise)) as { code: number; data: T; message: string | null };
    if (envelope.code !== 200) throw new Error(`${path} answered ${envelope.code}: ${envelope.message}`);
    return envelope.data;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
