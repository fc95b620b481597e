import type { AccessTokens } from '../kit/access-tokens.ts';
import { type Ending, type HttpsRequest, jsonAnswer } from '../kit/https.ts';
import { readForm } from '../kit/read.ts';
import type { Apps } from './apps.ts';
import { bareAnswer } from './responses.ts';

/** The words of the account service, which is a Keycloak, with their status. */
const errors = {
  unsupported_grant_type: [400, 'Unsupported grant_type'],
  invalid_client: [401, 'Invalid client or Invalid client credentials'],
  unauthorized_client: [401, 'Invalid client or Invalid client credentials'],
} as const;

/** The one of today, and the one of the guide of 2023. */
const PATHS = ['/auth/token', '/auth/realms/developer/protocol/openid-connect/token'];

export function serveToken(
  request: HttpsRequest,
  { apps, accessTokens }: { apps: Apps; accessTokens: AccessTokens },
): Ending {
  if (!PATHS.includes(request.path)) return bareAnswer(404, 'Not Found');
  if (request.method !== 'POST') return bareAnswer(405, 'Method Not Allowed');
  const form = readForm(request);
  if (form?.get('grant_type') !== 'client_credentials') return tokenRefusal('unsupported_grant_type');
  const app = apps.byClient(form.get('client_id') ?? '');
  if (app === undefined) return tokenRefusal('invalid_client');
  if (app.clientSecret !== form.get('client_secret')) return tokenRefusal('unauthorized_client');
  const { token, lifeSeconds } = accessTokens.issue(app.clientId, Date.now());
  const json = { access_token: token, expires_in: lifeSeconds, token_type: 'Bearer' };
  return { kind: 'answer', label: '200', answer: jsonAnswer(200, json) };
}

export function tokenRefusal(error: keyof typeof errors): Ending & { kind: 'answer' } {
  const [status, words] = errors[error];
  const answer = jsonAnswer(status, { error, error_description: words });
  return { kind: 'answer', label: `${status} ${error}`, answer };
}
