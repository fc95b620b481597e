import { randomBytes } from 'node:crypto';
import { type AccessTokens, bearerOf } from '../kit/access-tokens.ts';
import type { HttpsRequest } from '../kit/https.ts';
import type { Allowance } from '../kit/rate-limit.ts';
import { parseObject } from '../kit/read.ts';
import type { Arrival } from './arrival.ts';
import { readMessage } from './message-rules.ts';
import { type Refused, refused, refusedByFcm } from './responses.ts';
import type { ServiceAccount, ServiceAccounts } from './service-accounts.ts';
import { fateOfTarget } from './target-outcomes.ts';

export type Verdict =
  | { kind: 'accepted'; answer: 'at-once' | 'late' | 'never'; name: string; arrival: Arrival | undefined }
  | { kind: 'no-page' }
  | Refused;

/** Who may send, and how much. */
export type Gate = {
  readonly accounts: ServiceAccounts;
  readonly tokens: AccessTokens;
  readonly ofProject: Allowance;
  readonly ofDevice: Allowance;
};

const PATH = /^\/v1\/projects\/([^/]+)\/messages:send$/;
const EXPECTED = 'Expected OAuth 2 access token, login cookie or other valid authentication credential.';

/**
 * The checks in the order that a sender may rely on: path, access token, project, JSON, message, then the target's own
 * fate. A dry run goes as far and reaches nobody.
 */
export function judge(request: HttpsRequest, gate: Gate, nowMs: number): Verdict {
  const projectId = request.method === 'POST' ? projectOf(request.path) : undefined;
  if (projectId === undefined) return { kind: 'no-page' };
  const objection = checkSender(request, projectId, gate, nowMs);
  if (objection !== undefined) return objection;
  const body = parseObject(request.body);
  if (body === undefined) return refused('INVALID_ARGUMENT', 'Invalid JSON payload received. Unexpected token.');
  const read = readMessage(body);
  if (read.kind === 'refused') return read;
  const fate = fateOfTarget(read.target);
  if (fate.kind === 'refused') return fate;
  if (!gate.ofDevice.take(read.target.value, 1, nowMs)) return quotaExceeded('device message rate');

  const { isDryRun, target, message } = read;
  const id = isDryRun ? 'fake_message_id' : `0:${nowMs}${randomMicros()}%${randomBytes(8).toString('hex')}`;
  const name = `projects/${projectId}/messages/${id}`;
  const arrival = { token: target.value, target: target.kind, project_id: projectId, name, message, at: nowMs };
  return { kind: 'accepted', answer: fate.answer, name, arrival: isDryRun ? undefined : arrival };
}

function projectOf(path: string): string | undefined {
  try {
    return decodeURIComponent(PATH.exec(path)?.[1] ?? '') || undefined;
  } catch {
    return undefined; // a percent sign that stands for nothing
  }
}

function checkSender(
  { headers }: HttpsRequest,
  projectId: string,
  { accounts, tokens, ofProject }: Gate,
  nowMs: number,
): Refused | undefined {
  const bearer = bearerOf(headers.authorization);
  if (bearer === undefined) {
    const text = `Request is missing required authentication credential. ${EXPECTED}`;
    return refused('UNAUTHENTICATED', text, { reason: 'CREDENTIALS_MISSING' });
  }
  const account = ownerOf(bearer, accounts, tokens, nowMs);
  if (account === undefined) {
    const text = `Request had invalid authentication credentials. ${EXPECTED}`;
    return refused('UNAUTHENTICATED', text, { reason: 'ACCESS_TOKEN_EXPIRED' });
  }
  if (account.projectId === projectId) {
    // Whatever comes of it counts.
    return ofProject.take(projectId, 1, nowMs) ? undefined : quotaExceeded(`project:${projectId}`);
  }
  if (!accounts.hasProject(projectId)) return refused('NOT_FOUND', 'Requested entity was not found.');
  const text = `Permission 'cloudmessaging.messages.create' denied on resource '//cloudresourcemanager.googleapis.com/projects/${projectId}' (or it may not exist).`;
  return refused('PERMISSION_DENIED', text, { reason: 'IAM_PERMISSION_DENIED' });
}

const quotaExceeded = (quotaOf: string): Refused =>
  refusedByFcm('QUOTA_EXCEEDED', 'Quota exceeded: messages per minute.', { quotaOf });

function ownerOf(
  bearer: string,
  accounts: ServiceAccounts,
  tokens: AccessTokens,
  nowMs: number,
): ServiceAccount | undefined {
  const found = tokens.check(bearer, nowMs);
  return found.kind === 'known' ? accounts.get(found.owner) : undefined;
}

const randomMicros = () => String(Math.floor(Math.random() * 1000)).padStart(3, '0');
