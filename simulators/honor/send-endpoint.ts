import { type AccessTokens, bearerOf } from '../kit/access-tokens.ts';
import type { Arrivals } from '../kit/arrivals.ts';
import type { HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import type { RateLimit } from '../kit/rate-limit.ts';
import { hasJsonContentType, type Json, parseObject } from '../kit/read.ts';
import type { Receipts } from '../kit/receipts.ts';
import type { Tally } from '../kit/tally.ts';
import { batchOutcomeOf } from '../kit/token-outcomes.ts';
import type { App, Apps } from './apps.ts';
import { type Arrival, biTagOf, isMarketing, taskOf } from './arrival.ts';
import { message } from './message-rules.ts';
import { DELIVERED } from './receipts.ts';
import { type Code, newRequestId, plainResponse, rejection, resultResponse } from './responses.ts';

export type SendContext = {
  readonly apps: Apps;
  readonly accessTokens: AccessTokens;
  readonly marketingQuota: RateLimit;
  readonly timestampToleranceMs: number;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly receipts: Receipts;
  readonly slowMs: number;
};

const PATH = /^\/api\/v1\/([^/]+)\/sendMessage$/;
const TIMESTAMP = /^\d{13}$/;
const TOKENS_MAX = 1000;
const BYTES_MAX = 4096;
export const RETRY_AFTER_SECONDS = 7;

/**
 * Checks a request in this order: path, bearer token, timestamp, body, tokens. Authentication comes before the content.
 */
export function serveSend(request: HttpsRequest, context: SendContext): SimulatedResponse {
  const path = PATH.exec(request.path);
  if (path === null) return plainResponse(404, 'Not Found');
  if (request.method !== 'POST') return plainResponse(405, 'Method Not Allowed');
  const app = checkBearer(request, context);
  if (typeof app === 'number') return rejection(app);
  if (path[1] !== app.appId) return rejection(80200001, 'the token belongs to another app');
  const timestamp = String(request.headers.timestamp);
  const isInTime = Math.abs(Number(timestamp) - Date.now()) <= context.timestampToleranceMs;
  if (!TIMESTAMP.test(timestamp)) return rejection(80100001, 'the timestamp header must have 13 digits');
  if (!isInTime) return rejection(80100001, 'the timestamp differs too much from the current time');
  if (!hasJsonContentType(request)) return rejection(80100003, 'Content-Type must be application/json');
  const body = parseObject(request.body);
  if (body === undefined) return rejection(80100003, 'the body must be a JSON object');
  const rejectionArguments = checkBody(body);
  return rejectionArguments === undefined ? deliver(app, body, context) : rejection(...rejectionArguments);
}

function checkBearer(request: HttpsRequest, { apps, accessTokens }: SendContext): App | Code {
  const bearer = bearerOf(request.headers.authorization);
  const tokenCheck = bearer === undefined ? undefined : accessTokens.check(bearer, Date.now());
  if (tokenCheck?.kind === 'expired') return 80200003;
  return (tokenCheck?.kind === 'known' ? apps.byClient(tokenCheck.owner) : undefined) ?? 80200001;
}

function checkBody(body: Json): [Code, string] | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(withoutTokens(body)));
  if (bytes > BYTES_MAX) return [80300008, `${bytes} bytes`];
  const violation = message(body, '');
  if (violation !== undefined) {
    const { kind, path, text } = violation;
    return [kind === 'shape' ? 80100003 : 80100001, `${path} ${text}`.trim()];
  }
  const count = tokensOf(body).length;
  return count < 1 || count > TOKENS_MAX ? [80300010, `${count} tokens`] : undefined;
}

function deliver({ appId }: App, body: Json, context: SendContext): SimulatedResponse {
  const { arrivals, tally, receipts, marketingQuota, slowMs } = context;
  const tokens = tokensOf(body);
  const outcome = batchOutcomeOf(tokens);
  if (outcome.wholeRequest === 'busy') {
    return plainResponse(429, 'Too Many Requests', { 'retry-after': String(RETRY_AFTER_SECONDS) });
  }
  if (outcome.wholeRequest === 'down') return plainResponse(502, 'Bad Gateway');

  const at = Date.now();
  const isOverQuota = (token: string) => isMarketing(body) && !marketingQuota.take(`${appId} ${token}`, 1, at);
  const overQuota = new Set(outcome.reached.filter(isOverQuota));
  const reached = outcome.reached.filter((token) => !overQuota.has(token));
  const requestId = newRequestId();
  const bodyWithoutTokens = withoutTokens(body);
  const facts = { vendor: 'honor', app_id: appId, request_id: requestId, tokens: tokens.length } as const;
  for (const token of reached) {
    arrivals.add({ ...facts, token, body: bodyWithoutTokens, at });
    tally.add(taskOf(body), token);
  }
  const biTag = biTagOf(body) ?? '';
  receipts.send(reached.map((token) => ({ appId, token, biTag, requestId, status: DELIVERED, atMs: at })));
  const response = resultResponse({
    sendResult: reached.length > 0,
    requestId,
    failTokens: [...outcome.failing, ...overQuota],
    expireTokens: outcome.dead,
  });
  return { kind: 'answer', label: '200', response, isCut: outcome.isCut, ...(outcome.isLate && { afterMs: slowMs }) };
}

/**
 * Returns the body without the list of tokens, which can be long. The list does not count towards the size of a message
 * and is not part of a delivery.
 */
function withoutTokens({ token: _token, ...body }: Json): Json {
  return body;
}

function tokensOf({ token }: Json): readonly string[] {
  return Array.isArray(token) ? (token as string[]) : [];
}
