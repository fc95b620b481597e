import type { AccessTokens } from '../kit/access-tokens.ts';
import type { Arrivals } from '../kit/arrivals.ts';
import type { HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import type { RateLimit } from '../kit/rate-limit.ts';
import { hasJsonContentType, type Json, parseObject } from '../kit/read.ts';
import type { Receipts } from '../kit/receipts.ts';
import type { Tally } from '../kit/tally.ts';
import { batchOutcomeOf, isUnassignedToken } from '../kit/token-outcomes.ts';
import type { Apps } from './apps.ts';
import { type Arrival, paramOf, taskOf } from './arrival.ts';
import { idOf } from './auth-endpoint.ts';
import { checkMessage, kindOf } from './message-rules.ts';
import { ackTypeOf } from './receipts.ts';
import { newTaskId, plainResponse, toResult } from './responses.ts';
import type { SavedMessages } from './saved-messages.ts';

export type SendContext = {
  readonly apps: Apps;
  readonly accessTokens: AccessTokens;
  readonly savedMessages: SavedMessages;
  /** Daily quotas for operational and for system messages. */
  readonly dailyQuotas: readonly [RateLimit, RateLimit];
  readonly listQuota: RateLimit;
  readonly sendLimit: RateLimit;
  /** Returns the simulated hour in Beijing, from 0 to 23. */
  readonly hour: () => number;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly receipts: Receipts;
  readonly slowMs: number;
};

const REGIDS_MIN = 2;
const REGIDS_MAX = 1000;
const MORNING = 7;
const NIGHT = 23;
const UNLIMITED = -1;

/** Checks a request in this order: path, token, body, phones. Authentication comes before the content. */
export function serveSend(request: HttpsRequest, context: SendContext): SimulatedResponse {
  if (request.path === '/report/getAppConfig') return serveConfig(request, context);
  const serve = {
    '/message/send': serveSingle,
    '/message/saveListPayload': serveSave,
    '/message/pushToList': servePush,
  }[request.path];
  if (serve === undefined) return plainResponse(404, 'Not Found');
  if (request.method !== 'POST') return plainResponse(405, 'Method Not Allowed');
  const appId = ownerOf(request, context);
  if (appId === undefined) return toResult(10000);
  const body = hasJsonContentType(request) ? parseObject(request.body) : undefined;
  if (body === undefined)
    return toResult(10800, {}, 'the body must be a JSON object with Content-Type application/json');
  return idOf(body.appId) === appId ? serve(appId, body, context) : toResult(10094);
}

function ownerOf({ headers }: HttpsRequest, { accessTokens }: SendContext): string | undefined {
  const tokenCheck = accessTokens.check(String(headers.authtoken), Date.now());
  return tokenCheck.kind === 'known' ? tokenCheck.owner : undefined;
}

function serveSingle(appId: string, body: Json, context: SendContext): SimulatedResponse {
  const rejection = checkMessage(body, false);
  if (rejection !== undefined) return toResult(rejection[0], {}, rejection[1]);
  const { regId, ...message } = body;
  const token = String(regId);
  return deliver(appId, message, [token], newTaskId(Date.now()), context, (invalid, taskId) => {
    const [user] = invalid;
    if (user === undefined) return toResult(0, { taskId });
    return user.status === 7 ? toResult(10311) : toResult(10302, { invalidUser: user });
  });
}

function serveSave(appId: string, body: Json, { savedMessages, listQuota }: SendContext): SimulatedResponse {
  const rejection = checkMessage(body, true);
  if (rejection !== undefined) return toResult(rejection[0], {}, rejection[1]);
  const now = Date.now();
  if (!listQuota.take(appId, 1, now)) return toResult(10252);
  const taskId = newTaskId(now);
  savedMessages.add(taskId, { appId, body });
  return toResult(0, { taskId });
}

function servePush(appId: string, body: Json, context: SendContext): SimulatedResponse {
  const { taskId, regIds, requestId, pushMode, appId: _, ...unknown } = body;
  const [key] = Object.keys(unknown);
  if (key !== undefined) return toResult(10800, {}, `${key} is unknown`);
  if (typeof requestId !== 'string' || requestId === '') return toResult(10352);
  if (requestId.length > 64) return toResult(10353);
  if (!Array.isArray(regIds)) return toResult(10150);
  const tokens = regIds.filter((each) => typeof each === 'string' && /^\S+$/.test(each)) as string[];
  if (tokens.length !== regIds.length) return toResult(10150, {}, 'each regId must be a string');
  if (tokens.length < REGIDS_MIN || tokens.length > REGIDS_MAX) return toResult(10153, {}, `${tokens.length}`);
  if (taskId === undefined || taskId === '') return toResult(10151);
  if (typeof taskId !== 'string' || !/^\d+$/.test(taskId)) return toResult(10152);
  const message = context.savedMessages.get(taskId);
  if (message?.appId !== appId) return toResult(10155);
  if (pushMode !== undefined && pushMode !== message.body.pushMode)
    return toResult(10800, {}, 'pushMode differs from the saved message');
  return deliver(appId, message.body, tokens, taskId, context, (invalidUsers) =>
    toResult(0, { requestId, ...(invalidUsers.length > 0 && { invalidUsers }) }),
  );
}

type InvalidUser = { readonly status: number; readonly userid: string };

function deliver(
  appId: string,
  body: Json,
  tokens: readonly string[],
  taskId: string,
  context: SendContext,
  toResponse: (invalid: readonly InvalidUser[], taskId: string) => SimulatedResponse & { kind: 'answer' },
): SimulatedResponse {
  const { sendLimit, dailyQuotas, hour, arrivals, tally, receipts, slowMs } = context;
  const at = Date.now();
  const isTest = body.pushMode === 1;
  const kind = kindOf(body);
  const outcome = batchOutcomeOf(tokens);
  if (outcome.wholeRequest === 'busy' || !sendLimit.take(appId, tokens.length, at)) return toResult(10072);
  if (outcome.wholeRequest === 'down') return plainResponse(500, 'Internal Server Error');
  if (kind === 0 && !isTest && (hour() < MORNING || hour() >= NIGHT)) return toResult(10071);
  const invalid = tokens.flatMap((token) => {
    const status = statusOf(token, isTest);
    return status === undefined ? [] : [{ status, userid: token }];
  });
  const unreached = new Set(invalid.map(({ userid }) => userid));
  const reached = tokens.filter((token) => !unreached.has(token));
  if (!dailyQuotas[kind].take(appId, reached.length, at)) return toResult(kind === 0 ? 10070 : 10073);

  const facts = { vendor: 'vivo', app_id: appId, task_id: taskId, tokens: tokens.length } as const;
  for (const token of reached) {
    arrivals.add({ ...facts, token, body, at });
    tally.add(taskOf(body), token);
  }
  const receiptFields = { appId, biTag: paramOf(body), requestId: taskId, atMs: at };
  for (const group of Map.groupBy(reached, ackTypeOf).entries()) {
    receipts.send(group[1].map((token) => ({ ...receiptFields, token, status: group[0] })));
  }
  return { ...toResponse(invalid, taskId), isCut: outcome.isCut, ...(outcome.isLate && { afterMs: slowMs }) };
}

/**
 * Returns vivo's status of an invalid token: 1 unknown to this app, 2 dead, 4 not a test device, 7 notifications
 * disabled.
 */
function statusOf(token: string, isTest: boolean): number | undefined {
  if (isUnassignedToken(token) || token.startsWith('foreign-')) return 1;
  if (token.startsWith('dead-')) return 2;
  if (isTest && token.startsWith('stray-')) return 4;
  return token.startsWith('muted-') ? 7 : undefined;
}

/** Returns the daily quotas and the remaining amounts, from the same counters that limit messages. */
function serveConfig(request: HttpsRequest, context: SendContext): SimulatedResponse {
  if (request.method !== 'GET') return plainResponse(405, 'Method Not Allowed');
  const appId = ownerOf(request, context);
  if (appId === undefined) return toResult(10000);
  if (request.query.get('appId') !== appId) return toResult(10094);
  const {
    dailyQuotas: [operational, system],
    listQuota,
  } = context;
  const now = Date.now();
  const count = (value: number) => (value === Number.POSITIVE_INFINITY ? UNLIMITED : value);
  return toResult(0, {
    marketMsgCount: count(operational.max),
    remainMarketMsgCount: count(operational.remaining(appId, now)),
    sysMsgCount: count(system.max),
    remainSysMsgCount: count(system.remaining(appId, now)),
    groupMsgBodyCount: count(listQuota.max),
  });
}
