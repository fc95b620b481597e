import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

/** The result of a request from a plain HTTP client, which shares no code with Carillon's sender. */
export type Result = {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Whether the response was received completely. */
  readonly isComplete: boolean;
  readonly errorCode: string | undefined;
  /** The response body as JSON, or undefined if it is not JSON. */
  readonly json: ReturnType<typeof JSON.parse>;
};

/** A client that reuses one connection. */
export class HttpsClient implements AsyncDisposable {
  readonly #agent: Agent;

  constructor(caPem: string) {
    this.#agent = new Agent({ ca: caPem, keepAlive: true, maxSockets: 1 });
  }

  open(url: string, headers: Readonly<Record<string, string>> = {}, method = 'POST'): ClientRequest {
    const outgoing = request(url, { agent: this.#agent, method, headers });
    outgoing.on('error', () => {}); // `post` returns the error in its result
    return outgoing;
  }

  async post(
    url: string,
    body: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
    method = 'POST',
  ): Promise<Result> {
    const outgoing = this.open(url, headers, method);
    const { promise, resolve } = Promise.withResolvers<Result>();
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ status: undefined, headers: {}, text: '', isComplete: false, errorCode: error.code, json: undefined });
    outgoing.on('error', fail);
    outgoing.on('response', (response) => {
      void readResponse(response).then(resolve);
    });
    outgoing.end(body);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
  }
}

async function readResponse(response: IncomingMessage): Promise<Result> {
  let text = '';
  let errorCode: string | undefined;
  try {
    for await (const chunk of response) text += String(chunk);
  } catch (error) {
    errorCode = (error as NodeJS.ErrnoException).code;
  }
  const { statusCode: status, headers, complete: isComplete } = response;
  return { status, headers, text, isComplete, errorCode, json: parseJson(text) };
}

function parseJson(text: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
