import { lookup } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const DEADLINE_MS = 3_000;

/**
 * Sends a HEAD request to a URL supplied by a caller, without access to internal networks. Only public addresses are
 * allowed. They are checked in the DNS lookup of the connection itself, so that the host name cannot resolve to another
 * address afterwards. Redirects are not followed, URLs with credentials are not requested, and there is a deadline.
 * Returns undefined if the request failed or was not allowed.
 */
export function guardedHead(
  url: URL,
  isAllowed: (address: string) => boolean = isPublicAddress,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]> } | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.username || url.password || (isIP(host) && !isAllowed(host))) return Promise.resolve(undefined);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const request = send(url, {
      method: 'HEAD',
      agent: false,
      lookup: guardedLookup(isAllowed),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    request.on('response', (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
      response.destroy();
    });
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined)); // an unrequested protocol upgrade ends without an error event
    request.end();
  });
}

/**
 * Returns a DNS lookup for a connection to a host that a caller chose. The lookup fails if an address of the host is not
 * allowed. The connection uses the checked addresses, so that the host name cannot resolve to another address
 * afterwards. A connection to an IP address uses no lookup, so the caller must check such a host separately.
 */
export function guardedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const lookupError =
        error ?? (addresses.every(({ address }) => isAllowed(address)) ? null : new Error('the address is not public'));
      const [first] = addresses ?? [];
      if (lookupError || !first) callback(lookupError ?? new Error('the name has no address'), '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
