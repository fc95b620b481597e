import { addressKeyOf } from '#src/foundation/address-key.ts';
import { type PointLimitState, takeAttempt, takePoints } from '#src/storage/users/rate-limits.ts';
import type { ApiContext, ApiRequest } from '../context.ts';
import { hashEmail } from '../http/known-browser.ts';
import { rejectOverLimit, setRateLimitHeaders } from '../http/limits.ts';

/** Keys of operators start with this word, which is not a valid app ID. */
const PREFIX = '@operators';

/** The account whose password is checked. `browserId` identifies a browser in which its operator has signed in. */
type Subject =
  | { readonly email: string; readonly browserId: string | undefined }
  | { readonly operatorId: bigint; readonly browserId?: undefined };

/**
 * Counts an attempt to sign in, or to change a password, before the password is checked: for the address, and for the
 * email address or the operator. Returns the keys, so that a successful attempt can be refunded.
 */
export async function takeOperatorPoints(
  context: ApiContext,
  { address, setHeader }: Pick<ApiRequest, 'address' | 'setHeader'>,
  subject: Subject,
): Promise<string[]> {
  const { settings, storage } = context;
  const ofAddress = await takeAddressPoint(context, address);
  setRateLimitHeaders(setHeader, [ofAddress]);
  rejectOverLimit([ofAddress], 'too-many-logins');
  const key = `${PREFIX} ${'email' in subject ? `email:${hashEmail(subject.email)}` : `password:${subject.operatorId}`}`;
  const limit = {
    pointsMax: settings.CARILLON_LOGIN_FAILURES_PER_NAME,
    seconds: settings.CARILLON_LOGIN_FAILURES_SECONDS,
  };
  let ofSubject = await takeAttempt(storage.home, { key, ...limit });
  // Otherwise, anyone could prevent an operator from signing in by trying wrong passwords.
  if (ofSubject.remaining < 0 && subject.browserId !== undefined)
    ofSubject = await takeAttempt(storage.home, { key: `${key} browser:${subject.browserId}`, ...limit });
  if (ofSubject.remaining < 0) setRateLimitHeaders(setHeader, [ofSubject]);
  rejectOverLimit([ofSubject], 'too-many-logins');
  return [ofAddress.key, ofSubject.key];
}

/** Counts an attempt to sign in from an address. `remaining` is negative if there were too many failures. */
export async function takeAddressPoint({ settings, storage }: ApiContext, address: string): Promise<PointLimitState> {
  const limit = {
    key: `${PREFIX} address:${addressKeyOf(address)}`,
    pointsMax: settings.CARILLON_LOGIN_FAILURES_PER_ADDRESS,
    seconds: settings.CARILLON_LOGIN_FAILURES_SECONDS,
  };
  const [ofAddress] = (await takePoints(storage.home, [limit])) as [PointLimitState];
  return ofAddress;
}
