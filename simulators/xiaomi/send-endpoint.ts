import type { Arrivals } from '../kit/arrivals.ts';
import type { Ending, HttpsRequest } from '../kit/https.ts';
import { readForm } from '../kit/read.ts';
import type { Receipts } from '../kit/receipts.ts';
import type { Tally } from '../kit/tally.ts';
import { batchFateOf, isFateName, isNobody } from '../kit/token-outcomes.ts';
import type { App, Apps } from './apps.ts';
import { type Arrival, type Form, taskOf } from './arrival.ts';
import { objectionTo, receiptFlagsOf } from './message-rules.ts';
import { typeOf } from './receipts.ts';
import { errorAnswer, newMessageId, refusal, successAnswer } from './responses.ts';
import type { ShownOnce } from './shown-messages.ts';

export type Surroundings = {
  readonly apps: Apps;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly receipts: Receipts;
  readonly shown: ShownOnce;
  readonly slowMs: number;
};

const PATH = /^\/v[23]\/message\/regid$/;
/** Base64. A `+` that nobody has encoded is a space here, and the token is nobody's. */
const TOKEN = /^[A-Za-z0-9+/=_.-]+$/;

/** The checks in the order of a service that asks who is there before it reads: path, secret, form, then the tokens. */
export function serveSend(request: HttpsRequest, surroundings: Surroundings): Ending {
  if (!PATH.test(request.path)) return refusal(10020, 'API not found');
  if (request.method !== 'POST') return refusal(10021, 'HTTP method is not supported');
  const [, secret] = /^key=(\S+)$/.exec(String(request.headers.authorization)) ?? [];
  const app = surroundings.apps.bySecret(secret ?? '');
  if (app === undefined) return refusal(21301, 'Invalid application secret.');
  const fields = readForm(request);
  if (fields === undefined) return refusal(10007, 'Content-Type must be application/x-www-form-urlencoded');
  const form = Object.fromEntries(fields);
  const objection = objectionTo(form, app);
  return objection === undefined ? deliver(app, form, surroundings) : refusal(...objection);
}

export function overRate(headers: Readonly<Record<string, string>> = {}): Ending & { kind: 'answer' } {
  return { kind: 'answer', label: '200 200002', answer: errorAnswer(200002, 'QPS quota exceeded', headers) };
}

function deliver({ appId }: App, { registration_id = '', ...body }: Form, surroundings: Surroundings): Ending {
  const { arrivals, tally, shown, slowMs } = surroundings;
  const tokens = registration_id.split(',');
  const fate = batchFateOf(tokens);
  if (fate.whole === 'busy') return overRate();
  if (fate.whole === 'down') return { kind: 'answer', label: '500', answer: { status: 500, body: 'Server Error' } };
  const dead = new Set(fate.dead);
  const isGood = (token: string) => isFateName(token) || isNobody(token) || TOKEN.test(token);
  const reached = tokens.filter((token) => !dead.has(token) && isGood(token));
  if (reached.length === 0) return refusal(20301, 'No valid targets!');

  const at = Date.now();
  const requestId = newMessageId(at);
  const facts = { vendor: 'xiaomi', app_id: appId, request_id: requestId, tokens: tokens.length, body, at } as const;
  for (const token of reached) {
    const isShown = shown.isFirst(`${appId} ${token}`, body['extra.jobkey']);
    arrivals.add({ ...facts, token, is_shown: isShown });
    tally.add(taskOf(body), token);
  }
  tellReceipts(appId, reached, requestId, body, surroundings);
  const good = new Set(reached);
  const bad = tokens.filter((token) => !good.has(token));
  const answer = successAnswer(requestId, reached.length, bad);
  return { kind: 'answer', label: '200 0', answer, isCut: fate.isCut, ...(fate.isLate && { afterMs: slowMs }) };
}

/** Each kind in a call of its own, and only those that the message asks for. */
function tellReceipts(
  appId: string,
  tokens: readonly string[],
  requestId: string,
  body: Form,
  { receipts }: Surroundings,
): void {
  const flags = receiptFlagsOf(body);
  const biTag = body['extra.callback.param'] ?? '';
  const told = tokens.map((token) => ({ appId, token, biTag, requestId, status: typeOf(token), atMs: Date.now() }));
  for (const [type, group] of Map.groupBy(told, ({ status }) => status)) {
    if (flags & type || body['extra.callback'] === undefined) receipts.tell(group, body['extra.callback']);
  }
}
