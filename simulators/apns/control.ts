import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Arrivals } from './arrivals.ts';
import type { ClientAuthority } from './client-authority.ts';
import { BadCall, parseDevice, parseFault, parseKey, parseLimit, parseP12Wish } from './control-input.ts';
import type { Counts } from './counts.ts';
import type { Devices } from './devices.ts';
import type { Faults } from './faults.ts';
import type { Listener } from './listener.ts';
import { renderPage } from './page.ts';
import type { ProviderKey } from './provider-token.ts';
import type { Tally } from './tally.ts';

export type Controlled = {
  readonly keys: Map<string, ProviderKey>;
  readonly authority: ClientAuthority;
  /** The demo key's. */
  readonly topic: string;
  readonly devices: Devices;
  readonly faults: Faults;
  readonly arrivals: Arrivals;
  readonly tally: Tally;
  readonly counts: Counts;
};

type Call = { readonly query: URLSearchParams; readonly body: unknown };
type Reply = { readonly status: number; readonly json?: unknown; readonly html?: string };

const CALL_BYTES_MAX = 65_536;
const CALL_MS_MAX = 10_000;
const KEYS_MAX = 1000;

const routes: Readonly<Record<string, (call: Call, controlled: Controlled) => Reply>> = {
  'GET /': (_call, { arrivals }) => ({ status: 200, html: renderPage(arrivals.list()) }),
  'GET /arrived': ({ query }, { arrivals }) => {
    const found = arrivals.list(query.get('token') ?? undefined);
    return { status: 200, json: { total: found.length, arrived: found.slice(-parseLimit(query.get('limit'))) } };
  },
  'DELETE /arrived': (_call, { arrivals, tally }) => {
    arrivals.clear();
    tally.clear();
    return { status: 204 };
  },
  'GET /tally': (_call, { tally }) => ({ status: 200, json: tally.snapshot() }),
  'GET /counts': (_call, { counts }) => ({ status: 200, json: counts.snapshot() }),
  'POST /keys': ({ body }, { keys }) => {
    const key = parseKey(body);
    if (keys.size >= KEYS_MAX && !keys.has(key.keyId)) throw new BadCall(`no more than ${KEYS_MAX} keys`);
    keys.set(key.keyId, key);
    return { status: 204 };
  },
  'GET /p12': ({ query }, { authority, topic }) => {
    const made = authority.issue(parseP12Wish(query, topic), Date.now());
    const { p12Base64, passphrase, expiresAtMs } = made;
    return { status: 200, json: { p12: p12Base64, passphrase, topic: made.topic, expires_at: expiresAtMs } };
  },
  'POST /devices': ({ body }, { devices }) => {
    devices.register(parseDevice(body));
    return { status: 204 };
  },
  'POST /faults': ({ body }, { faults }) => {
    if (!faults.add(parseFault(body, Date.now()))) throw new BadCall('too many faults are waiting: DELETE /faults');
    return { status: 204 };
  },
  'DELETE /faults': (_call, { faults }) => {
    faults.clear();
    return { status: 204 };
  },
};

/** What a test or a person uses to see and steer the simulator: plain HTTP on this machine alone, JSON both ways. */
export async function startControl(controlled: Controlled, port: number): Promise<Listener> {
  const server = createServer({ requestTimeout: CALL_MS_MAX }, (request, response) => {
    void answer(request, controlled).then(({ status, json, html }) => {
      const type = html === undefined ? 'application/json' : 'text/html; charset=utf-8';
      response.writeHead(status, { 'content-type': type });
      response.end(html ?? (json === undefined ? undefined : JSON.stringify(json)));
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo; // a TCP server that listens has one
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(request: IncomingMessage, controlled: Controlled): Promise<Reply> {
  const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
  const route = routes[`${request.method} ${url?.pathname}`];
  if (url === null || route === undefined)
    return { status: 404, json: { error: `try one of ${Object.keys(routes).join(', ')}` } };
  try {
    return route({ query: url.searchParams, body: await readJson(request) }, controlled);
  } catch (error) {
    if (error instanceof BadCall) return { status: 400, json: { error: error.message } };
    throw error;
  }
}

/** A call that is too long is read to its end, unkept: leaving earlier would close the connection before our answer. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes <= CALL_BYTES_MAX) chunks.push(chunk);
    }
  } catch (cause) {
    throw new BadCall('the call was broken off', { cause });
  }
  if (bytes === 0) return undefined;
  if (bytes > CALL_BYTES_MAX) throw new BadCall(`no more than ${CALL_BYTES_MAX} bytes`);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (cause) {
    throw new BadCall('the body is not JSON', { cause });
  }
}
