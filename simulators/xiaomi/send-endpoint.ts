import type { Arrivals } from '../kit/arrivals.ts';
import type { HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import { readForm } from '../kit/read.ts';
import type { Receipts } from '../kit/receipts.ts';
import type { Tally } from '../kit/tally.ts';
import { batchOutcomeOf, hasOutcomePrefix, isMalformed, isUnassignedToken } from '../kit/token-outcomes.ts';
import type { App, Apps } from './apps.ts';
import { type Arrival, type Form, taskOf } from './arrival.ts';
import { findRejection, receiptFlagsOf } from './message-rules.ts';
import { receiptTypeOf } from './receipts.ts';
import { errorResponse, newMessageId, rejection, successResponse } from './responses.ts';
import type { ShownMessages } from './shown-messages.ts';

export type SendContext = {
  readonly apps: Apps;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly receipts: Receipts;
  readonly shownMessages: ShownMessages;
  readonly slowMs: number;
};

const PATH = /^\/v[23]\/message\/regid$/;
/** Format of a token (base64). A `+` that is not form-encoded is decoded as a space, which makes the token invalid. */
const TOKEN = /^[A-Za-z0-9+/=_.-]+$/;

/** Checks a request in this order: path, secret, form, tokens. Authentication comes before the content. */
export function serveSend(request: HttpsRequest, context: SendContext): SimulatedResponse {
  if (!PATH.test(request.path)) return rejection(10020, 'API not found');
  if (request.method !== 'POST') return rejection(10021, 'HTTP method is not supported');
  const app = appOf(request, context);
  if (app === undefined) return rejection(21301, 'Invalid application secret.');
  const fields = readForm(request);
  if (fields === undefined) return rejection(10007, 'Content-Type must be application/x-www-form-urlencoded');
  const form = Object.fromEntries(fields);
  const rejectionArguments = findRejection(form, app);
  return rejectionArguments === undefined ? deliver(app, form, context) : rejection(...rejectionArguments);
}

/** Returns the app whose secret the request contains. */
export function appOf({ headers }: HttpsRequest, { apps }: SendContext): App | undefined {
  const [, secret] = /^key=(\S+)$/.exec(String(headers.authorization)) ?? [];
  return apps.bySecret(secret ?? '');
}

export function serverError(): SimulatedResponse {
  return { kind: 'answer', label: '500', response: { status: 500, body: 'Server Error' } };
}

export function rateLimitExceeded(
  headers: Readonly<Record<string, string>> = {},
): SimulatedResponse & { kind: 'answer' } {
  return { kind: 'answer', label: '200 200002', response: errorResponse(200002, 'QPS quota exceeded', headers) };
}

function deliver({ appId }: App, { registration_id = '', ...body }: Form, context: SendContext): SimulatedResponse {
  const { arrivals, tally, shownMessages, slowMs } = context;
  const tokens = registration_id.split(',');
  if (tokens.some(isMalformed)) return rejection(66007, 'a regid is malformed');
  const outcome = batchOutcomeOf(tokens);
  if (outcome.wholeRequest === 'busy') return rateLimitExceeded();
  if (outcome.wholeRequest === 'down') return serverError();
  const dead = new Set(outcome.dead);
  const isValidToken = (token: string) => hasOutcomePrefix(token) || isUnassignedToken(token) || TOKEN.test(token);
  const reached = tokens.filter((token) => !dead.has(token) && isValidToken(token));
  if (reached.length === 0) return rejection(20301, 'No valid targets!');

  const at = Date.now();
  const requestId = newMessageId(at);
  const facts = { vendor: 'xiaomi', app_id: appId, request_id: requestId, tokens: tokens.length, body, at } as const;
  for (const token of reached) {
    const isShown = shownMessages.isFirst(`${appId} ${token}`, body['extra.jobkey']);
    arrivals.add({ ...facts, token, is_shown: isShown });
    tally.add(taskOf(body), token);
  }
  sendReceipts(appId, reached, requestId, body, context);
  const validTokens = new Set(reached);
  const invalidTokens = tokens.filter((token) => !validTokens.has(token));
  const response = successResponse(requestId, reached.length, invalidTokens);
  return { kind: 'answer', label: '200 0', response, isCut: outcome.isCut, ...(outcome.isLate && { afterMs: slowMs }) };
}

/**
 * Sends receipts, each type in a separate request. If the message has a callback URL, only the types that it requests
 * are sent.
 */
function sendReceipts(
  appId: string,
  tokens: readonly string[],
  requestId: string,
  body: Form,
  { receipts }: SendContext,
): void {
  const flags = receiptFlagsOf(body);
  const biTag = body['extra.callback.param'] ?? '';
  const entries = tokens.map((token) => ({
    appId,
    token,
    biTag,
    requestId,
    status: receiptTypeOf(token),
    atMs: Date.now(),
  }));
  for (const [type, group] of Map.groupBy(entries, ({ status }) => status)) {
    if (flags & type || body['extra.callback'] === undefined) receipts.send(group, body['extra.callback']);
  }
}
