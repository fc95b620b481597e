import { EndpointPools } from './transport/endpoint-pools.ts';
import { Http1Pool } from './transport/http1-pool.ts';
import { Http2Pool } from './transport/http2-pool.ts';
import { NoResponseError, type Pool } from './transport/pool.ts';
import type { Vendor, VendorAccount, VendorRequest, VendorResponse } from './vendor.ts';

/** The connections of one account, for sending or for provider tokens. */
export interface Connections {
  readonly pool: Pool;
  /** The path of the configured URL, which precedes every request path. */
  readonly pathPrefix: string;
  /** The version of the credentials that the connections were opened with. */
  readonly version: number;
}

/** Opens connections. `url` is empty for a vendor whose tokens contain the URL of the request. */
export function openConnections(
  vendor: Vendor<unknown>,
  account: VendorAccount,
  purpose: 'send' | 'token',
  { url, proxyUrl }: { readonly url: string; readonly proxyUrl: string | undefined },
): Connections {
  const { version } = account;
  if (url === '') return { pool: new EndpointPools({ proxyUrl }), pathPrefix: '', version };
  const { origin, pathname } = new URL(url);
  const options = {
    clientCertificate: vendor.toClientCertificate?.(account),
    proxyUrl,
    startsWithOneStream: vendor.startsWithOneStream,
  };
  const pool =
    purpose === 'send' && vendor.http === 2 ? new Http2Pool(origin, options) : new Http1Pool(origin, options);
  return { pool, pathPrefix: pathname.replace(/\/$/, ''), version };
}

/**
 * Sends a request. `deadlineAt` is a time of this process's clock. If a reverse proxy receives the requests of a vendor
 * whose tokens contain a URL, the host of this URL becomes the first part of the path.
 */
export async function sendRequest(
  { pool, pathPrefix }: Connections,
  { path, ...rest }: VendorRequest,
  deadlineAt: number,
): Promise<VendorResponse> {
  const remainingMs = deadlineAt - performance.now();
  if (remainingMs <= 0) throw new NoResponseError('no response in time');
  const { origin } = rest;
  const host = origin === undefined || pool instanceof EndpointPools ? '' : `/${new URL(origin).host}`;
  return pool.request({ path: pathPrefix + host + path, ...rest }, remainingMs);
}
