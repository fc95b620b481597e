import type { Outcome } from '#src/domain/outcome.ts';
import { readJsonObject } from '../translate/response-values.ts';
import { readRetryAfter, retryAfterSeconds } from '../translate/retry-after.ts';
import type { VendorResponse } from '../vendor.ts';
import { isBrowserHost } from './subscription.ts';

/** Delay if a push service throttles a subscription without specifying one. */
const THROTTLE_SECONDS = 60;
const ID_CHARACTERS_MAX = 128;

/** Apple's reason for a wrong subject, audience or expiry time of the VAPID token, which would fail for every device. */
const BAD_TOKEN = 'BadJwtToken';
/**
 * Reasons with status 400 for a subscription that was created with another VAPID key. Google's status is 403 in newer
 * responses.
 */
const OTHER_KEY = ['UnauthorizedRegistration', 'VapidPkHashMismatch'];

/**
 * Returns the outcome of a request to one subscription. Every push service is a separate server, so its failures never
 * count as failures of the whole channel. Only a push service of a browser can report that the VAPID token is wrong,
 * because users can run other servers.
 */
export function webPushOutcome({ status, headers, body }: VendorResponse, host: string): Outcome {
  if (status >= 200 && status <= 202) return { kind: 'accepted', channelMessageId: messageId(headers) };
  const word = errorWord(body);
  const reason = word === '' ? `HTTP ${status}` : `HTTP ${status} ${word}`;
  if (status === 404 || status === 410) return { kind: 'token-dead', reason };
  if (word === BAD_TOKEN && isBrowserHost(host)) return { kind: 'locked-out', reason };
  // Probably a subscription that was created with another VAPID key.
  if (status === 401 || status === 403 || OTHER_KEY.includes(word))
    return { kind: 'token-dead', reason, suspect: true };
  if (status === 429) return { kind: 'throttled', retryAfterSeconds: retryAfterSeconds(headers, THROTTLE_SECONDS) };
  if (status < 500) return { kind: 'refused', reason };
  const seconds = readRetryAfter(headers);
  return seconds === undefined
    ? { kind: 'unreachable', reason, device: true }
    : { kind: 'throttled', retryAfterSeconds: seconds };
}

/** Returns the last part of the URL of the accepted message, or an empty string if the push service returns none. */
function messageId({ location }: VendorResponse['headers']): string {
  if (typeof location !== 'string') return '';
  return location.slice(location.lastIndexOf('/') + 1).slice(0, ID_CHARACTERS_MAX);
}

/** Returns Apple's reason, Mozilla's error number, or Google's reason, which is plain text. */
function errorWord(body: string): string {
  const { reason, errno, error } = readJsonObject(body) ?? {};
  const word = [reason, errno, error, body.trim()].find((value) => /^[\w ]{1,64}$/.test(String(value ?? '')));
  return word === undefined ? '' : String(word);
}
