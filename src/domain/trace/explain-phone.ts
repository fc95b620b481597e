import { type Reach, vendorBits } from '../reach.ts';
import { formatTime } from './format-time.ts';
import type { ReportedState } from './reported-state.ts';
import type { TraceTexts } from './texts-en.ts';

/** The state of a device now, as far as it can explain a delivery. */
export interface TracedPhone {
  readonly isOnline: boolean;
  /** The vendors that have issued a vendor token. */
  readonly reach: Reach;
  /** The day of the last login or connection, or of the logout. */
  readonly seenOn: string;
  /** False if the user was logged out. */
  readonly isLoggedIn: boolean;
  /** Time of the login. */
  readonly registeredAt: Date;
  readonly reported: ReportedState | null;
}

/** The functions below return false if they have nothing to add to an explanation. */
type Sentence = string | false;

/** Returns that the phone does not display notifications, if the app reported it. */
export const explainDenied = (texts: TraceTexts, { reported }: TracedPhone): Sentence =>
  reported?.notifications === 'denied' && texts.notificationsDenied(timeOf(reported));

/** Returns the reported reasons why vendors issued no vendor token. Vendors that have issued one since are left out. */
export function explainMissingTokens(texts: TraceTexts, { reported, reach }: TracedPhone): Sentence {
  const missing = reported?.vendorErrors.filter(({ vendor }) => (reach & vendorBits(vendor)) === 0) ?? [];
  if (!reported || missing.length === 0) return false;
  const vendors = missing.map(({ vendor, error }) => texts.vendorError(texts.channelName(vendor), error));
  return texts.missingVendorTokens(timeOf(reported), vendors);
}

/** Returns when an offline device was seen last. */
export const explainLastSeen = (texts: TraceTexts, { isOnline, isLoggedIn, seenOn }: TracedPhone): Sentence =>
  isLoggedIn && !isOnline && texts.lastSeen(seenOn);

/** Explains that the login to which the notification was sent has ended. */
export const explainLogout = (texts: TraceTexts, { isLoggedIn, seenOn, registeredAt }: TracedPhone): string =>
  isLoggedIn ? texts.loggedInAgain(formatTime(registeredAt)) : texts.loggedOut(seenOn);

const timeOf = ({ reportedMs }: ReportedState): string => formatTime(new Date(reportedMs));
