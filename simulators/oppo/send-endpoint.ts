import type { AccessTokens } from '../kit/access-tokens.ts';
import type { Arrivals } from '../kit/arrivals.ts';
import type { Ending, HttpsRequest } from '../kit/https.ts';
import { asRecord, type Json, parseObject, readForm } from '../kit/read.ts';
import type { Receipts } from '../kit/receipts.ts';
import type { Tally } from '../kit/tally.ts';
import { batchFateOf } from '../kit/token-outcomes.ts';
import type { App, Apps } from './apps.ts';
import { type Arrival, taskOf } from './arrival.ts';
import type { Repeats } from './duplicate-filter.ts';
import { objectionTo } from './message-rules.ts';
import { eventOf } from './receipts.ts';
import { errorAnswer, failedItem, type Item, newMessageId, type Objection, refusal, success } from './responses.ts';

export type Surroundings = {
  readonly apps: Apps;
  readonly accessTokens: AccessTokens;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly receipts: Receipts;
  readonly repeats: Repeats;
  readonly slowMs: number;
};

const UNICAST = '/server/v1/message/notification/unicast';
const BATCH = '/server/v1/message/notification/unicast_batch';
const ENTRIES_MAX = 1000;

/** The checks in the order of a service that asks who is there before it reads: path, token, list, then the entries. */
export function serveSend(request: HttpsRequest, surroundings: Surroundings): Ending {
  if (request.path !== UNICAST && request.path !== BATCH) return refusal(22, 'there is no such interface');
  if (request.method !== 'POST') return refusal(12);
  const form = readForm(request);
  if (form === undefined) return refusal(25, 'Content-Type must be application/x-www-form-urlencoded');
  const token = form.get('auth_token') ?? '';
  if (token === '') return refusal(29);
  const found = surroundings.accessTokens.check(token, Date.now());
  const app = found.kind === 'known' ? surroundings.apps.byKey(found.owner) : undefined;
  if (app === undefined) return refusal(11);
  const isBatch = request.path === BATCH;
  const given = form.get(isBatch ? 'messages' : 'message');
  if (!given) return refusal(40, isBatch ? 'messages' : 'message');
  const entries = readEntries(given, isBatch);
  if (entries === undefined) return refusal(41, 'it is not JSON of the right kind');
  if (entries.length === 0) return refusal(40, 'there is no entry');
  if (entries.length > ENTRIES_MAX) return refusal(41, `more than ${ENTRIES_MAX} entries`);
  return deliver(app, entries, isBatch, surroundings);
}

export function flowControl(headers: Readonly<Record<string, string>> = {}): Ending & { kind: 'answer' } {
  return { kind: 'answer', label: '200 -2', answer: errorAnswer(-2, undefined, headers) };
}

function deliver(app: App, entries: readonly Json[], isBatch: boolean, surroundings: Surroundings): Ending {
  const fate = batchFateOf(entries.map(tokenOf));
  if (fate.whole === 'busy') return flowControl();
  if (fate.whole === 'down') return { kind: 'answer', label: '500', answer: { status: 500, body: 'Server Error' } };
  const dead = new Set(fate.dead);
  const items = entries.map((entry): Item => {
    const token = tokenOf(entry);
    const objection = objectionTo(entry) ?? (dead.has(token) ? DEAD : undefined);
    return objection === undefined
      ? deliverOne(app, entry, entries.length, surroundings)
      : failedItem(token, objection);
  });
  const ending = isBatch ? success(items) : single(items[0] as Item);
  return { ...ending, isCut: fate.isCut, ...(fate.isLate && { afterMs: surroundings.slowMs }) };
}

const DEAD: Objection = [10000, 'nobody has it'];

/** What was given before for the same token is not given to the phone again. */
function deliverOne({ appId }: App, entry: Json, tokens: number, surroundings: Surroundings): Item {
  const { arrivals, tally, receipts, repeats } = surroundings;
  const { target_value: _token, ...body } = entry;
  const token = tokenOf(entry);
  const requestId = newMessageId(appId);
  const { app_message_id, call_back_url, call_back_parameter } = asRecord(body.notification);
  const repeat = repeats.judge(`${appId} ${token}`, app_message_id);
  if (repeat === 'refused') return failedItem(token, [32, 'app_message_id']);
  const item = { messageId: requestId, registrationId: token };
  if (repeat === 'dropped') return item;
  const at = Date.now();
  arrivals.add({ vendor: 'oppo', app_id: appId, token, request_id: requestId, tokens, body, at });
  tally.add(taskOf(body), token);
  const biTag = String(call_back_parameter ?? '');
  const url = typeof call_back_url === 'string' ? call_back_url : undefined;
  receipts.tell([{ appId, token, biTag, requestId, status: eventOf(token), atMs: at }], url);
  return item;
}

/** One alone has its failure in the code of the answer. */
function single({ messageId, errorCode, errorMessage }: Item): Ending & { kind: 'answer' } {
  if (errorCode === undefined) return success({ messageId });
  return { kind: 'answer', label: `200 ${errorCode}`, answer: errorAnswer(errorCode, errorMessage) };
}

function readEntries(given: string, isBatch: boolean): readonly Json[] | undefined {
  const parsed = parseObject(Buffer.from(isBatch ? `{"entries":${given}}` : given));
  if (parsed === undefined || !isBatch) return parsed && [parsed];
  return Array.isArray(parsed.entries) ? parsed.entries.map(asRecord) : undefined;
}

const tokenOf = (entry: Json): string => String(entry.target_value ?? '');
