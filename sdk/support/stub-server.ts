import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface StubResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A stub HTTP server that records requests and returns the given responses. */
export interface StubServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: RecordedRequest[];
}

/** `silent` accepts the request and never responds. `hang-up` closes the connection instead. */
export type StubAction = StubResponse | 'silent' | 'hang-up';

export async function startStubServer(
  behavior: StubAction | ((request: RecordedRequest) => StubAction),
): Promise<StubServer> {
  const requests: RecordedRequest[] = [];
  const handle = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const recorded = { method, path: url, headers, body: await text(request) };
    requests.push(recorded);
    const action = typeof behavior === 'function' ? behavior(recorded) : behavior;
    if (action === 'silent') return;
    if (action === 'hang-up') {
      request.socket.destroy();
      return;
    }
    reply.writeHead(action.status ?? 200, { 'content-type': 'application/json', ...action.headers }).end(action.body);
  };
  const server = createServer((request, reply) => void handle(request, reply));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns a success response. `data` is JSON, so that a test controls every digit. */
export const successResponse = (data: string): StubResponse => ({ body: `{"code":200,"data":${data},"message":null}` });

export const errorResponse = (
  status: number,
  code: number,
  message: string,
  headers: StubResponse['headers'] = {},
): StubResponse => ({
  status,
  headers,
  body: JSON.stringify({ code, data: null, message }),
});
