import { createHash } from 'node:crypto';
import type { Arrivals } from '../kit/arrivals.ts';
import type { HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import type { RateLimit } from '../kit/rate-limit.ts';
import { asRecord, type Json, parseObject, readForm } from '../kit/read.ts';
import type { Receipts } from '../kit/receipts.ts';
import type { Tally } from '../kit/tally.ts';
import { batchOutcomeOf, isMalformed, isUnassignedToken } from '../kit/token-outcomes.ts';
import type { App, Apps } from './apps.ts';
import { type Arrival, paramOf, taskOf } from './arrival.ts';
import { findViolation } from './message-rules.ts';
import { receiptTypesOf } from './receipts.ts';
import { acceptance, newMessageId, plainResponse, rejection } from './responses.ts';

export type SendContext = {
  readonly apps: Apps;
  /** Limits the requests per app per second. */
  readonly requestLimit: RateLimit;
  /** Limits the messages per phone per minute. */
  readonly deviceLimit: RateLimit;
  /** Callback URLs for receipts that are registered in the console. */
  readonly callbacks: ReadonlySet<string>;
  /** Pictures that were uploaded to Meizu. */
  readonly pictures: Set<string>;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly receipts: Receipts;
  readonly slowMs: number;
};

const BASE = '/garcia/api/server/push/';
const TOKENS_MAX = 100;
const PICTURES_MAX = 10_000; // further uploads still return a URL, but messages with that URL are rejected

/** Checks a request in this order: path, app, signature, then the message. Authentication comes before the content. */
export function serveSend(request: HttpsRequest, context: SendContext): SimulatedResponse {
  if (request.path.startsWith(`${BASE}unvarnished/`)) return rejection('110053');
  const serve = { [`${BASE}varnished/pushByPushId`]: servePush, [`${BASE}uploadImg`]: serveUpload }[request.path];
  if (serve === undefined) return plainResponse(404, 'Not Found');
  if (request.method !== 'POST') return plainResponse(405, 'Method Not Allowed');
  const form = readForm(request);
  if (form === undefined) return rejection('1005', 'Content-Type must be application/x-www-form-urlencoded');
  const missing = ['appId', 'sign'].find((name) => !form.get(name));
  if (missing !== undefined) return rejection('110004', missing);
  const app = context.apps.get(form.get('appId') ?? '');
  if (app === undefined) return rejection('110000');
  if (form.get('sign') !== signOf(form, app.appSecret)) return rejection('1006');
  if (!context.requestLimit.take(app.appId, 1, Date.now())) return rejection('110010');
  return serve(app, form, context);
}

/** Returns the signature over all parameters except `sign`, decoded and sorted by name. */
function signOf(form: URLSearchParams, appSecret: string): string {
  const pairs = [...form].filter(([name]) => name !== 'sign').sort(([a], [b]) => (a < b ? -1 : 1));
  const signed = pairs.map(([name, value]) => `${name}=${value}`).join('');
  return createHash('md5').update(`${signed}${appSecret}`).digest('hex');
}

function servePush(app: App, form: URLSearchParams, context: SendContext): SimulatedResponse {
  const missing = ['pushIds', 'messageJson'].find((name) => !form.get(name));
  if (missing !== undefined) return rejection('110004', missing);
  const tokens = (form.get('pushIds') ?? '').split(',');
  if (tokens.length > TOKENS_MAX || tokens.some((token) => !/^\S+$/.test(token))) {
    return rejection('1005', `${tokens.length} pushIds`);
  }
  const packages = form.get('restrictedPackageNames')?.split(',') ?? [];
  if (packages.some((name) => !app.packageNames.includes(name))) return rejection('110031');
  const message = parseObject(Buffer.from(form.get('messageJson') ?? ''));
  if (message === undefined) return rejection('1005', 'messageJson must be a JSON object');
  const violation = findViolation(message);
  if (violation !== undefined) return rejection('1005', `${violation.path} ${violation.text}`);
  const reason = findRejectionReason(message, app, context);
  return reason === undefined ? deliver(app, message, tokens, context) : rejection('1005', reason);
}

/** Returns the reason for a rejection that depends on the app, the uploaded pictures or the registered callbacks. */
function findRejectionReason(message: Json, app: App, { pictures, callbacks }: SendContext): string | undefined {
  const { noticeExpandType, noticeExpandImgUrl } = asRecord(message.noticeExpandInfo);
  if (noticeExpandType === 2 && !app.isVip) return 'only VIP apps may use pictures';
  if (noticeExpandType === 2 && !pictures.has(String(noticeExpandImgUrl))) return 'the picture has not been uploaded';
  const { callback } = asRecord(message.extra);
  return callback === undefined || callbacks.has(String(callback)) ? undefined : 'the callback is not registered';
}

function deliver(app: App, body: Json, tokens: readonly string[], context: SendContext): SimulatedResponse {
  const { deviceLimit, arrivals, tally, receipts, slowMs } = context;
  if (tokens.some(isMalformed)) return rejection('110003');
  const outcome = batchOutcomeOf(tokens);
  if (outcome.wholeRequest === 'busy') return rejection('110010');
  if (outcome.wholeRequest === 'down') return plainResponse(500, 'Internal Server Error');
  const at = Date.now();
  const msgId = newMessageId(at, app.appId);
  const results = tokens.map((token) => ({ token, code: codeOf(token, body, deviceLimit, at) }));
  const reached = results.filter(({ code }) => code === undefined).map(({ token }) => token);
  const failed = Map.groupBy(
    results.filter(({ code }) => code !== undefined),
    ({ code }) => code,
  );
  const value = Object.fromEntries([...failed].map(([code, group]) => [code, group.map(({ token }) => token)]));
  const facts = { vendor: 'flyme', app_id: app.appId, msg_id: msgId, tokens: tokens.length } as const;
  for (const token of reached) {
    arrivals.add({ ...facts, token, body, at });
    tally.add(taskOf(body), token);
  }
  sendReceipts(receipts, body, reached, { appId: app.appId, biTag: paramOf(body), requestId: msgId, atMs: at });
  return { ...acceptance(msgId, value), isCut: outcome.isCut, ...(outcome.isLate && { afterMs: slowMs }) };
}

type MessageFacts = {
  readonly appId: string;
  readonly biTag: string;
  readonly requestId: string;
  readonly atMs: number;
};

/** Sends receipts to the callback URL in the message. Sends nothing if the message has no callback URL. */
function sendReceipts(receipts: Receipts, body: Json, reached: readonly string[], messageFacts: MessageFacts): void {
  const { callback, 'callback.type': requestedType } = asRecord(body.extra);
  if (typeof callback !== 'string') return;
  const entries = reached.flatMap((token) =>
    receiptTypesOf(token, requestedType).map((status) => ({ ...messageFacts, token, status })),
  );
  receipts.send(entries, callback);
}

/**
 * Returns the error code of one token, or undefined if the message is delivered. `capped-…` applies only to public
 * messages.
 */
function codeOf(token: string, body: Json, deviceLimit: RateLimit, nowMs: number): string | undefined {
  if (isUnassignedToken(token) || token.startsWith('foreign-')) return '110003';
  const isPrivate = asRecord(body.noticeBarInfo).noticeMsgType === 1;
  if (token.startsWith('capped-') && !isPrivate) return '110011';
  const code = { dead: '110002', muted: '110010', fail: '501', full: '519' }[/^(\w+)-/.exec(token)?.[1] ?? ''];
  return code ?? (deviceLimit.take(token, 1, nowMs) ? undefined : '520');
}

function serveUpload(_app: App, form: URLSearchParams, { pictures }: SendContext): SimulatedResponse {
  const { imgType, imgUrl } = Object.fromEntries(form);
  if (!imgType || !imgUrl) return rejection('110004', 'imgType and imgUrl');
  const url = `https://api-img.meizu.com/${createHash('md5').update(imgUrl).digest('hex')}.png`;
  if (pictures.size < PICTURES_MAX) pictures.add(url);
  return acceptance('', { imgType, imgUrl: url });
}
