import { parseObject } from '../kit/read.ts';
import type { Sender } from './authenticator.ts';
import { type CheckResult, pass, reject } from './responses.ts';

/** One push as received. The body may be truncated; `bodyBytes` is the number of bytes received. */
export type PushRequest = {
  readonly method: string;
  readonly path: string;
  /** Names are in lower case, as in HTTP/2. Node represents each byte of a value as one character. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly repeatedHeaders: readonly string[];
  readonly body: Buffer;
  readonly bodyBytes: number;
};

export type PushHeaders = {
  readonly topic: string;
  readonly pushType: PushType;
  readonly priority: number;
  readonly expiration: number | null;
  readonly collapseId: string | null;
};

const pushTypes = [
  'alert',
  'background',
  'complication',
  'controls',
  'fileprovider',
  'liveactivity',
  'location',
  'mdm',
  'pushtotalk',
  'voip',
  'widgets',
] as const;
type PushType = (typeof pushTypes)[number];

const PATH = /^\/3\/device(?:\/([^/?#]*))?$/;
const CANONICAL_UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TOPIC = /^[A-Za-z0-9.-]{1,255}$/;
// Ten digits are enough until the year 2286, so a value in milliseconds is rejected. Apple does not document an upper
// bound.
const EPOCH_SECONDS = /^\d{1,10}$/;
const PRIORITIES = ['10', '5', '1'];
const COLLAPSE_ID_BYTES_MAX = 64;
const PAYLOAD_BYTES_MAX = 4096;
const VOIP_PAYLOAD_BYTES_MAX = 5120;

/** Checks the method, then the path. Returns the device token, which is not checked yet. */
export function checkRequestLine(request: PushRequest): CheckResult<string> {
  if (request.method !== 'POST') return reject('MethodNotAllowed');
  const path = PATH.exec(request.path);
  if (path === null) return reject('BadPath');
  return path[1] ? pass(path[1]) : reject('MissingDeviceToken');
}

/**
 * Checks the headers. Repeated headers are checked first, because they have no single value. A topic with a suffix
 * (`.voip`) is allowed only if the key or certificate lists it: suffixes are not derived from the push type.
 */
export function checkHeaders(request: PushRequest, { topics, defaultTopic }: Sender): CheckResult<PushHeaders> {
  const { headers } = request;
  if (request.repeatedHeaders.some((name) => name.startsWith('apns-') || name === 'authorization')) {
    return reject('DuplicateHeaders');
  }
  const topic = headers['apns-topic'] ?? defaultTopic;
  if (topic === undefined || topic === '') return reject('MissingTopic');
  if (!TOPIC.test(topic)) return reject('BadTopic');
  if (!topics.includes(topic)) return reject('TopicDisallowed');

  if (!isApnsId(headers['apns-id'])) return reject('BadMessageId');
  const pushType = pushTypes.find((type) => type === (headers['apns-push-type'] ?? 'alert'));
  if (pushType === undefined) return reject('InvalidPushType');
  const expiration = headers['apns-expiration'];
  if (expiration !== undefined && !EPOCH_SECONDS.test(expiration)) return reject('BadExpirationDate');
  const priority = headers['apns-priority'] ?? '10';
  if (!PRIORITIES.includes(priority)) return reject('BadPriority');
  // The default of 10 is rejected too: Apple's documentation calls a background push with priority 10 an error.
  if (pushType === 'background' && priority !== '5') return reject('BadPriority');
  const collapseId = headers['apns-collapse-id'];
  if (collapseId !== undefined && collapseId.length > COLLAPSE_ID_BYTES_MAX) return reject('BadCollapseId');

  return pass({
    topic,
    pushType,
    priority: Number(priority),
    expiration: expiration === undefined ? null : Number(expiration),
    collapseId: collapseId === undefined ? null : Buffer.from(collapseId, 'latin1').toString('utf8'),
  });
}

/**
 * An absent id is valid, because Apple generates one. Only the lower-case form is documented, so only that form passes.
 */
export function isApnsId(apnsId: string | undefined): boolean {
  return apnsId === undefined || CANONICAL_UUID.test(apnsId);
}

export function checkPayload(
  request: PushRequest,
  headers: PushHeaders,
): CheckResult<Readonly<Record<string, unknown>>> {
  if (request.bodyBytes === 0) return reject('PayloadEmpty');
  const bytesMax = headers.pushType === 'voip' ? VOIP_PAYLOAD_BYTES_MAX : PAYLOAD_BYTES_MAX;
  if (request.bodyBytes > bytesMax) return reject('PayloadTooLarge');
  const payload = parseObject(request.body);
  // Apple lists no reason for a body that is not a JSON object; PayloadEmpty is the closest one.
  if (payload === undefined) return reject('PayloadEmpty');
  // Apple lists no reason for a background push with an alert, badge or sound either. This check may be stricter than
  // Apple's, so that the mistake is noticed.
  if (headers.pushType === 'background' && !isSilent(payload.aps)) return reject('InvalidPushType');
  return pass(payload);
}

function isSilent(aps: unknown): boolean {
  if (typeof aps !== 'object' || aps === null) return false;
  if (!('content-available' in aps) || aps['content-available'] !== 1) return false;
  return !('alert' in aps || 'badge' in aps || 'sound' in aps);
}
