import type { AccessTokens } from '../kit/access-tokens.ts';
import { type HttpsRequest, jsonResponse, type SimulatedResponse } from '../kit/https.ts';
import { readForm } from '../kit/read.ts';
import type { Apps } from './apps.ts';
import { plainResponse } from './responses.ts';

/** Error texts of the account service, which is a Keycloak server, with their HTTP status. */
const errors = {
  unsupported_grant_type: [400, 'Unsupported grant_type'],
  invalid_client: [401, 'Invalid client or Invalid client credentials'],
  unauthorized_client: [401, 'Invalid client or Invalid client credentials'],
} as const;

/** The current path, and the path in Honor's 2023 guide. */
const PATHS = ['/auth/token', '/auth/realms/developer/protocol/openid-connect/token'];

export function serveToken(
  request: HttpsRequest,
  { apps, accessTokens }: { apps: Apps; accessTokens: AccessTokens },
): SimulatedResponse {
  if (!PATHS.includes(request.path)) return plainResponse(404, 'Not Found');
  if (request.method !== 'POST') return plainResponse(405, 'Method Not Allowed');
  const form = readForm(request);
  if (form?.get('grant_type') !== 'client_credentials') return tokenRejection('unsupported_grant_type');
  const app = apps.byClient(form.get('client_id') ?? '');
  if (app === undefined) return tokenRejection('invalid_client');
  if (app.clientSecret !== form.get('client_secret')) return tokenRejection('unauthorized_client');
  const { token, lifeSeconds } = accessTokens.issue(app.clientId, Date.now());
  const json = { access_token: token, expires_in: lifeSeconds, token_type: 'Bearer' };
  return { kind: 'answer', label: '200', response: jsonResponse(200, json) };
}

export function tokenRejection(error: keyof typeof errors): SimulatedResponse & { kind: 'answer' } {
  const [status, text] = errors[error];
  const response = jsonResponse(status, { error, error_description: text });
  return { kind: 'answer', label: `${status} ${error}`, response };
}
