import { createHash } from 'node:crypto';
import { addressKeyOf } from '#src/foundation/address-key.ts';
import { type PointLimitState, takeAttempt, takePoints } from '#src/storage/users/rate-limits.ts';
import type { ApiContext, ApiRequest } from '../context.ts';
import { rejectOverLimit, setRateLimitHeaders } from '../http/limits.ts';

/** Keys of operators start with this word, which is not a valid app ID. */
const PREFIX = '@operators';

/**
 * Counts an attempt to sign in, or to change a password, before the password is checked: for the address, and for the
 * email address or the operator. Returns the keys, so that a successful attempt can be refunded.
 */
export async function takeOperatorPoints(
  { settings, storage }: ApiContext,
  { address, setHeader }: Pick<ApiRequest, 'address' | 'setHeader'>,
  subject: { readonly email: string } | { readonly operatorId: bigint },
): Promise<string[]> {
  const seconds = settings.CARILLON_LOGIN_FAILURES_SECONDS;
  const [ofAddress] = (await takePoints(storage.home, [
    {
      key: `${PREFIX} address:${addressKeyOf(address)}`,
      pointsMax: settings.CARILLON_LOGIN_FAILURES_PER_ADDRESS,
      seconds,
    },
  ])) as [PointLimitState];
  setRateLimitHeaders(setHeader, [ofAddress]);
  rejectOverLimit([ofAddress], 'too-many-logins');
  const ofSubject = await takeAttempt(storage.home, {
    key: `${PREFIX} ${'email' in subject ? `email:${hashEmail(subject.email)}` : `password:${subject.operatorId}`}`,
    pointsMax: settings.CARILLON_LOGIN_FAILURES_PER_NAME,
    seconds,
  });
  if (ofSubject.remaining < 0) setRateLimitHeaders(setHeader, [ofSubject]);
  rejectOverLimit([ofSubject], 'too-many-logins');
  return [ofAddress.key, ofSubject.key];
}

/** Hashes the email address, because operators sometimes type a password into this field. */
const hashEmail = (email: string): string => createHash('sha256').update(email).digest('base64url');
