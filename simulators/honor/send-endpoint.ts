import { type AccessTokens, bearerOf } from '../kit/access-tokens.ts';
import type { Arrivals } from '../kit/arrivals.ts';
import type { Ending, HttpsRequest } from '../kit/https.ts';
import type { Allowance } from '../kit/rate-limit.ts';
import { type Json, parseObject, saysJson } from '../kit/read.ts';
import type { Receipts } from '../kit/receipts.ts';
import type { Tally } from '../kit/tally.ts';
import { batchFateOf } from '../kit/token-outcomes.ts';
import type { App, Apps } from './apps.ts';
import { type Arrival, biTagOf, isMarketing, taskOf } from './arrival.ts';
import { message } from './message-rules.ts';
import { DELIVERED } from './receipts.ts';
import { bareAnswer, type Code, newRequestId, refusal, resultAnswer } from './responses.ts';

export type Surroundings = {
  readonly apps: Apps;
  readonly accessTokens: AccessTokens;
  readonly marketingAllowance: Allowance;
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

/** The checks in the order of a service that asks who is there before it reads: path, bearer, time, body, tokens. */
export function serveSend(request: HttpsRequest, surroundings: Surroundings): Ending {
  const path = PATH.exec(request.path);
  if (path === null) return bareAnswer(404, 'Not Found');
  if (request.method !== 'POST') return bareAnswer(405, 'Method Not Allowed');
  const app = checkBearer(request, surroundings);
  if (typeof app === 'number') return refusal(app);
  if (path[1] !== app.appId) return refusal(80200001, 'the token is of another app');
  const timestamp = String(request.headers.timestamp);
  const isInTime = Math.abs(Number(timestamp) - Date.now()) <= surroundings.timestampToleranceMs;
  if (!TIMESTAMP.test(timestamp)) return refusal(80100001, 'timestamp must be a header of 13 digits');
  if (!isInTime) return refusal(80100001, 'timestamp is too far from now');
  if (!saysJson(request)) return refusal(80100003, 'Content-Type must be application/json');
  const body = parseObject(request.body);
  if (body === undefined) return refusal(80100003, 'the body must be a JSON object');
  const objection = checkBody(body);
  return objection === undefined ? deliver(app, body, surroundings) : refusal(...objection);
}

function checkBearer(request: HttpsRequest, { apps, accessTokens }: Surroundings): App | Code {
  const bearer = bearerOf(request.headers.authorization);
  const found = bearer === undefined ? undefined : accessTokens.check(bearer, Date.now());
  if (found?.kind === 'expired') return 80200003;
  return (found?.kind === 'known' ? apps.byClient(found.owner) : undefined) ?? 80200001;
}

function checkBody(body: Json): [Code, string] | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(withoutTokens(body)));
  if (bytes > BYTES_MAX) return [80300008, `${bytes} bytes`];
  const complaint = message(body, '');
  if (complaint !== undefined) {
    const { kind, path, text } = complaint;
    return [kind === 'shape' ? 80100003 : 80100001, `${path} ${text}`.trim()];
  }
  const count = tokensOf(body).length;
  return count < 1 || count > TOKENS_MAX ? [80300010, `${count} tokens`] : undefined;
}

function deliver({ appId }: App, body: Json, surroundings: Surroundings): Ending {
  const { arrivals, tally, receipts, marketingAllowance, slowMs } = surroundings;
  const tokens = tokensOf(body);
  const fate = batchFateOf(tokens);
  if (fate.whole === 'busy') {
    return bareAnswer(429, 'Too Many Requests', { 'retry-after': String(RETRY_AFTER_SECONDS) });
  }
  if (fate.whole === 'down') return bareAnswer(502, 'Bad Gateway');

  const at = Date.now();
  const isSpent = (token: string) => isMarketing(body) && !marketingAllowance.take(`${appId} ${token}`, 1, at);
  const spent = new Set(fate.reached.filter(isSpent));
  const reached = fate.reached.filter((token) => !spent.has(token));
  const requestId = newRequestId();
  const shown = withoutTokens(body);
  const facts = { vendor: 'honor', app_id: appId, request_id: requestId, tokens: tokens.length } as const;
  for (const token of reached) {
    arrivals.add({ ...facts, token, body: shown, at });
    tally.add(taskOf(body), token);
  }
  const biTag = biTagOf(body) ?? '';
  receipts.tell(reached.map((token) => ({ appId, token, biTag, requestId, status: DELIVERED, atMs: at })));
  const answer = resultAnswer({
    sendResult: reached.length > 0,
    requestId,
    failTokens: [...fate.failing, ...spent],
    expireTokens: fate.dead,
  });
  return { kind: 'answer', label: '200', answer, isCut: fate.isCut, ...(fate.isLate && { afterMs: slowMs }) };
}

/** The list may be long, and it counts neither for the size of a message nor for what a phone gets. */
function withoutTokens({ token: _token, ...body }: Json): Json {
  return body;
}

function tokensOf({ token }: Json): readonly string[] {
  return Array.isArray(token) ? (token as string[]) : [];
}
