import type { Arrivals } from '../kit/arrivals.ts';
import type { HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import { hasJsonContentType, parseObject } from '../kit/read.ts';
import { integer, listOf, objectWith, text } from '../kit/shape.ts';
import { batchOutcomeOf } from '../kit/token-outcomes.ts';
import type { Apps } from './apps.ts';
import { type Arrival, notifyIdOf } from './arrival.ts';
import { checkBearer } from './check-bearer.ts';
import { flowControl, newRequestId, plainResponse, rejection, responseOf } from './responses.ts';

/** A notification that was recalled from a phone, in the format of the control API. */
export type Revocation = {
  readonly client_id: string;
  readonly token: string;
  readonly notify_id: number;
  readonly at: number;
};

const PATH = /^\/v1\/([^/]+)\/messages:revoke$/;
const TOKENS_MAX = 1000;
const REVOCATIONS_MAX = 100_000;
const INT_MAX = 2 ** 31 - 1;

const bodyRule = objectWith(
  { notifyId: integer(0, INT_MAX), token: listOf(text({ pattern: /^\S+$/ }), Number.POSITIVE_INFINITY) },
  ['notifyId', 'token'],
);

export const isRevokePath = ({ path }: HttpsRequest): boolean => PATH.test(path);

type RevokeContext = {
  readonly apps: Apps;
  readonly arrivals: Arrivals<Arrival>;
  readonly revocations: Revocation[];
  readonly slowMs: number;
};

/** Serves `POST /v1/{client id}/messages:revoke`, which recalls a notification by its `notifyId`. */
export function serveRevoke(
  request: HttpsRequest,
  { apps, arrivals, revocations, slowMs }: RevokeContext,
): SimulatedResponse {
  if (request.method !== 'POST') return plainResponse(405, 'Method Not Allowed');
  const app = checkBearer(request, apps, Date.now());
  if (typeof app === 'string') return rejection(app);
  if (PATH.exec(request.path)?.[1] !== app.clientId) return rejection('80200001', 'the JWT belongs to another app');
  if (!['0', '2'].includes(String(request.headers['push-type'])))
    return rejection('80100001', 'push-type must be 0 or 2');
  if (!hasJsonContentType(request)) return rejection('80100003', 'Content-Type must be application/json');
  const body = parseObject(request.body);
  const violation = bodyRule(body, '');
  if (violation !== undefined)
    return rejection(
      violation.kind === 'shape' ? '80100003' : '80100001',
      `${violation.path} ${violation.text}`.trim(),
    );
  const { notifyId, token: tokens } = body as { notifyId: number; token: string[] };
  if (tokens.length < 1 || tokens.length > TOKENS_MAX) return rejection('80300010', `${tokens.length} tokens`);
  const outcome = batchOutcomeOf(tokens);
  if (outcome.wholeRequest === 'busy') return flowControl();
  if (outcome.wholeRequest === 'down') return plainResponse(500, 'Internal Server Error');
  if (outcome.reached.length === 0) return rejection('80300007');
  arrivals.recall(
    outcome.reached,
    ({ app_id, body: message }) => app_id === app.projectId && notifyIdOf(message) === notifyId,
  );
  const at = Date.now();
  for (const token of tokens) revocations.push({ client_id: app.clientId, token, notify_id: notifyId, at });
  revocations.splice(0, revocations.length - REVOCATIONS_MAX);
  const response = responseOf('80000000', newRequestId(at));
  const label = '200 revoked';
  return { kind: 'answer', label, response, isCut: outcome.isCut, ...(outcome.isLate && { afterMs: slowMs }) };
}
