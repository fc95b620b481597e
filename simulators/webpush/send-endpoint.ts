import type { Arrivals } from '../kit/arrivals.ts';
import type { HttpsRequest, SimulatedResponse } from '../kit/https.ts';
import { parseObject } from '../kit/read.ts';
import type { Tally } from '../kit/tally.ts';
import { outcomeOfToken } from '../kit/token-outcomes.ts';
import { type Arrival, isDeclarative, taskOf } from './arrival.ts';
import { decrypt } from './decrypt.ts';
import { acceptedResponse, type Rejection, rejectionOf } from './responses.ts';
import { authOf, browserKeys, type PushService, serviceOf } from './subscriptions.ts';
import { findVapidDefect } from './vapid.ts';

export type SendContext = {
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly slowMs: number;
};

/** The body of a message that every push service accepts. */
const BODY_BYTES_MAX = 4_096;
/** Google's limit: four weeks. */
const TTL_SECONDS_MAX = 2_419_200;
const TOPIC = /^[\w-]{1,32}$/;
const URGENCIES = ['very-low', 'low', 'normal', 'high'];
const keys = browserKeys();

/**
 * Serves a request for any push service. A sender uses the simulator like a reverse proxy: the first part of the path is
 * the host of the subscription. Real push services cannot decrypt a message. The simulator also acts as the browser, so
 * it rejects a message that the browser could not decrypt.
 */
export function serveSend(request: HttpsRequest, context: SendContext): SimulatedResponse {
  const [, host = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.path) ?? [];
  const service = serviceOf(host);
  const name = request.query.get('token') ?? decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  const defect = findHeaderDefect(request);
  if (defect !== undefined) return rejectionOf(service, 'malformed', defect);
  const vapidDefect = findVapidDefect(String(request.headers.authorization), host, Date.now() / 1_000, {
    checksSubject: service === 'apple',
  });
  if (vapidDefect !== undefined) return rejectionOf(service, 'bad-token', vapidDefect);
  if (name.startsWith('foreign-')) return rejectionOf(service, 'other-key');
  if (request.body.length > BODY_BYTES_MAX) return rejectionOf(service, 'too-large');
  return deliver(request, { host, service, name }, context);
}

function findHeaderDefect({ method, headers, body }: HttpsRequest): string | undefined {
  const { ttl, topic, urgency } = headers;
  if (method !== 'POST') return 'method';
  if (!/^\d+$/.test(String(ttl)) || Number(ttl) > TTL_SECONDS_MAX) return 'TTL';
  if (headers['content-encoding'] !== 'aes128gcm' || body.length === 0) return 'Content-Encoding';
  if (topic !== undefined && !TOPIC.test(String(topic))) return 'Topic';
  return urgency !== undefined && !URGENCIES.includes(String(urgency)) ? 'Urgency' : undefined;
}

type Target = { readonly host: string; readonly service: PushService; readonly name: string };

const rejectionByOutcome: Readonly<Record<string, Rejection>> = { dead: 'dead', busy: 'busy', down: 'down' };

function deliver({ headers, body }: HttpsRequest, { host, service, name }: Target, context: SendContext) {
  const outcome = outcomeOfToken(name);
  const rejection = rejectionByOutcome[outcome];
  if (rejection !== undefined) return rejectionOf(service, rejection);
  const plain = decrypt(body, keys, authOf(name));
  const payload = plain && parseObject(plain);
  if (payload === undefined) return rejectionOf(service, 'malformed', 'encryption');
  const { ttl, topic = null, urgency = 'normal' } = headers;
  context.arrivals.add({
    vendor: 'webpush',
    service,
    host,
    token: name,
    topic: topic === null ? null : String(topic),
    urgency: String(urgency),
    ttl: Number(ttl),
    payload,
    is_declarative: isDeclarative(payload),
    at: Date.now(),
  });
  context.tally.add(taskOf(payload), name);
  const response = acceptedResponse(host, String(ttl));
  const isCut = outcome === 'half';
  const lateness = outcome === 'slow' ? { afterMs: context.slowMs } : {};
  return { kind: 'answer', label: '201', response, isCut, ...lateness } as const;
}
