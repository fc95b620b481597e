import { createPrivateKey, sign } from 'node:crypto';
import { once } from 'node:events';
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import type { ApnsCredentials, ApnsSimulator } from './simulator.ts';

/** The result of a request from a plain HTTP/2 client, which shares no code with Carillon's sender. */
export type PushResult = {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly reason: unknown;
  readonly timestamp: unknown;
  readonly errorCode: string | undefined;
  readonly resetCode: number;
};

/** Opens a connection to one environment and waits for the server's first SETTINGS frame. */
export async function openConnection(
  simulator: ApnsSimulator,
  environment: 'sandbox' | 'production' = 'production',
  clientIdentity: { readonly key: string; readonly cert: string } | undefined = undefined,
): Promise<ClientHttp2Session & AsyncDisposable> {
  const url = environment === 'sandbox' ? simulator.sandboxUrl : simulator.productionUrl;
  const session = connect(url, { ca: simulator.caPem, ...clientIdentity });
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

type Push = { token?: string; method?: string; path?: string; body?: string | Buffer; headers?: OutgoingHttpHeaders };

/** Sends one push. Headers with the value `undefined` are omitted. */
export async function push(session: ClientHttp2Session, push: Push): Promise<PushResult> {
  const definedHeaders = Object.entries(push.headers ?? {}).filter(([, value]) => value !== undefined);
  const stream = session.request({
    ':method': push.method ?? 'POST',
    ':path': push.path ?? `/3/device/${push.token ?? 'live-1'}`,
    ...Object.fromEntries(definedHeaders),
  });
  let headers: Record<string, unknown> = {};
  let text = '';
  let errorCode: string | undefined;
  stream.on('response', (received) => {
    headers = { ...received };
  });
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  stream.on('error', (error: NodeJS.ErrnoException) => {
    errorCode = error.code;
  });
  const closed = Promise.withResolvers<void>(); // not `once`, which would turn an error into a rejection
  stream.on('close', closed.resolve);
  stream.end(push.body ?? '{"aps":{"alert":"Hello"}}');
  await closed.promise;
  const { reason, timestamp } = text.startsWith('{') && text.endsWith('}') ? JSON.parse(text) : {};
  const status = headers[':status'] === undefined ? undefined : Number(headers[':status']);
  return { status, headers, text, reason, timestamp, errorCode, resetCode: stream.rstCode };
}

/** Returns the headers of a push that the demo key may send. */
export function validHeaders(simulator: ApnsSimulator): Record<string, string> {
  const { credentials } = simulator;
  return { authorization: `bearer ${signProviderToken(credentials)}`, 'apns-topic': credentials.topic };
}

/**
 * Returns a valid provider token with `changes` applied to its header and claims. ES256 signatures are random, so each
 * call returns a different token.
 */
export function signProviderToken(
  credentials: Pick<ApnsCredentials, 'keyId' | 'teamId' | 'p8Pem'>,
  changes: { header?: object; claims?: object } = {},
): string {
  const header = { alg: 'ES256', kid: credentials.keyId, ...changes.header };
  const claims = { iss: credentials.teamId, iat: Math.floor(Date.now() / 1000), ...changes.claims };
  const signed = `${encode(header)}.${encode(claims)}`;
  const key = createPrivateKey(credentials.p8Pem);
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
