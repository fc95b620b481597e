import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { parseJson, stringifyJson } from '#src/foundation/json.ts';

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, and a string is sent unchanged. */
  readonly body?: object | string;
  /** Source address of the connection. */
  readonly localAddress?: string;
}

/** The parts of a response that could reveal whether the API or a proxy wrote it. */
export interface ProxyResponse {
  readonly status: number;
  readonly type: string | undefined;
  readonly allow: string | undefined;
  readonly retryAfter: string | undefined;
  readonly envelope: { readonly code: number; readonly data: unknown; readonly message: string | null };
}

const CALL_MS_MAX = 15_000;

/**
 * A larger body is sent only after the server has asked for it. Otherwise, a proxy that rejects the size closes the
 * connection during the upload, and the client can lose the response [RFC 9110, section 10.1.1].
 */
const EXPECTED_BYTES_MIN = 64 * 1024;

/** Calls the API over HTTPS, with a separate connection for each call. */
export async function callHttps(port: number, ca: string, call: Call): Promise<ProxyResponse> {
  const { method = 'POST', path, headers = {}, body, localAddress } = call;
  const sent = typeof body === 'object' ? stringifyJson(body) : body;
  const asksFirst = sent !== undefined && sent.length >= EXPECTED_BYTES_MIN;
  const { promise, resolve, reject } = Promise.withResolvers<ProxyResponse>();
  const outgoing = request({
    host: '127.0.0.1',
    port,
    ca,
    method,
    path,
    localAddress,
    agent: false,
    timeout: CALL_MS_MAX,
    headers: {
      ...headers,
      ...(sent !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
      ...(asksFirst && { expect: '100-continue' }),
    },
  });
  outgoing.on('timeout', () => outgoing.destroy(new Error('No response in time.')));
  outgoing.on('error', reject);
  outgoing.on('response', (response) => {
    text(response).then((responseText) => {
      const { allow, 'retry-after': retryAfter, 'content-type': type } = response.headers;
      const envelope = parseJson(responseText) as ProxyResponse['envelope'];
      resolve({ status: response.statusCode as number, type, allow, retryAfter, envelope });
    }, reject);
  });
  if (asksFirst) outgoing.on('continue', () => outgoing.end(sent)).flushHeaders();
  else outgoing.end(sent);
  return promise;
}

/** Calls the API without a proxy. */
export async function callDirectly(
  apiUrl: string,
  { method = 'POST', path, headers = {}, body }: Call,
): Promise<ProxyResponse> {
  const sent = typeof body === 'object' ? stringifyJson(body) : body;
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: { ...headers, ...(sent !== undefined && { 'content-type': 'application/json' }) },
    ...(sent !== undefined && { body: sent }),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? undefined,
    allow: response.headers.get('allow') ?? undefined,
    retryAfter: response.headers.get('retry-after') ?? undefined,
    envelope: parseJson(await response.text()) as ProxyResponse['envelope'],
  };
}
