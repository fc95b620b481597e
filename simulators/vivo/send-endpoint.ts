import type { AccessTokens } from '../kit/access-tokens.ts';
import type { Arrivals } from '../kit/arrivals.ts';
import type { Ending, HttpsRequest } from '../kit/https.ts';
import type { Allowance } from '../kit/rate-limit.ts';
import { type Json, parseObject, saysJson } from '../kit/read.ts';
import type { Receipts } from '../kit/receipts.ts';
import type { Tally } from '../kit/tally.ts';
import { batchFateOf, isNobody } from '../kit/token-outcomes.ts';
import type { Apps } from './apps.ts';
import { type Arrival, paramOf, taskOf } from './arrival.ts';
import { idOf } from './auth-endpoint.ts';
import { checkMessage, kindOf } from './message-rules.ts';
import { ackTypeOf } from './receipts.ts';
import { bareAnswer, ended, newTaskId } from './responses.ts';
import type { SavedMessages } from './saved-messages.ts';

export type Surroundings = {
  readonly apps: Apps;
  readonly accessTokens: AccessTokens;
  readonly saved: SavedMessages;
  /** By kind of message: operational, system. */
  readonly daily: readonly [Allowance, Allowance];
  readonly lists: Allowance;
  readonly speed: Allowance;
  /** The hour in Beijing, from 0 to 23. */
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

/** The checks in the order of a service that asks who is there before it reads: path, token, body, then the phones. */
export function serveSend(request: HttpsRequest, surroundings: Surroundings): Ending {
  if (request.path === '/report/getAppConfig') return serveConfig(request, surroundings);
  const serve = {
    '/message/send': serveSingle,
    '/message/saveListPayload': serveSave,
    '/message/pushToList': servePush,
  }[request.path];
  if (serve === undefined) return bareAnswer(404, 'Not Found');
  if (request.method !== 'POST') return bareAnswer(405, 'Method Not Allowed');
  const appId = ownerOf(request, surroundings);
  if (appId === undefined) return ended(10000);
  const body = saysJson(request) ? parseObject(request.body) : undefined;
  if (body === undefined) return ended(10800, {}, 'the body must be a JSON object that says so');
  return idOf(body.appId) === appId ? serve(appId, body, surroundings) : ended(10094);
}

function ownerOf({ headers }: HttpsRequest, { accessTokens }: Surroundings): string | undefined {
  const found = accessTokens.check(String(headers.authtoken), Date.now());
  return found.kind === 'known' ? found.owner : undefined;
}

function serveSingle(appId: string, body: Json, surroundings: Surroundings): Ending {
  const objection = checkMessage(body, false);
  if (objection !== undefined) return ended(objection[0], {}, objection[1]);
  const { regId, ...message } = body;
  const token = String(regId);
  return deliver(appId, message, [token], newTaskId(Date.now()), surroundings, (invalid, taskId) => {
    const [user] = invalid;
    if (user === undefined) return ended(0, { taskId });
    return user.status === 7 ? ended(10311) : ended(10302, { invalidUser: user });
  });
}

function serveSave(appId: string, body: Json, { saved, lists }: Surroundings): Ending {
  const objection = checkMessage(body, true);
  if (objection !== undefined) return ended(objection[0], {}, objection[1]);
  const now = Date.now();
  if (!lists.take(appId, 1, now)) return ended(10252);
  const taskId = newTaskId(now);
  saved.add(taskId, { appId, body });
  return ended(0, { taskId });
}

function servePush(appId: string, body: Json, surroundings: Surroundings): Ending {
  const { taskId, regIds, requestId, pushMode, appId: _, ...unknown } = body;
  const [key] = Object.keys(unknown);
  if (key !== undefined) return ended(10800, {}, `${key} is not known`);
  if (typeof requestId !== 'string' || requestId === '') return ended(10352);
  if (requestId.length > 64) return ended(10353);
  if (!Array.isArray(regIds)) return ended(10150);
  const tokens = regIds.filter((each) => typeof each === 'string' && /^\S+$/.test(each)) as string[];
  if (tokens.length !== regIds.length) return ended(10150, {}, 'each must be a text');
  if (tokens.length < REGIDS_MIN || tokens.length > REGIDS_MAX) return ended(10153, {}, `${tokens.length}`);
  if (taskId === undefined || taskId === '') return ended(10151);
  if (typeof taskId !== 'string' || !/^\d+$/.test(taskId)) return ended(10152);
  const message = surroundings.saved.get(taskId);
  if (message?.appId !== appId) return ended(10155);
  if (pushMode !== undefined && pushMode !== message.body.pushMode) return ended(10800, {}, 'another pushMode');
  return deliver(appId, message.body, tokens, taskId, surroundings, (invalidUsers) =>
    ended(0, { requestId, ...(invalidUsers.length > 0 && { invalidUsers }) }),
  );
}

type InvalidUser = { readonly status: number; readonly userid: string };

function deliver(
  appId: string,
  body: Json,
  tokens: readonly string[],
  taskId: string,
  surroundings: Surroundings,
  answer: (invalid: readonly InvalidUser[], taskId: string) => Ending & { kind: 'answer' },
): Ending {
  const { speed, daily, hour, arrivals, tally, receipts, slowMs } = surroundings;
  const at = Date.now();
  const isTest = body.pushMode === 1;
  const kind = kindOf(body);
  const fate = batchFateOf(tokens);
  if (fate.whole === 'busy' || !speed.take(appId, tokens.length, at)) return ended(10072);
  if (fate.whole === 'down') return bareAnswer(500, 'Internal Server Error');
  if (kind === 0 && !isTest && (hour() < MORNING || hour() >= NIGHT)) return ended(10071);
  const invalid = tokens.flatMap((token) => {
    const status = statusOf(token, isTest);
    return status === undefined ? [] : [{ status, userid: token }];
  });
  const unreached = new Set(invalid.map(({ userid }) => userid));
  const reached = tokens.filter((token) => !unreached.has(token));
  if (!daily[kind].take(appId, reached.length, at)) return ended(kind === 0 ? 10070 : 10073);

  const facts = { vendor: 'vivo', app_id: appId, task_id: taskId, tokens: tokens.length } as const;
  for (const token of reached) {
    arrivals.add({ ...facts, token, body, at });
    tally.add(taskOf(body), token);
  }
  const told = { appId, biTag: paramOf(body), requestId: taskId, atMs: at };
  for (const group of Map.groupBy(reached, ackTypeOf).entries()) {
    receipts.tell(group[1].map((token) => ({ ...told, token, status: group[0] })));
  }
  return { ...answer(invalid, taskId), isCut: fate.isCut, ...(fate.isLate && { afterMs: slowMs }) };
}

/** 1 unknown to this app, 2 gone, 4 no phone for tests, 7 notifications are off. */
function statusOf(token: string, isTest: boolean): number | undefined {
  if (isNobody(token) || token.startsWith('foreign-')) return 1;
  if (token.startsWith('dead-')) return 2;
  if (isTest && token.startsWith('stray-')) return 4;
  return token.startsWith('muted-') ? 7 : undefined;
}

/** What is left of the day, as the counters that refuse have it. */
function serveConfig(request: HttpsRequest, surroundings: Surroundings): Ending {
  if (request.method !== 'GET') return bareAnswer(405, 'Method Not Allowed');
  const appId = ownerOf(request, surroundings);
  if (appId === undefined) return ended(10000);
  if (request.query.get('appId') !== appId) return ended(10094);
  const {
    daily: [operational, system],
    lists,
  } = surroundings;
  const now = Date.now();
  const count = (value: number) => (value === Number.POSITIVE_INFINITY ? UNLIMITED : value);
  return ended(0, {
    marketMsgCount: count(operational.max),
    remainMarketMsgCount: count(operational.left(appId, now)),
    sysMsgCount: count(system.max),
    remainSysMsgCount: count(system.left(appId, now)),
    groupMsgBodyCount: count(lists.max),
  });
}
