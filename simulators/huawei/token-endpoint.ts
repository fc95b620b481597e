import type { AccessTokens } from '../kit/access-tokens.ts';
import { type HttpsRequest, jsonResponse, type SimulatedResponse } from '../kit/https.ts';
import type { RateLimit } from '../kit/rate-limit.ts';
import { readForm } from '../kit/read.ts';
import type { Apps } from './apps.ts';
import { plainResponse } from './responses.ts';

/** Huawei's sub-codes for error 1101 and their texts. */
const subErrors = {
  20002: 'client_id is invalid',
  20171: 'client_secret is empty',
  20172: 'client_secret is malformed',
  12304: 'client_secret is wrong',
  20182: 'grant_type is not supported',
} as const;

const CLIENT_ID = /^[0-9]{1,64}$/;
const CLIENT_SECRET = /^[\x21-\x7e]{1,256}$/;

/** Serves `POST /oauth2/v3/token`, which exchanges client credentials for an access token. */
export function serveToken(
  request: HttpsRequest,
  { apps, accessTokens, tokenLimit }: { apps: Apps; accessTokens: AccessTokens; tokenLimit: RateLimit },
): SimulatedResponse {
  if (request.path !== '/oauth2/v3/token') return plainResponse(404, 'Not Found');
  if (request.method !== 'POST') return plainResponse(405, 'Method Not Allowed');
  const form = readForm(request);
  if (form?.get('grant_type') !== 'client_credentials') return tokenRejection(20182);
  const clientId = form.get('client_id') ?? '';
  const clientSecret = form.get('client_secret') ?? '';
  if (!CLIENT_ID.test(clientId)) return tokenRejection(20002);
  if (clientSecret === '') return tokenRejection(20171);
  if (!CLIENT_SECRET.test(clientSecret)) return tokenRejection(20172);
  if (apps.get(clientId)?.appSecret !== clientSecret) return tokenRejection(12304);
  if (!tokenLimit.take(clientId, 1, Date.now())) return plainResponse(503, 'Service Unavailable');
  const { token, lifeSeconds } = accessTokens.issue(clientId, Date.now());
  // Slashes are escaped, as Huawei sometimes does, so that clients must use a JSON parser.
  const body = JSON.stringify({ access_token: token, expires_in: lifeSeconds, token_type: 'Bearer' });
  const response = { ...jsonResponse(200, {}), body: body.replaceAll('/', '\\/') };
  return { kind: 'answer', label: '200', response };
}

export function tokenRejection(subError: keyof typeof subErrors): SimulatedResponse & { kind: 'answer' } {
  const json = { error: 1101, sub_error: subError, error_description: subErrors[subError] };
  return { kind: 'answer', label: `400 ${subError}`, response: jsonResponse(400, json) };
}
