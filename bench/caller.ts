import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseJson, stringifyJson } from '#src/foundation/json.ts';
import type { Carillon } from '../test/support/carillon.ts';

/**
 * Calls the API as an admin over connections that stay open. Not `fetch`: against an empty server on the same machine
 * its slowest calls in a hundred take five times as long, and a bench must not measure its own client.
 */
export class Caller {
  readonly #carillon: Pick<Carillon, 'apis' | 'appId' | 'adminToken'>;
  readonly #agent: Agent;

  constructor(carillon: Pick<Carillon, 'apis' | 'appId' | 'adminToken'>, connections = 1) {
    this.#carillon = carillon;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** The `data` of the answer. */
  async post<T>(path: string, body: object): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { apis, appId, adminToken } = this.#carillon;
    const port = apis[0]?.ports.api;
    const headers = { 'content-type': 'application/json', app_id: appId, 'access-token': adminToken };
    const sent = request({ agent: this.#agent, host: '127.0.0.1', port, path, method: 'POST', headers });
    sent.on('error', reject);
    sent.on('response', resolve);
    sent.end(stringifyJson(body));
    const answer = parseJson(await text(await promise)) as { code: number; data: T; message: string | null };
    if (answer.code !== 200) throw new Error(`${path} answered ${answer.code}: ${answer.message}`);
    return answer.data;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
