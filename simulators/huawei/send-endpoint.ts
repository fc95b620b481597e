import type { AccessTokens } from '../kit/access-tokens.ts';
import type { Arrivals } from '../kit/arrivals.ts';
import type { Answer, Ending, HttpsRequest } from '../kit/https.ts';
import type { Allowance } from '../kit/rate-limit.ts';
import { asRecord, type Json, parseObject, saysJson } from '../kit/read.ts';
import type { Receipts } from '../kit/receipts.ts';
import type { Complaint } from '../kit/shape.ts';
import type { Tally } from '../kit/tally.ts';
import { batchFateOf } from '../kit/token-outcomes.ts';
import type { App, Apps } from './apps.ts';
import { type Arrival, biTagOf, taskOf } from './arrival.ts';
import { checkBearer } from './check-bearer.ts';
import { envelope } from './message-rules.ts';
import { statusOf } from './receipts.ts';
import { answerOf, bareAnswer, type Code, newRequestId, partialAnswer, refusal } from './responses.ts';

export type Surroundings = {
  readonly apps: Apps;
  readonly accessTokens: AccessTokens;
  readonly sendAllowance: Allowance;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly receipts: Receipts;
  readonly slowMs: number;
};

const PATH = /^\/v([12])\/([^/]+)\/messages:send$/;
const TOKENS_MAX = 1000;
const BYTES_MAX = 4096;
export const RETRY_AFTER_SECONDS = 7;

/** The checks in the order of a service that asks who is there before it reads: path, bearer, body, then the tokens. */
export function serveSend(request: HttpsRequest, surroundings: Surroundings): Ending {
  const path = PATH.exec(request.path);
  if (path === null) return bareAnswer(404, 'Not Found');
  if (request.method !== 'POST') return bareAnswer(405, 'Method Not Allowed');
  const [, version, id] = path;
  const app = checkBearer(request, surroundings, Date.now());
  if (typeof app === 'string') return refusal(app);
  if (id !== (version === '1' ? app.appId : app.projectId)) return refusal('80200001', 'the token is of another app');
  if (!saysJson(request)) return refusal('80100003', 'Content-Type must be application/json');
  const body = parseObject(request.body);
  if (body === undefined) return refusal('80100003', 'the body must be a JSON object');
  const objection = checkBody(body);
  if (objection !== undefined) return refusal(...objection);

  const tokens = tokensOf(body);
  if (body.validate_only === true || tokens.length === 0) return success(newRequestId(Date.now()));
  if (!surroundings.sendAllowance.take(app.appId, tokens.length, Date.now())) return flowControl();
  return deliver(app, body, tokens, surroundings);
}

function checkBody(body: Json): [Code, string] | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(withoutTokens(body)));
  if (bytes > BYTES_MAX) return ['80300008', `${bytes} bytes`];
  if (body.message === undefined) return ['80100003', 'message is missing'];
  const complaint = envelope(body, '');
  if (complaint !== undefined) return [codeOf(complaint), `${complaint.path} ${complaint.text}`];
  const { token, topic, condition, android } = asRecord(body.message);
  const targets = [token, topic, condition].filter((target) => target !== undefined).length;
  if (targets > 1) return ['80100001', 'token, topic and condition exclude each other'];
  const isCounted = topic === undefined && condition === undefined;
  const count = tokensOf(body).length;
  if (isCounted && (count < 1 || count > TOKENS_MAX)) return ['80300010', `${count} tokens`];
  return asRecord(android).urgency === 'HIGH' ? ['80300011', 'urgency HIGH'] : undefined;
}

function codeOf({ path, kind }: Complaint): Code {
  if (path === 'message.android.collapse_key') return '80100013';
  return kind === 'shape' ? '80100003' : '80100001';
}

function deliver(app: App, body: Json, tokens: readonly string[], surroundings: Surroundings): Ending {
  const { arrivals, tally, receipts, slowMs } = surroundings;
  const fate = batchFateOf(tokens);
  if (fate.whole === 'busy') return flowControl();
  if (fate.whole === 'down') return bareAnswer(500, 'Internal Server Error');
  const illegal = new Set(fate.dead);
  const reached = tokens.filter((token) => !illegal.has(token));
  if (reached.length === 0) return refusal('80300007');

  const at = Date.now();
  const requestId = newRequestId(at);
  const shown = withoutTokens(body);
  const facts = { vendor: 'huawei', app_id: app.appId, request_id: requestId, tokens: tokens.length } as const;
  for (const token of reached) {
    arrivals.add({ ...facts, token, body: shown, at });
    tally.add(taskOf(body), token);
  }
  const biTag = biTagOf(body) ?? '';
  const { appId } = app;
  receipts.tell(reached.map((token) => ({ appId, token, biTag, requestId, status: statusOf(token), atMs: at })));
  const ending =
    fate.dead.length === 0
      ? success(requestId)
      : answered('200 80100000', partialAnswer(reached.length, fate.dead, requestId));
  return { ...ending, isCut: fate.isCut, ...(fate.isLate && { afterMs: slowMs }) };
}

function success(requestId: string): Ending & { kind: 'answer' } {
  return answered('200 80000000', answerOf('80000000', requestId));
}

function answered(label: string, answer: Answer): Ending & { kind: 'answer' } {
  return { kind: 'answer', label, answer };
}

function flowControl(): Ending {
  return bareAnswer(503, 'Service Unavailable', { 'retry-after': String(RETRY_AFTER_SECONDS) });
}

/** The list may be long, and it counts neither for the size of a message nor for what a phone gets. */
function withoutTokens(body: Json): Json {
  const { token: _token, ...message } = asRecord(body.message);
  return { ...body, message };
}

function tokensOf(body: Json): readonly string[] {
  const { token } = asRecord(body.message);
  return Array.isArray(token) ? (token as string[]) : [];
}
