import type { AccessTokens } from '../kit/access-tokens.ts';
import type { Arrivals } from '../kit/arrivals.ts';
import type { HttpResponse, HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import type { RateLimit } from '../kit/rate-limit.ts';
import { asRecord, hasJsonContentType, type Json, parseObject } from '../kit/read.ts';
import type { Receipts } from '../kit/receipts.ts';
import type { Violation } from '../kit/shape.ts';
import type { Tally } from '../kit/tally.ts';
import { batchOutcomeOf } from '../kit/token-outcomes.ts';
import type { App, Apps } from './apps.ts';
import { type Arrival, biTagOf, taskOf } from './arrival.ts';
import { checkBearer } from './check-bearer.ts';
import { envelope } from './message-rules.ts';
import { statusOf } from './receipts.ts';
import { type Code, newRequestId, partialResponse, plainResponse, rejection, responseOf } from './responses.ts';

export type SendContext = {
  readonly apps: Apps;
  readonly accessTokens: AccessTokens;
  readonly sendLimit: RateLimit;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly receipts: Receipts;
  readonly slowMs: number;
};

const PATH = /^\/v([12])\/([^/]+)\/messages:send$/;
const TOKENS_MAX = 1000;
const BYTES_MAX = 4096;
export const RETRY_AFTER_SECONDS = 7;

/** Checks a request in this order: path, bearer token, body, tokens. Authentication comes before the content. */
export function serveSend(request: HttpsRequest, context: SendContext): SimulatedResponse {
  const path = PATH.exec(request.path);
  if (path === null) return plainResponse(404, 'Not Found');
  if (request.method !== 'POST') return plainResponse(405, 'Method Not Allowed');
  const [, version, id] = path;
  const app = checkBearer(request, context, Date.now());
  if (typeof app === 'string') return rejection(app);
  if (id !== (version === '1' ? app.appId : app.projectId))
    return rejection('80200001', 'the token belongs to another app');
  if (!hasJsonContentType(request)) return rejection('80100003', 'Content-Type must be application/json');
  const body = parseObject(request.body);
  if (body === undefined) return rejection('80100003', 'the body must be a JSON object');
  const rejectionArguments = checkBody(body);
  if (rejectionArguments !== undefined) return rejection(...rejectionArguments);

  const tokens = tokensOf(body);
  if (body.validate_only === true || tokens.length === 0) return success(newRequestId(Date.now()));
  if (!context.sendLimit.take(app.appId, tokens.length, Date.now())) return flowControl();
  return deliver(app, body, tokens, context);
}

function checkBody(body: Json): [Code, string] | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(withoutTokens(body)));
  if (bytes > BYTES_MAX) return ['80300008', `${bytes} bytes`];
  if (body.message === undefined) return ['80100003', 'message is missing'];
  const violation = envelope(body, '');
  if (violation !== undefined) return [codeOf(violation), `${violation.path} ${violation.text}`];
  const { token, topic, condition, android } = asRecord(body.message);
  const targets = [token, topic, condition].filter((target) => target !== undefined).length;
  if (targets > 1) return ['80100001', 'token, topic and condition are mutually exclusive'];
  const isCounted = topic === undefined && condition === undefined;
  const count = tokensOf(body).length;
  if (isCounted && (count < 1 || count > TOKENS_MAX)) return ['80300010', `${count} tokens`];
  return asRecord(android).urgency === 'HIGH' ? ['80300011', 'urgency HIGH'] : undefined;
}

function codeOf({ path, kind }: Violation): Code {
  if (path === 'message.android.collapse_key') return '80100013';
  return kind === 'shape' ? '80100003' : '80100001';
}

function deliver(app: App, body: Json, tokens: readonly string[], context: SendContext): SimulatedResponse {
  const { arrivals, tally, receipts, slowMs } = context;
  const outcome = batchOutcomeOf(tokens);
  if (outcome.wholeRequest === 'busy') return flowControl();
  if (outcome.wholeRequest === 'down') return plainResponse(500, 'Internal Server Error');
  const illegal = new Set(outcome.dead);
  const reached = tokens.filter((token) => !illegal.has(token));
  if (reached.length === 0) return rejection('80300007');

  const at = Date.now();
  const requestId = newRequestId(at);
  const bodyWithoutTokens = withoutTokens(body);
  const facts = { vendor: 'huawei', app_id: app.appId, request_id: requestId, tokens: tokens.length } as const;
  for (const token of reached) {
    arrivals.add({ ...facts, token, body: bodyWithoutTokens, at });
    tally.add(taskOf(body), token);
  }
  const biTag = biTagOf(body) ?? '';
  const { appId } = app;
  receipts.send(reached.map((token) => ({ appId, token, biTag, requestId, status: statusOf(token), atMs: at })));
  const result =
    outcome.dead.length === 0
      ? success(requestId)
      : toSentResponse('200 80100000', partialResponse(reached.length, outcome.dead, requestId));
  return { ...result, isCut: outcome.isCut, ...(outcome.isLate && { afterMs: slowMs }) };
}

function success(requestId: string): SimulatedResponse & { kind: 'answer' } {
  return toSentResponse('200 80000000', responseOf('80000000', requestId));
}

function toSentResponse(label: string, response: HttpResponse): SimulatedResponse & { kind: 'answer' } {
  return { kind: 'answer', label, response };
}

export function flowControl(): SimulatedResponse {
  return plainResponse(503, 'Service Unavailable', { 'retry-after': String(RETRY_AFTER_SECONDS) });
}

/**
 * Returns the body without the list of tokens, which can be long. The list does not count towards the size of a message
 * and is not part of a delivery.
 */
function withoutTokens(body: Json): Json {
  const { token: _token, ...message } = asRecord(body.message);
  return { ...body, message };
}

function tokensOf(body: Json): readonly string[] {
  const { token } = asRecord(body.message);
  return Array.isArray(token) ? (token as string[]) : [];
}
