/** What OPPO is told to open. */
export interface Click {
  readonly action: object;
  /** What the page gets besides. */
  readonly extras: Readonly<Record<string, string>>;
}

const HOME: Click = { action: { click_action_type: 0 }, extras: {} };

/**
 * A page is opened by its class, which is the older and better known way, if the intent names nothing but the class and
 * texts for it. Any other intent goes out as it is.
 */
export function clickOf(intent: string | undefined): Click {
  if (intent === undefined) return HOME;
  return plainPage(intent) ?? { action: { click_action_type: 5, click_action_url: intent }, extras: {} };
}

function plainPage(intent: string): Click | undefined {
  const [, list = ''] = /^intent:#Intent;(.+);end$/s.exec(intent) ?? [];
  const parts = list.split(';');
  const [component] = parts;
  const [, packageName = '', name = ''] = /^component=([\w.]+)\/([\w.$]+)$/.exec(component ?? '') ?? [];
  const texts = parts.slice(1).map((part) => /^S\.([^=]+)=(.*)$/s.exec(part));
  if (name === '' || texts.includes(null)) return undefined;
  try {
    const extras = texts.map((text) => [decodeURIComponent(text?.[1] ?? ''), decodeURIComponent(text?.[2] ?? '')]);
    const activity = name.startsWith('.') ? packageName + name : name;
    return { action: { click_action_type: 4, click_action_activity: activity }, extras: Object.fromEntries(extras) };
  } catch {
    return undefined; // a lone percent sign
  }
}
