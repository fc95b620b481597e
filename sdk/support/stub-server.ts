import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An HTTP server of somebody else: it writes down what it hears, and says what it was told to. */
export interface Peer extends AsyncDisposable {
  readonly url: string;
  readonly heard: Heard[];
}

/** `silent`: takes the request and never answers. `hang-up`: closes the connection instead. */
export type Answer = Said | 'silent' | 'hang-up';

export async function startPeer(answer: Answer | ((request: Heard) => Answer)): Promise<Peer> {
  const heard: Heard[] = [];
  const hear = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const one = { method, path: url, headers, body: await text(request) };
    heard.push(one);
    const said = typeof answer === 'function' ? answer(one) : answer;
    if (said === 'silent') return;
    if (said === 'hang-up') {
      request.socket.destroy();
      return;
    }
    reply.writeHead(said.status ?? 200, { 'content-type': 'application/json', ...said.headers }).end(said.body);
  };
  const server = createServer((request, reply) => void hear(request, reply));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A good answer; the data is JSON text, so that a test says every digit. */
export const good = (data: string): Said => ({ body: `{"code":200,"data":${data},"message":null}` });

export const refusal = (status: number, code: number, message: string, headers: Said['headers'] = {}): Said => ({
  status,
  headers,
  body: JSON.stringify({ code, data: null, message }),
});
