import type { Arrivals } from '../kit/arrivals.ts';
import type { HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import type { RateLimit } from '../kit/rate-limit.ts';
import { asRecord, hasJsonContentType, type Json, parseObject } from '../kit/read.ts';
import type { Receipts } from '../kit/receipts.ts';
import type { Violation } from '../kit/shape.ts';
import type { Tally } from '../kit/tally.ts';
import { batchOutcomeOf } from '../kit/token-outcomes.ts';
import type { App, Apps } from './apps.ts';
import { type Arrival, biTagOf, isMarketing, notificationOf, taskOf } from './arrival.ts';
import { checkBearer } from './check-bearer.ts';
import type { DuplicateFilter } from './duplicate-filter.ts';
import { envelopeOf, isSupportedPushType } from './message-rules.ts';
import { OVER_QUOTA, resultOf } from './receipts.ts';
import {
  type Code,
  flowControl,
  newRequestId,
  plainResponse,
  rejectedTokensResponse,
  rejection,
  responseOf,
} from './responses.ts';

export type SendContext = {
  readonly apps: Apps;
  readonly sendLimit: RateLimit;
  /** Marketing messages per phone and day. */
  readonly marketingQuota: RateLimit;
  /** Test messages per project and day. */
  readonly testQuota: RateLimit;
  readonly duplicates: DuplicateFilter;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly receipts: Receipts;
  readonly slowMs: number;
};

const PATH = /^\/v3\/([^/]+)\/messages:send$/;
const TOKENS_MAX = 1000;
const TEST_TOKENS_MAX = 10;
const BYTES_MAX = 4096;

/** A token such as `reason-noPushTypeRight-1` is rejected with the reason in its name. */
const NAMED_REASON = /^reason-(\w+)-/;

/** Checks a request in this order: path, JWT, push type, body, tokens. Authentication comes before the content. */
export function serveSend(request: HttpsRequest, context: SendContext): SimulatedResponse {
  const path = PATH.exec(request.path);
  if (path === null) return plainResponse(404, 'Not Found');
  if (request.method !== 'POST') return plainResponse(405, 'Method Not Allowed');
  const app = checkBearer(request, context.apps, Date.now());
  if (typeof app === 'string') return rejection(app);
  if (path[1] !== app.projectId) return rejection('80300002', 'the JWT belongs to another project');
  const pushType = String(request.headers['push-type'] ?? '');
  if (!isSupportedPushType(pushType)) return rejection('80100001', 'push-type must be 0 or 6');
  if (!hasJsonContentType(request)) return rejection('80100003', 'Content-Type must be application/json');
  const body = parseObject(request.body);
  if (body === undefined) return rejection('80100003', 'the body must be a JSON object');
  const rejectionArguments = checkBody(body, pushType);
  if (rejectionArguments !== undefined) return rejection(...rejectionArguments);

  const tokens = tokensOf(body);
  const isTest = asRecord(body.pushOptions).testMessage === true;
  if (isTest && tokens.length > TEST_TOKENS_MAX) return rejection('80300030', `${tokens.length} tokens`);
  if (isTest && !context.testQuota.take(app.projectId, 1, Date.now())) return rejection('80300029');
  if (!context.sendLimit.take(app.projectId, tokens.length, Date.now())) return flowControl();
  return deliver(app, Number(pushType), body, tokens, context);
}

function checkBody(body: Json, pushType: string): [Code, string] | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(withoutTokens(body)));
  if (bytes > BYTES_MAX) return ['80300008', `${bytes} bytes`];
  const violation = envelopeOf(pushType)(body, '');
  if (violation !== undefined) return [codeOf(violation), `${violation.path} ${violation.text}`];
  const count = tokensOf(body).length;
  return count < 1 || count > TOKENS_MAX ? ['80300010', `${count} tokens`] : undefined;
}

function codeOf({ path, kind }: Violation): Code {
  if (path === 'pushOptions.ttl') return '80100004';
  return kind === 'shape' ? '80100003' : '80100001';
}

function deliver(
  app: App,
  pushType: number,
  body: Json,
  tokens: readonly string[],
  context: SendContext,
): SimulatedResponse {
  const { arrivals, tally, receipts, marketingQuota, duplicates, slowMs } = context;
  const outcome = batchOutcomeOf(tokens);
  if (outcome.wholeRequest === 'busy') return flowControl();
  if (outcome.wholeRequest === 'down') return plainResponse(500, 'Internal Server Error');
  const dead = new Set(outcome.dead);
  const reasonOf = (token: string) =>
    NAMED_REASON.exec(token)?.[1] ??
    (token.startsWith('foreign-') ? 'noRight' : dead.has(token) ? 'tokenFormatError' : undefined);
  const accepted = tokens.filter((token) => reasonOf(token) === undefined);
  const rejected = Map.groupBy(
    tokens.filter((token) => reasonOf(token) !== undefined),
    (token) => reasonOf(token) as string,
  );

  const at = Date.now();
  const requestId = newRequestId(at);
  const bodyWithoutTokens = withoutTokens(body);
  const { projectId: appId } = app;
  const facts = { vendor: 'harmony', app_id: appId, request_id: requestId, push_type: pushType } as const;
  const biTag = biTagOf(body) ?? '';
  const results = accepted.map((token) => {
    // Messages over the limit are accepted, and only the receipt reports them.
    const isOverQuota = isMarketing(body) && !marketingQuota.take(`${appId} ${token}`, 1, at);
    if (!isOverQuota && duplicates.accepts(`${appId} ${token}`, notificationOf(body).appMessageId, at)) {
      arrivals.add({ ...facts, token, tokens: tokens.length, body: bodyWithoutTokens, at });
      tally.add(taskOf(body), token);
    }
    return { appId, token, biTag, requestId, status: isOverQuota ? OVER_QUOTA : resultOf(token), atMs: at };
  });
  receipts.send(results);
  const response =
    rejected.size === 0
      ? responseOf('80000000', requestId)
      : rejectedTokensResponse(accepted.length, rejected, requestId);
  const { code } = JSON.parse(response.body) as { code: string };
  return {
    kind: 'answer',
    label: `${response.status} ${code}`,
    response,
    isCut: outcome.isCut,
    ...(outcome.isLate && { afterMs: slowMs }),
  };
}

/**
 * Returns the body without the list of tokens, which can be long. The list does not count towards the size of a message
 * and is not part of a delivery.
 */
function withoutTokens(body: Json): Json {
  const { token: _token, ...target } = asRecord(body.target);
  return { ...body, target };
}

function tokensOf(body: Json): readonly string[] {
  const { token } = asRecord(body.target);
  return Array.isArray(token) ? (token as string[]) : [];
}
