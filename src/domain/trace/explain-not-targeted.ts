import { NATIVE_TARGET_DAYS } from '../device.ts';
import type { Language } from '../language/language.ts';
import { nextRoute, type RoutedDevice, type RouteRules } from '../routing.ts';
import type { Audience, Task } from '../task.ts';
import { formatTime } from './format-time.ts';
import { traceTexts } from './texts.ts';
import type { TraceTexts } from './texts-en.ts';

/** A device that has no place in a task. */
export interface UntargetedDevice {
  readonly userId: bigint | null;
  readonly pushToken: string;
  readonly alias: string | null;
  readonly tags: readonly string[];
  readonly registeredAt: Date;
  /** The day of the logout if no user is logged in. */
  readonly seenOn: string;
}

export interface TracedTask extends Pick<Task, 'audience' | 'groupId' | 'dueAt'> {
  readonly cancelled: boolean;
  /** The audience was already expanded in the bucket where this device would have a place. */
  readonly expanded: boolean;
}

/** Explains why a device has no place in a task. The audience is compared with the current state of the device. */
export function explainNotTargeted(task: TracedTask, device: UntargetedDevice, now: Date, language: Language): string {
  const { cancelled, expanded, dueAt } = task;
  const texts = traceTexts[language];
  if (!expanded || cancelled) {
    if (cancelled) return texts.cancelledBeforeExpansion;
    if (dueAt > now) return texts.heldUntil(formatTime(dueAt));
    return texts.notExpanded;
  }
  if (device.userId === null) return texts.noUser(device.seenOn);
  if (device.registeredAt > dueAt) return texts.loggedInAfter(formatTime(device.registeredAt), formatTime(dueAt));
  return texts.joinSentences([
    matchesAudience(task.audience, device) ? texts.matchesOnlyNow : mismatchSentence(texts, task.audience),
    ...(task.groupId === null ? [] : [texts.limitedToGroup(task.groupId)]),
  ]);
}

/** Explains why a user has no device to which a notification could be sent. */
export const explainNoDevice = (hasEverLoggedIn: boolean, language: Language): string =>
  traceTexts[language][hasEverLoggedIn ? 'notLoggedIn' : 'neverLoggedIn'];

function matchesAudience(audience: Audience, device: UntargetedDevice): boolean {
  switch (audience.kind) {
    case 'all':
      return true;
    case 'tag':
      return device.tags.some((tag) => audience.names.includes(tag));
    case 'alias':
      return device.alias !== null && audience.names.includes(device.alias);
    case 'user_id':
      return audience.userIds.some((userId) => userId === device.userId);
    case 'push_token':
      return audience.pushTokens.includes(device.pushToken);
  }
}

function mismatchSentence(texts: TraceTexts, { kind }: Audience): string {
  switch (kind) {
    case 'tag':
      return texts.otherTags;
    case 'alias':
      return texts.otherAliases;
    case 'user_id':
      return texts.otherUsers;
    default:
      return texts.otherPushTokens;
  }
}

/**
 * Returns a clause that explains why no vendor, or no further vendor, can reach the device, and why the notification
 * cannot wait in the inbox.
 */
export function explainNoVendor(rules: RouteRules, device: RoutedDevice, language: Language): string {
  const texts = traceTexts[language];
  const clauses = [vendorClause(texts, rules, device)];
  if (rules.strategy === 'ospush_only') clauses.push(texts.onlyVendorsClause);
  else if (!device.nativeTarget) clauses.push(texts.notSeenClause(NATIVE_TARGET_DAYS));
  return texts.joinClauses(clauses);
}

function vendorClause(texts: TraceTexts, rules: RouteRules, device: RoutedDevice): string {
  if (rules.strategy === 'nativepush_only') return texts.onlyCarillonClause;
  if (device.reach === 0) return texts.noVendorTokenClause;
  if ((device.reach & rules.credentialReach) === 0) return texts.noCredentialsClause;
  const hasUsableVendor = nextRoute({ ...rules, strategy: 'ospush_only' }, device, new Set()).channel !== 'none';
  return hasUsableVendor ? texts.noVendorTriedClause : texts.unsuitableVendorsClause;
}
