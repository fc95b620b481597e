import type { AccessTokens } from '../kit/access-tokens.ts';
import { type HttpsRequest, jsonResponse } from '../kit/https.ts';
import { checkAssertion } from './assertion.ts';
import { pageNotFound, type SentResponse } from './responses.ts';
import type { ServiceAccounts } from './service-accounts.ts';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/**
 * Serves the endpoint that issues access tokens. `audience` is the endpoint's own URL, which assertions must contain as
 * `aud`.
 */
export function serveToken(
  request: HttpsRequest,
  { accounts, tokens }: { readonly accounts: ServiceAccounts; readonly tokens: AccessTokens },
  audience: string,
): SentResponse {
  if (request.path !== '/token' || request.method !== 'POST') return pageNotFound;
  if (!FORM.test(String(request.headers['content-type']))) {
    return rejectToken('invalid_request', 'Could not parse the request: it must be a form.');
  }
  const form = new URLSearchParams(request.body.toString());
  const grantType = form.get('grant_type');
  if (grantType !== GRANT_TYPE) return rejectToken('unsupported_grant_type', `Invalid grant_type: ${grantType ?? ''}`);
  const check = checkAssertion(form.get('assertion') ?? '', accounts, audience, Date.now());
  if (check.kind === 'refused') return rejectToken(check.error, check.description);
  const { token, lifeSeconds } = tokens.issue(check.account.clientEmail, Date.now());
  const json = { access_token: token, expires_in: lifeSeconds, token_type: 'Bearer' };
  return { kind: 'answer', label: '200', response: jsonResponse(200, json) };
}

export function rejectToken(error: string, error_description: string): SentResponse {
  return { kind: 'answer', label: `400 ${error}`, response: jsonResponse(400, { error, error_description }) };
}
