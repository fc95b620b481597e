import { createServer, type IncomingMessage } from 'node:http';
import { type Listener, listenOnLoopback } from './loopback.ts';
import { BadControlRequest } from './parse-input.ts';

export type ControlRequest = { readonly query: URLSearchParams; readonly body: unknown };
export type ControlResponse = { readonly status: number; readonly json?: unknown; readonly html?: string };

/**
 * Routes by method and path, such as `GET /arrived`. If a route throws a `BadControlRequest`, the response is 400 with
 * the error message.
 */
export type Routes = Readonly<Record<string, (call: ControlRequest) => ControlResponse | Promise<ControlResponse>>>;

const REQUEST_BYTES_MAX = 65_536;
const REQUEST_MS_MAX = 10_000;

/**
 * Starts the control API, with which a test or a developer inspects and controls a simulator. It is plain HTTP with
 * JSON, on the loopback address only.
 */
export async function startControl(routes: Routes, port: number): Promise<Listener> {
  const server = createServer({ requestTimeout: REQUEST_MS_MAX }, (request, response) => {
    void handleRequest(request, routes).then(({ status, json, html }) => {
      const type = html === undefined ? 'application/json' : 'text/html; charset=utf-8';
      response.writeHead(status, { 'content-type': type });
      response.end(html ?? (json === undefined ? undefined : JSON.stringify(json)));
    });
  });
  return listenOnLoopback(server, port);
}

async function handleRequest(request: IncomingMessage, routes: Routes): Promise<ControlResponse> {
  const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
  const route = routes[`${request.method} ${url?.pathname}`];
  if (url === null || route === undefined)
    return { status: 404, json: { error: `unknown route; available routes: ${Object.keys(routes).join(', ')}` } };
  try {
    return await route({ query: url.searchParams, body: await readJson(request) });
  } catch (error) {
    if (error instanceof BadControlRequest) return { status: 400, json: { error: error.message } };
    throw error;
  }
}

/**
 * Reads the body. A body that is too long is read to its end but not stored, because stopping earlier would close the
 * connection before the response.
 */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes <= REQUEST_BYTES_MAX) chunks.push(chunk);
    }
  } catch (cause) {
    throw new BadControlRequest('the request was aborted', { cause });
  }
  if (bytes === 0) return undefined;
  if (bytes > REQUEST_BYTES_MAX) throw new BadControlRequest(`the body is larger than ${REQUEST_BYTES_MAX} bytes`);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (cause) {
    throw new BadControlRequest('the body is not JSON', { cause });
  }
}
