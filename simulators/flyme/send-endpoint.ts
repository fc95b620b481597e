import { createHash } from 'node:crypto';
import type { Arrivals } from '../kit/arrivals.ts';
import type { Ending, HttpsRequest } from '../kit/https.ts';
import type { Allowance } from '../kit/rate-limit.ts';
import { asRecord, type Json, parseObject, readForm } from '../kit/read.ts';
import type { Receipts } from '../kit/receipts.ts';
import type { Tally } from '../kit/tally.ts';
import { batchFateOf, isNobody } from '../kit/token-outcomes.ts';
import type { App, Apps } from './apps.ts';
import { type Arrival, paramOf, taskOf } from './arrival.ts';
import { complaintOf } from './message-rules.ts';
import { typesOf } from './receipts.ts';
import { accepted, bareAnswer, newMessageId, refused } from './responses.ts';

export type Surroundings = {
  readonly apps: Apps;
  /** Requests of an app in a second. */
  readonly requests: Allowance;
  /** Messages to a phone in a minute. */
  readonly folding: Allowance;
  /** Addresses for receipts that the console knows. */
  readonly callbacks: ReadonlySet<string>;
  /** Pictures that are at Meizu's own place. */
  readonly pictures: Set<string>;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly receipts: Receipts;
  readonly slowMs: number;
};

const BASE = '/garcia/api/server/push/';
const TOKENS_MAX = 100;
const PICTURES_MAX = 10_000; // more are still given an address, which then is not known

/** The checks in the order of a service that asks who is there before it reads: path, app, signature, then the rest. */
export function serveSend(request: HttpsRequest, surroundings: Surroundings): Ending {
  if (request.path.startsWith(`${BASE}unvarnished/`)) return refused('110053');
  const serve = { [`${BASE}varnished/pushByPushId`]: servePush, [`${BASE}uploadImg`]: serveUpload }[request.path];
  if (serve === undefined) return bareAnswer(404, 'Not Found');
  if (request.method !== 'POST') return bareAnswer(405, 'Method Not Allowed');
  const form = readForm(request);
  if (form === undefined) return refused('1005', 'the body must be a form that says so');
  const missing = ['appId', 'sign'].find((name) => !form.get(name));
  if (missing !== undefined) return refused('110004', missing);
  const app = surroundings.apps.get(form.get('appId') ?? '');
  if (app === undefined) return refused('110000');
  if (form.get('sign') !== signOf(form, app.appSecret)) return refused('1006');
  if (!surroundings.requests.take(app.appId, 1, Date.now())) return refused('110010');
  return serve(app, form, surroundings);
}

/** Over every parameter but the signature, as they are without the form around them, by name. */
function signOf(form: URLSearchParams, appSecret: string): string {
  const pairs = [...form].filter(([name]) => name !== 'sign').sort(([one], [other]) => (one < other ? -1 : 1));
  const signed = pairs.map(([name, value]) => `${name}=${value}`).join('');
  return createHash('md5').update(`${signed}${appSecret}`).digest('hex');
}

function servePush(app: App, form: URLSearchParams, surroundings: Surroundings): Ending {
  const missing = ['pushIds', 'messageJson'].find((name) => !form.get(name));
  if (missing !== undefined) return refused('110004', missing);
  const tokens = (form.get('pushIds') ?? '').split(',');
  if (tokens.length > TOKENS_MAX || tokens.some((token) => !/^\S+$/.test(token))) {
    return refused('1005', `${tokens.length} pushIds`);
  }
  const packages = form.get('restrictedPackageNames')?.split(',') ?? [];
  if (packages.some((name) => !app.packageNames.includes(name))) return refused('110031');
  const message = parseObject(Buffer.from(form.get('messageJson') ?? ''));
  if (message === undefined) return refused('1005', 'messageJson must be a JSON object');
  const complaint = complaintOf(message);
  if (complaint !== undefined) return refused('1005', `${complaint.path} ${complaint.text}`);
  const objection = objectionTo(message, app, surroundings);
  return objection === undefined ? deliver(app, message, tokens, surroundings) : refused('1005', objection);
}

/** What depends on more than the message. */
function objectionTo(message: Json, app: App, { pictures, callbacks }: Surroundings): string | undefined {
  const { noticeExpandType, noticeExpandImgUrl } = asRecord(message.noticeExpandInfo);
  if (noticeExpandType === 2 && !app.isVip) return 'pictures are for VIP apps';
  if (noticeExpandType === 2 && !pictures.has(String(noticeExpandImgUrl))) return 'the picture was not uploaded';
  const { callback } = asRecord(message.extra);
  return callback === undefined || callbacks.has(String(callback)) ? undefined : 'the callback is not registered';
}

function deliver(app: App, body: Json, tokens: readonly string[], surroundings: Surroundings): Ending {
  const { folding, arrivals, tally, receipts, slowMs } = surroundings;
  const fate = batchFateOf(tokens);
  if (fate.whole === 'busy') return refused('110010');
  if (fate.whole === 'down') return bareAnswer(500, 'Internal Server Error');
  const at = Date.now();
  const msgId = newMessageId(at, app.appId);
  const judged = tokens.map((token) => ({ token, code: codeOf(token, body, folding, at) }));
  const reached = judged.filter(({ code }) => code === undefined).map(({ token }) => token);
  const failed = Map.groupBy(
    judged.filter(({ code }) => code !== undefined),
    ({ code }) => code,
  );
  const value = Object.fromEntries([...failed].map(([code, group]) => [code, group.map(({ token }) => token)]));
  const facts = { vendor: 'flyme', app_id: app.appId, msg_id: msgId, tokens: tokens.length } as const;
  for (const token of reached) {
    arrivals.add({ ...facts, token, body, at });
    tally.add(taskOf(body), token);
  }
  tell(receipts, body, reached, { appId: app.appId, biTag: paramOf(body), requestId: msgId, atMs: at });
  return { ...accepted(msgId, value), isCut: fate.isCut, ...(fate.isLate && { afterMs: slowMs }) };
}

type About = { readonly appId: string; readonly biTag: string; readonly requestId: string; readonly atMs: number };

/** Only what asks for it is told, and where it says. */
function tell(receipts: Receipts, body: Json, reached: readonly string[], about: About): void {
  const { callback, 'callback.type': asked } = asRecord(body.extra);
  if (typeof callback !== 'string') return;
  const told = reached.flatMap((token) => typesOf(token, asked).map((status) => ({ ...about, token, status })));
  receipts.tell(told, callback);
}

/** Why this phone alone gets nothing. A cap is for public messages. */
function codeOf(token: string, body: Json, folding: Allowance, nowMs: number): string | undefined {
  if (isNobody(token) || token.startsWith('foreign-')) return '110003';
  const isPrivate = asRecord(body.noticeBarInfo).noticeMsgType === 1;
  if (token.startsWith('capped-') && !isPrivate) return '110011';
  const code = { dead: '110002', muted: '110010', fail: '501', full: '519' }[/^(\w+)-/.exec(token)?.[1] ?? ''];
  return code ?? (folding.take(token, 1, nowMs) ? undefined : '520');
}

function serveUpload(_app: App, form: URLSearchParams, { pictures }: Surroundings): Ending {
  const { imgType, imgUrl } = Object.fromEntries(form);
  if (!imgType || !imgUrl) return refused('110004', 'imgType and imgUrl');
  const url = `https://api-img.meizu.com/${createHash('md5').update(imgUrl).digest('hex')}.png`;
  if (pictures.size < PICTURES_MAX) pictures.add(url);
  return accepted('', { imgType, imgUrl: url });
}
