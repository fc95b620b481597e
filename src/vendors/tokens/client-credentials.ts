import type { Outcome } from '#src/domain/outcome.ts';
import { readJsonObject } from '../translate/response-values.ts';
import { retryAfterSeconds } from '../translate/retry-after.ts';
import type { ProviderToken, VendorRequest, VendorResponse } from '../vendor.ts';

/** Both vendors that grant tokens in this way say how long they live; should one forget, this is what it usually says. */
const DEFAULT_LIFETIME_SECONDS = 3_600;
/** The next try when the vendor has had enough of us and does not say for how long. */
const RETRY_SECONDS = 60;
/** It becomes a header. */
const TOKEN = /^[\x21-\x7e]+$/;

/** OAuth's client credentials as a form; the secret is encoded, since some have `+` and `&`. */
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

/** What the vendor grants. Of its refusals only codes are kept: a description might quote what we sent. */
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
