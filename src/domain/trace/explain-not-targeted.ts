import { NATIVE_TARGET_DAYS } from '../device.ts';
import { nextRoute, type RoutedDevice, type RouteRules } from '../routing.ts';
import type { Audience, Task } from '../task.ts';
import { formatTime } from './explain-delivery.ts';

/** A device that has no place in a task. */
export interface UntargetedDevice {
  readonly userId: bigint | null;
  readonly pushToken: string;
  readonly alias: string | null;
  readonly tags: readonly string[];
  readonly registeredAt: Date;
}

export interface TracedTask extends Pick<Task, 'audience' | 'groupId' | 'dueAt'> {
  readonly cancelled: boolean;
  /** The audience was already expanded in the bucket where this device would have a place. */
  readonly expanded: boolean;
}

/** Explains why a device has no place in a task. The audience is compared with the current state of the device. */
export function explainNotTargeted(task: TracedTask, device: UntargetedDevice, now: Date): string {
  const { cancelled, expanded, dueAt } = task;
  if (!expanded || cancelled) {
    if (cancelled) return 'The task was cancelled before its audience was resolved to devices.';
    if (dueAt > now) return `The task is held until ${formatTime(dueAt)}.`;
    return 'The task was accepted, but its audience is not resolved to devices yet. Try again in a moment.';
  }
  if (device.userId === null) return 'No user is logged in on the device.';
  if (device.registeredAt > dueAt)
    return `The device's owner logged in on it at ${formatTime(device.registeredAt)}, after the task was due at ${formatTime(dueAt)}.`;
  return `${matchesAudience(task.audience, device) ? MATCHES_ONLY_NOW : mismatchSentence(task.audience)}${groupSentence(task)}`;
}

const MATCHES_ONLY_NOW = 'The device belongs to the audience now, but did not when the task was sent.';

const groupSentence = ({ groupId }: TracedTask): string =>
  groupId === null ? '' : ` The task was limited to the members of group ${groupId}.`;

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

function mismatchSentence({ kind }: Audience): string {
  switch (kind) {
    case 'tag':
      return 'The task was sent to tags, and the device has none of them.';
    case 'alias':
      return 'The task was sent to aliases, and the device has none of them.';
    case 'user_id':
      return "The task was sent to users, and the device's owner is not one of them.";
    default:
      return 'The task was sent to push tokens, and the push token of the device is not one of them.';
  }
}

/**
 * Returns a clause that explains why no vendor, or no further vendor, can reach the device, and why the notification
 * cannot wait in the inbox.
 */
export function explainNoVendor(rules: RouteRules, device: RoutedDevice): string {
  const inboxClause =
    rules.strategy === 'ospush_only'
      ? ' and the task uses only vendor channels'
      : device.nativeTarget
        ? ''
        : ` and the device has not connected or logged in for ${NATIVE_TARGET_DAYS} days`;
  return vendorClause(rules, device) + inboxClause;
}

function vendorClause(rules: RouteRules, device: RoutedDevice): string {
  if (rules.strategy === 'nativepush_only') return 'the task uses only the Carillon channel';
  if (device.reach === 0) return 'no vendor token is registered';
  if ((device.reach & rules.credentialReach) === 0)
    return 'the app has no credentials that match the vendor tokens of the device';
  const hasUsableVendor = nextRoute({ ...rules, strategy: 'ospush_only' }, device, new Set()).channel !== 'none';
  return hasUsableVendor
    ? 'no vendor channel was tried'
    : 'the vendors of the device are not in ospush_sequence or do not support this message type';
}
