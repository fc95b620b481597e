import { withTapExtras } from '../translate/tap-extras.ts';
import type { Notification } from '../vendor.ts';

/** The click action of a notification. */
export interface Click {
  readonly action: object;
  /** Strings that the opened page receives. */
  readonly extras: Readonly<Record<string, string>>;
}

const OPEN_APP: Click = { action: { click_action_type: 0 }, extras: {} };

/**
 * Returns the click action. An intent that contains only a class and string extras opens the page by its class, which
 * is the older and more widely used method. Any other intent is sent as it is, with two more extras,
 * because its page receives no parameters of the notification.
 */
export function clickOf(intent: string | undefined, notification: Pick<Notification, 'taskId' | 'reference'>): Click {
  if (intent === undefined) return OPEN_APP;
  const url = withTapExtras(intent, notification);
  return activityClick(intent) ?? { action: { click_action_type: 5, click_action_url: url }, extras: {} };
}

function activityClick(intent: string): Click | undefined {
  const [, intentBody = ''] = /^intent:#Intent;(.+);end$/s.exec(intent) ?? [];
  const parts = intentBody.split(';');
  const [component] = parts;
  const [, packageName = '', name = ''] = /^component=([\w.]+)\/([\w.$]+)$/.exec(component ?? '') ?? [];
  const extraMatches = parts.slice(1).map((part) => /^S\.([^=]+)=(.*)$/s.exec(part));
  if (name === '' || extraMatches.includes(null)) return undefined;
  try {
    const extras = extraMatches.map((match) => [
      decodeURIComponent(match?.[1] ?? ''),
      decodeURIComponent(match?.[2] ?? ''),
    ]);
    const activity = name.startsWith('.') ? packageName + name : name;
    return { action: { click_action_type: 4, click_action_activity: activity }, extras: Object.fromEntries(extras) };
  } catch {
    return undefined; // a lone percent sign
  }
}
