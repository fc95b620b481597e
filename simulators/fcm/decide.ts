import { randomBytes } from 'node:crypto';
import { type AccessTokens, bearerOf } from '../kit/access-tokens.ts';
import type { HttpsRequest } from '../kit/https.ts';
import type { RateLimit } from '../kit/rate-limit.ts';
import { parseObject } from '../kit/read.ts';
import type { Arrival } from './arrival.ts';
import { parseMessage } from './message-rules.ts';
import { type Rejection, reject, rejectWithFcmCode } from './responses.ts';
import type { ServiceAccount, ServiceAccounts } from './service-accounts.ts';
import { outcomeOfTarget } from './target-outcomes.ts';

export type Decision =
  | { kind: 'accepted'; responseTiming: 'at-once' | 'late' | 'never'; name: string; arrival: Arrival | undefined }
  | { kind: 'no-page' }
  | Rejection;

/** Accounts that may send, their access tokens, and the rate limits per project and per device. */
export type AccessControl = {
  readonly accounts: ServiceAccounts;
  readonly tokens: AccessTokens;
  readonly projectLimit: RateLimit;
  readonly deviceLimit: RateLimit;
};

const PATH = /^\/v1\/projects\/([^/]+)\/messages:send$/;
const EXPECTED_CREDENTIALS = 'Expected OAuth 2 access token, login cookie or other valid authentication credential.';

/**
 * Checks a request in a fixed order: path, access token, project, JSON, message. The outcome of the target comes last.
 * A dry run passes the same checks but delivers nothing.
 */
export function decide(request: HttpsRequest, access: AccessControl, nowMs: number): Decision {
  const projectId = request.method === 'POST' ? projectOf(request.path) : undefined;
  if (projectId === undefined) return { kind: 'no-page' };
  const rejection = checkSender(request, projectId, access, nowMs);
  if (rejection !== undefined) return rejection;
  const body = parseObject(request.body);
  if (body === undefined) return reject('INVALID_ARGUMENT', 'Invalid JSON payload received. Unexpected token.');
  const parsed = parseMessage(body);
  if (parsed.kind === 'refused') return parsed;
  const outcome = outcomeOfTarget(parsed.target);
  if (outcome.kind === 'refused') return outcome;
  if (!access.deviceLimit.take(parsed.target.value, 1, nowMs)) return quotaExceeded('device message rate');

  const { isDryRun, target, message } = parsed;
  const id = isDryRun ? 'fake_message_id' : `0:${nowMs}${randomMicros()}%${randomBytes(8).toString('hex')}`;
  const name = `projects/${projectId}/messages/${id}`;
  const arrival = { token: target.value, target: target.kind, project_id: projectId, name, message, at: nowMs };
  return { kind: 'accepted', responseTiming: outcome.responseTiming, name, arrival: isDryRun ? undefined : arrival };
}

function projectOf(path: string): string | undefined {
  try {
    return decodeURIComponent(PATH.exec(path)?.[1] ?? '') || undefined;
  } catch {
    return undefined; // an invalid percent-encoding
  }
}

function checkSender(
  { headers }: HttpsRequest,
  projectId: string,
  { accounts, tokens, projectLimit }: AccessControl,
  nowMs: number,
): Rejection | undefined {
  const bearer = bearerOf(headers.authorization);
  if (bearer === undefined) {
    const text = `Request is missing required authentication credential. ${EXPECTED_CREDENTIALS}`;
    return reject('UNAUTHENTICATED', text, { reason: 'CREDENTIALS_MISSING' });
  }
  const account = ownerOf(bearer, accounts, tokens, nowMs);
  if (account === undefined) {
    const text = `Request had invalid authentication credentials. ${EXPECTED_CREDENTIALS}`;
    return reject('UNAUTHENTICATED', text, { reason: 'ACCESS_TOKEN_EXPIRED' });
  }
  if (account.projectId === projectId) {
    // Requests that fail a later check also count towards the limit.
    return projectLimit.take(projectId, 1, nowMs) ? undefined : quotaExceeded(`project:${projectId}`);
  }
  if (!accounts.hasProject(projectId)) return reject('NOT_FOUND', 'Requested entity was not found.');
  const text = `Permission 'cloudmessaging.messages.create' denied on resource '//cloudresourcemanager.googleapis.com/projects/${projectId}' (or it may not exist).`;
  return reject('PERMISSION_DENIED', text, { reason: 'IAM_PERMISSION_DENIED' });
}

const quotaExceeded = (quotaSubject: string): Rejection =>
  rejectWithFcmCode('QUOTA_EXCEEDED', 'Quota exceeded: messages per minute.', { quotaSubject });

function ownerOf(
  bearer: string,
  accounts: ServiceAccounts,
  tokens: AccessTokens,
  nowMs: number,
): ServiceAccount | undefined {
  const tokenCheck = tokens.check(bearer, nowMs);
  return tokenCheck.kind === 'known' ? accounts.get(tokenCheck.owner) : undefined;
}

const randomMicros = () => String(Math.floor(Math.random() * 1000)).padStart(3, '0');
