import { createPrivateKey, sign } from 'node:crypto';
import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { HttpsClient } from '../kit/test-client.ts';
import type { FcmCertificate } from './service-accounts.ts';
import type { FcmSimulator } from './simulator.ts';

/** The result of a request from a plain HTTP/2 client, which shares no code with Carillon's sender. */
export type Result = {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The response body as JSON, or undefined if it is not JSON. */
  readonly json: ReturnType<typeof JSON.parse>;
  readonly errorCode: string | undefined;
  readonly resetCode: number;
};

/** Opens a connection and waits for the server's first SETTINGS frame. */
export async function openConnection(url: string, ca: string): Promise<ClientHttp2Session & AsyncDisposable> {
  const session = connect(url, { ca });
  session.on('error', () => {}); // the tests check streams; a reset connection also emits an error on the session
  await once(session, 'remoteSettings');
  return Object.assign(session, {
    [Symbol.asyncDispose]: async () => {
      if (session.destroyed) return;
      session.destroy();
      await once(session, 'close');
    },
  });
}

export type Post = {
  readonly path: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly method?: string;
};

/** Sends one request. Headers with the value `undefined` are omitted. */
export async function post(session: ClientHttp2Session, { path, body, headers = {}, method }: Post): Promise<Result> {
  const definedHeaders = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  const stream = session.request(
    { ':method': method ?? 'POST', ':path': path, ...definedHeaders },
    { endStream: false },
  );
  let responseHeaders: Record<string, unknown> = {};
  let text = '';
  let errorCode: string | undefined;
  stream.on('response', (answer) => {
    responseHeaders = { ...answer };
  });
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  stream.on('error', (error: NodeJS.ErrnoException) => {
    errorCode = error.code;
  });
  const closed = Promise.withResolvers<void>(); // not `once`, which would turn an error into a rejection
  stream.on('close', closed.resolve);
  stream.end(body);
  await closed.promise;
  const status = responseHeaders[':status'] === undefined ? undefined : Number(responseHeaders[':status']);
  return { status, headers: responseHeaders, text, json: readJson(text), errorCode, resetCode: stream.rstCode };
}

/** Changes to a valid assertion. Values of `undefined` are omitted. */
export type AssertionChanges = {
  readonly header?: object;
  readonly claims?: object;
  readonly privateKey?: string;
};

/** Returns an assertion for the account in `certificate`. */
export function signAssertion(
  { certificate }: FcmCertificate,
  { header, claims, privateKey }: AssertionChanges = {},
): string {
  const account = JSON.parse(certificate);
  const seconds = Math.floor(Date.now() / 1000);
  const scope = 'https://www.googleapis.com/auth/firebase.messaging';
  const signed = [
    { alg: 'RS256', typ: 'JWT', kid: account.private_key_id, ...header },
    { iss: account.client_email, scope, aud: account.token_uri, iat: seconds, exp: seconds + 3600, ...claims },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const key = createPrivateKey(privateKey ?? account.private_key);
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

export const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded' };

export function formOf(assertion: string): string {
  return new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString();
}

/** Returns the headers of a send request with a new access token. */
export async function authorizationHeaders(
  simulator: FcmSimulator,
  certificate = simulator.certificate,
): Promise<Record<string, string>> {
  await using client = new HttpsClient(simulator.caPem);
  const { json } = await client.post(`${simulator.tokenUrl}/token`, formOf(signAssertion(certificate)), FORM_HEADERS);
  return { authorization: `Bearer ${json.access_token}`, 'content-type': 'application/json' };
}

function readJson(text: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
