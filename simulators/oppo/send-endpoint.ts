import type { AccessTokens } from '../kit/access-tokens.ts';
import type { Arrivals } from '../kit/arrivals.ts';
import type { HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import { asRecord, type Json, parseObject, readForm } from '../kit/read.ts';
import type { Receipts } from '../kit/receipts.ts';
import type { Tally } from '../kit/tally.ts';
import { batchOutcomeOf, isMalformed } from '../kit/token-outcomes.ts';
import type { App, Apps } from './apps.ts';
import { type Arrival, taskOf } from './arrival.ts';
import type { DuplicateFilter } from './duplicate-filter.ts';
import { findRejection } from './message-rules.ts';
import { eventOf } from './receipts.ts';
import { errorResponse, failedItem, type Item, newMessageId, type Rejection, rejection, success } from './responses.ts';

export type SendContext = {
  readonly apps: Apps;
  readonly accessTokens: AccessTokens;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly receipts: Receipts;
  readonly duplicates: DuplicateFilter;
  readonly slowMs: number;
};

const UNICAST = '/server/v1/message/notification/unicast';
const BATCH = '/server/v1/message/notification/unicast_batch';
const ENTRIES_MAX = 1000;

/** Checks a request in this order: path, token, list, entries. Authentication comes before the content. */
export function serveSend(request: HttpsRequest, context: SendContext): SimulatedResponse {
  if (request.path !== UNICAST && request.path !== BATCH) return rejection(22, 'unknown path');
  if (request.method !== 'POST') return rejection(12);
  const form = readForm(request);
  if (form === undefined) return rejection(25, 'Content-Type must be application/x-www-form-urlencoded');
  const token = form.get('auth_token') ?? '';
  if (token === '') return rejection(29);
  const tokenCheck = context.accessTokens.check(token, Date.now());
  const app = tokenCheck.kind === 'known' ? context.apps.byKey(tokenCheck.owner) : undefined;
  if (app === undefined) return rejection(11);
  const isBatch = request.path === BATCH;
  const entriesJson = form.get(isBatch ? 'messages' : 'message');
  if (!entriesJson) return rejection(40, isBatch ? 'messages' : 'message');
  const entries = readEntries(entriesJson, isBatch);
  if (entries === undefined) return rejection(41, 'the messages are not valid JSON or not of the expected type');
  if (entries.length === 0) return rejection(40, 'the list has no entries');
  if (entries.length > ENTRIES_MAX) return rejection(41, `more than ${ENTRIES_MAX} entries`);
  return deliver(app, entries, isBatch, context);
}

export function flowControl(headers: Readonly<Record<string, string>> = {}): SimulatedResponse & { kind: 'answer' } {
  return { kind: 'answer', label: '200 -2', response: errorResponse(-2, undefined, headers) };
}

function deliver(app: App, entries: readonly Json[], isBatch: boolean, context: SendContext): SimulatedResponse {
  if (entries.map(tokenOf).some(isMalformed)) return rejection(10000, 'a registration_id is malformed');
  const outcome = batchOutcomeOf(entries.map(tokenOf));
  if (outcome.wholeRequest === 'busy') return flowControl();
  if (outcome.wholeRequest === 'down')
    return { kind: 'answer', label: '500', response: { status: 500, body: 'Server Error' } };
  const dead = new Set(outcome.dead);
  const items = entries.map((entry): Item => {
    const token = tokenOf(entry);
    const itemRejection = findRejection(entry) ?? (dead.has(token) ? UNKNOWN_TOKEN : undefined);
    return itemRejection === undefined
      ? deliverOne(app, entry, entries.length, context)
      : failedItem(token, itemRejection);
  });
  const result = isBatch ? success(items) : singleResponse(items[0] as Item);
  return { ...result, isCut: outcome.isCut, ...(outcome.isLate && { afterMs: context.slowMs }) };
}

const UNKNOWN_TOKEN: Rejection = [10000, 'no device has this token'];

/** Delivers one entry, unless a message with the same id was sent to the same token before. */
function deliverOne({ appId }: App, entry: Json, tokens: number, context: SendContext): Item {
  const { arrivals, tally, receipts, duplicates } = context;
  const { target_value: _token, ...body } = entry;
  const token = tokenOf(entry);
  const requestId = newMessageId(appId);
  const { app_message_id, call_back_url, call_back_parameter } = asRecord(body.notification);
  const duplicateCheck = duplicates.check(`${appId} ${token}`, app_message_id);
  if (duplicateCheck === 'refused') return failedItem(token, [32, 'app_message_id']);
  const item = { messageId: requestId, registrationId: token };
  if (duplicateCheck === 'dropped') return item;
  const at = Date.now();
  arrivals.add({ vendor: 'oppo', app_id: appId, token, request_id: requestId, tokens, body, at });
  tally.add(taskOf(body), token);
  const biTag = String(call_back_parameter ?? '');
  const url = typeof call_back_url === 'string' ? call_back_url : undefined;
  receipts.send([{ appId, token, biTag, requestId, status: eventOf(token), atMs: at }], url);
  return item;
}

/** Returns the response to a single message. An error is reported as the code of the whole response. */
function singleResponse({ messageId, errorCode, errorMessage }: Item): SimulatedResponse & { kind: 'answer' } {
  if (errorCode === undefined) return success({ messageId });
  return { kind: 'answer', label: `200 ${errorCode}`, response: errorResponse(errorCode, errorMessage) };
}

function readEntries(entriesJson: string, isBatch: boolean): readonly Json[] | undefined {
  const parsed = parseObject(Buffer.from(isBatch ? `{"entries":${entriesJson}}` : entriesJson));
  if (parsed === undefined || !isBatch) return parsed && [parsed];
  return Array.isArray(parsed.entries) ? parsed.entries.map(asRecord) : undefined;
}

const tokenOf = (entry: Json): string => String(entry.target_value ?? '');
