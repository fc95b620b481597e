import type { AccessTokens } from '../kit/access-tokens.ts';
import { type Ending, type HttpsRequest, jsonAnswer } from '../kit/https.ts';
import type { Allowance } from '../kit/rate-limit.ts';
import { readForm } from '../kit/read.ts';
import type { Apps } from './apps.ts';
import { bareAnswer } from './responses.ts';

/** Huawei's sub codes below its one code 1101, and what they say. */
const subErrors = {
  20002: 'client_id is invalid',
  20171: 'client_secret is empty',
  20172: 'client_secret is malformed',
  12304: 'client_secret is wrong',
  20182: 'grant_type is not supported',
} as const;

const CLIENT_ID = /^[0-9]{1,64}$/;
const CLIENT_SECRET = /^[\x21-\x7e]{1,256}$/;

/** `POST /oauth2/v3/token`: client credentials for an access token. */
export function serveToken(
  request: HttpsRequest,
  { apps, accessTokens, tokenAllowance }: { apps: Apps; accessTokens: AccessTokens; tokenAllowance: Allowance },
): Ending {
  if (request.path !== '/oauth2/v3/token') return bareAnswer(404, 'Not Found');
  if (request.method !== 'POST') return bareAnswer(405, 'Method Not Allowed');
  const form = readForm(request);
  if (form?.get('grant_type') !== 'client_credentials') return tokenRefusal(20182);
  const clientId = form.get('client_id') ?? '';
  const clientSecret = form.get('client_secret') ?? '';
  if (!CLIENT_ID.test(clientId)) return tokenRefusal(20002);
  if (clientSecret === '') return tokenRefusal(20171);
  if (!CLIENT_SECRET.test(clientSecret)) return tokenRefusal(20172);
  if (apps.get(clientId)?.appSecret !== clientSecret) return tokenRefusal(12304);
  if (!tokenAllowance.take(clientId, 1, Date.now())) return bareAnswer(503, 'Service Unavailable');
  const { token, lifeSeconds } = accessTokens.issue(clientId, Date.now());
  // Slashes are escaped, as Huawei does now and then: only a JSON parser reads that.
  const body = JSON.stringify({ access_token: token, expires_in: lifeSeconds, token_type: 'Bearer' });
  const answer = { ...jsonAnswer(200, {}), body: body.replaceAll('/', '\\/') };
  return { kind: 'answer', label: '200', answer };
}

export function tokenRefusal(subError: keyof typeof subErrors): Ending & { kind: 'answer' } {
  const json = { error: 1101, sub_error: subError, error_description: subErrors[subError] };
  return { kind: 'answer', label: `400 ${subError}`, answer: jsonAnswer(400, json) };
}
