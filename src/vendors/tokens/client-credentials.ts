import type { Outcome } from '#src/domain/outcome.ts';
import { readJsonObject } from '../translate/response-values.ts';
import { retryAfterSeconds } from '../translate/retry-after.ts';
import type { ProviderToken, VendorRequest, VendorResponse } from '../vendor.ts';

/**
 * Lifetime assumed if a response does not specify one. Both vendors that use this grant specify a lifetime, usually
 * this value.
 */
const DEFAULT_LIFETIME_SECONDS = 3_600;
/** Delay after a vendor throttles token requests without specifying a time. */
const RETRY_SECONDS = 60;
/** Format of a token, which is sent in a header. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * Returns an OAuth client credentials request as a form. The secret is encoded, because some secrets contain `+` and
 * `&`.
 */
export function clientCredentialsRequest(path: string, clientId: string, clientSecret: string): VendorRequest {
  return {
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }).toString(),
  };
}

/** Parses a token response. Only the codes of an error are kept, because a description could quote the request. */
export function readTokenResponse({ status, headers, body }: VendorResponse): ProviderToken | Outcome {
  if (status === 429 || status === 503)
    return { kind: 'throttled', retryAfterSeconds: retryAfterSeconds(headers, RETRY_SECONDS), account: true };
  const json = readJsonObject(body);
  if (status >= 500 || !json) return { kind: 'unreachable', reason: `no token: ${status}` };
  const { access_token: token, expires_in: expiresIn, error, sub_error: detail } = json;
  if (status < 300 && typeof token === 'string' && TOKEN.test(token))
    return {
      token,
      lifetimeSeconds: Number(expiresIn) >= 1 ? Math.floor(Number(expiresIn)) : DEFAULT_LIFETIME_SECONDS,
    };
  if (status >= 400 || error !== undefined)
    return { kind: 'locked-out', reason: ['no token:', status, ...[error, detail].filter(isCode)].join(' ') };
  return { kind: 'unreachable', reason: `no token: ${status}` };
}

const isCode = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^\w{1,64}$/.test(value));
