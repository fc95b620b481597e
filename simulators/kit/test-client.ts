import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

/** How a request ended, as a bare HTTP client sees it: nothing here knows our sender. */
export type Result = {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Whether the answer came to its end. */
  readonly isComplete: boolean;
  readonly errorCode: string | undefined;
  /** The answer as JSON; nothing when it is none. */
  readonly json: ReturnType<typeof JSON.parse>;
};

/** A sender that keeps its one connection. */
export class HttpsClient implements AsyncDisposable {
  readonly #agent: Agent;

  constructor(caPem: string) {
    this.#agent = new Agent({ ca: caPem, keepAlive: true, maxSockets: 1 });
  }

  open(url: string, headers: Readonly<Record<string, string>> = {}, method = 'POST'): ClientRequest {
    const outgoing = request(url, { agent: this.#agent, method, headers });
    outgoing.on('error', () => {}); // whoever sends with `post` is told in the result
    return outgoing;
  }

  async post(
    url: string,
    body: string,
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
