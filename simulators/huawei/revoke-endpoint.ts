import type { HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import { hasJsonContentType, parseObject } from '../kit/read.ts';
import { batchOutcomeOf } from '../kit/token-outcomes.ts';
import { notifyIdOf } from './arrival.ts';
import { checkBearer } from './check-bearer.ts';
import { newRequestId, plainResponse, rejection, responseOf } from './responses.ts';
import { flowControl, type SendContext } from './send-endpoint.ts';

const PATH = /^\/v1\/([^/]+)\/messages:revoke$/;
const TOKENS_MAX = 1000;

export const isRevoke = ({ path }: HttpsRequest): boolean => PATH.test(path);

/** Removes the notifications with this number from the screens of these phones, if they show them. */
export function serveRevoke(request: HttpsRequest, context: SendContext): SimulatedResponse {
  const [, id] = PATH.exec(request.path) ?? [];
  if (request.method !== 'POST') return plainResponse(405, 'Method Not Allowed');
  const app = checkBearer(request, context, Date.now());
  if (typeof app === 'string') return rejection(app);
  if (id !== app.appId) return rejection('80300002', 'the path must contain the ID of the app');
  if (!hasJsonContentType(request)) return rejection('80100003', 'Content-Type must be application/json');
  if (request.headers['push-type'] !== '0')
    return rejection('80100003', 'the header does not contain a valid push-type');
  const { notifyId, token, ...others } = parseObject(request.body) ?? {};
  if (Object.keys(others).length > 0) return rejection('80100003', 'the body has an unknown field');
  if (!Number.isInteger(notifyId)) return rejection('80100001', 'notifyId must be an integer');
  if (!Array.isArray(token) || token.some((each) => typeof each !== 'string'))
    return rejection('80100003', 'token must be a list of strings');
  if (token.length < 1 || token.length > TOKENS_MAX) return rejection('80300010', `${token.length} tokens`);
  const tokens = token as string[];
  if (!context.sendLimit.take(app.appId, tokens.length, Date.now())) return flowControl();
  return revoke(app.appId, tokens, notifyId as number, context);
}

function revoke(
  appId: string,
  tokens: readonly string[],
  notifyId: number,
  { arrivals, slowMs }: SendContext,
): SimulatedResponse {
  const outcome = batchOutcomeOf(tokens);
  if (outcome.wholeRequest === 'busy') return flowControl();
  if (outcome.wholeRequest === 'down') return plainResponse(500, 'Internal Server Error');
  if (outcome.reached.length === 0) return rejection('80300007');
  arrivals.recall(outcome.reached, ({ app_id, body }) => app_id === appId && notifyIdOf(body) === notifyId);
  const response = responseOf('80000000', newRequestId(Date.now()));
  const label = '200 80000000 revoked';
  return { kind: 'answer', label, response, isCut: outcome.isCut, ...(outcome.isLate && { afterMs: slowMs }) };
}
