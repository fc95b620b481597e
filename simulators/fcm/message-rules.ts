import { asRecord, type Json, stringOrEmpty } from '../kit/read.ts';
import { sendShape } from './message-shape.ts';
import { readShape } from './read-shape.ts';
import { type Rejection, rejectWithFcmCode } from './responses.ts';

const targetKinds = ['token', 'fid', 'topic', 'condition'] as const;
export type TargetKind = (typeof targetKinds)[number];

/** A message that Google accepts, with names in snake_case. */
export type ParsedMessage = {
  readonly kind: 'passed';
  readonly isDryRun: boolean;
  readonly target: { readonly kind: TargetKind; readonly value: string };
  readonly message: Json;
};

const TTL_SECONDS_MAX = 2_419_200;
const BYTES_MAX = 4096;
const TOPIC_BYTES_MAX = 2048;
const RESERVED = /^(?:from$|message_type$|gcm$|gcm\.|google\.)/;
const LABEL = /^[a-zA-Z0-9\-_.~%]{1,50}$/;
const TOPIC = /^[a-zA-Z0-9\-_.~%]+$/;

/** Applies the checks that FCM makes after Google's JSON parser: exactly one target, names, durations and size. */
export function parseMessage(body: Json): ParsedMessage | Rejection {
  const parsed = readShape(body, sendShape);
  if (parsed.kind === 'refused') return parsed;
  const { validate_only, message: rawMessage } = parsed.value;
  const message = asRecord(rawMessage);
  const targets = targetKinds.filter((kind) => message[kind] !== undefined);
  const [kind] = targets;
  if (kind === undefined) return invalidArgument('Recipient of the message is not set.', 'message');
  if (targets.length > 1) {
    return invalidArgument(
      `Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set '${targets[1]}'`,
    );
  }
  const target = { kind, value: stringOrEmpty(message[kind]) };
  const rejection = checkRules(message) ?? checkSize(message, target.kind);
  if (rejection !== undefined) return rejection;
  if (kind === 'topic' && !TOPIC.test(target.value)) return invalidArgument('Malformed topic name', 'message.topic');
  return { kind: 'passed', isDryRun: validate_only === true, target, message };
}

function checkRules(message: Json): Rejection | undefined {
  const android = asRecord(message.android);
  const reserved = [message.data, android.data]
    .flatMap((data) => Object.keys(asRecord(data)))
    .find((key) => RESERVED.test(key));
  if (reserved !== undefined) return invalidArgument(`Invalid data payload key: ${reserved}`);
  const ttlSeconds = Number.parseFloat(stringOrEmpty(android.ttl) || '0');
  if (ttlSeconds < 0 || ttlSeconds > TTL_SECONDS_MAX) {
    return invalidArgument('Invalid ttl: it must be from 0 to 2419200 seconds', 'message.android.ttl');
  }
  const labels = [message.fcm_options, android.fcm_options].map((options) => asRecord(options).analytics_label);
  if (labels.some((label) => label !== undefined && !LABEL.test(stringOrEmpty(label)))) {
    return invalidArgument('Invalid analytics label', 'message.fcm_options.analytics_label');
  }
  return undefined;
}

function checkSize(message: Json, target: TargetKind): Rejection | undefined {
  const { data, notification } = asRecord(message.android);
  const bytes = [message.data, message.notification, data, notification].map(bytesIn).reduce((sum, each) => sum + each);
  const max = target === 'topic' || target === 'condition' ? TOPIC_BYTES_MAX : BYTES_MAX;
  return bytes > max ? invalidArgument('Android message is too big') : undefined;
}

/** Returns the number of bytes in keys and values, without JSON syntax. */
function bytesIn(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : String(value).length;
  return Object.entries(value).reduce((sum, [key, inner]) => sum + Buffer.byteLength(key) + bytesIn(inner), 0);
}

const invalidArgument = (text: string, field?: string): Rejection =>
  rejectWithFcmCode('INVALID_ARGUMENT', text, field === undefined ? {} : { field });
