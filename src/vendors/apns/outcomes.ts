import type { CodeMeaning, VendorOutcome, VendorResponse } from '../vendor.ts';

/** Delay before a throttled device or account is tried again. */
const DEVICE_THROTTLE_SECONDS = 60;

type Meaning =
  | CodeMeaning
  | 'suspect' // dead, or valid for another app or environment
  | 'throttled-account';

/** Outcomes of Apple's reasons; see "Handling notification responses from APNs" (read 2026-11). */
const meanings: Readonly<Record<string, Meaning>> = {
  BadDeviceToken: 'suspect',
  DeviceTokenNotForTopic: 'suspect',
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
  ExpiredProviderToken: 'stale-token',
  Forbidden: 'locked-out',
  TooManyRequests: 'throttled',
  TooManyProviderTokenUpdates: 'throttled-account',
  IdleTimeout: 'unreachable',
  InternalServerError: 'unreachable',
  ServiceUnavailable: 'unreachable',
  Shutdown: 'unreachable',
};

export function apnsOutcome(response: VendorResponse): VendorOutcome {
  if (response.status === 200) return { kind: 'accepted', channelMessageId: String(response.headers['apns-id'] ?? '') };
  const { reason, since } = readBody(response.body);
  const meaning = (Object.hasOwn(meanings, reason) && meanings[reason]) || meaningOfStatus(response.status);
  switch (meaning) {
    case 'token-dead':
      return { kind: 'token-dead', reason, ...(since && { since }) };
    case 'suspect':
      return { kind: 'token-dead', reason, suspect: true };
    case 'throttled':
      return { kind: 'throttled', retryAfterSeconds: DEVICE_THROTTLE_SECONDS };
    case 'throttled-account':
      return { kind: 'throttled', retryAfterSeconds: DEVICE_THROTTLE_SECONDS, account: true };
    default:
      return { kind: meaning, reason };
  }
}

/**
 * Parses an error body. With status 410, `timestamp` is the time at which the token became invalid, in milliseconds.
 */
function readBody(body: string): { readonly reason: string; readonly since?: Date } {
  let json: { reason?: unknown; timestamp?: unknown };
  try {
    json = Object(JSON.parse(body)) as typeof json;
  } catch {
    return { reason: 'no reason' };
  }
  const since = new Date(typeof json.timestamp === 'number' ? json.timestamp : Number.NaN);
  return {
    reason: typeof json.reason === 'string' ? json.reason : 'no reason',
    ...(!Number.isNaN(since.getTime()) && { since }),
  };
}

/** Returns the outcome for a reason that is not in the table. */
function meaningOfStatus(status: number): Meaning {
  if (status === 403) return 'locked-out';
  if (status === 410) return 'token-dead';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'unreachable' : 'refused';
}
