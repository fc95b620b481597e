import type { Outcome } from '#src/domain/outcome.ts';
import type { VendorReply } from '../vendor.ts';

/** Apple asks for patience with a phone that gets too much. */
const DEVICE_THROTTLE_SECONDS = 60;

type Meaning = 'token-dead' | 'refused' | 'locked-out' | 'throttled' | 'unreachable';

/** Apple's reasons in our words; see "Handling notification responses from APNs" (read 2026-11). */
const meanings: Readonly<Record<string, Meaning>> = {
  BadDeviceToken: 'token-dead',
  DeviceTokenNotForTopic: 'token-dead',
  Unregistered: 'token-dead',
  ExpiredToken: 'token-dead',
  TopicDisallowed: 'locked-out',
  BadCertificate: 'locked-out',
  BadCertificateEnvironment: 'locked-out',
  InvalidProviderToken: 'locked-out',
  MissingProviderToken: 'locked-out',
  UnrelatedKeyIdInToken: 'locked-out',
  BadEnvironmentKeyIdInToken: 'locked-out',
  BadEnvironmentKeyInToken: 'locked-out',
  ExpiredProviderToken: 'unreachable',
  Forbidden: 'locked-out',
  TooManyRequests: 'throttled',
  TooManyProviderTokenUpdates: 'throttled',
  IdleTimeout: 'unreachable',
  InternalServerError: 'unreachable',
  ServiceUnavailable: 'unreachable',
  Shutdown: 'unreachable',
};

export function apnsOutcome(reply: VendorReply): Outcome {
  if (reply.status === 200) return { kind: 'accepted', channelMessageId: String(reply.headers['apns-id'] ?? '') };
  const reason = reasonOf(reply.body);
  const kind = (Object.hasOwn(meanings, reason) && meanings[reason]) || meaningOfStatus(reply.status);
  return kind === 'throttled' ? { kind, retryAfterSeconds: DEVICE_THROTTLE_SECONDS } : { kind, reason };
}

function reasonOf(body: string): string {
  try {
    const { reason } = JSON.parse(body) as { reason?: unknown };
    return typeof reason === 'string' ? reason : 'no reason';
  } catch {
    return 'no reason';
  }
}

/** A reason that is new since this table was written. */
function meaningOfStatus(status: number): Meaning {
  if (status === 403) return 'locked-out';
  if (status === 410) return 'token-dead';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'unreachable' : 'refused';
}
