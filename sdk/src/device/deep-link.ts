/** The page of an app that a notification opens on Android. */
export interface DeepLink {
  readonly action: string;
  /** `<package>/<class>` of the activity. Undefined if Android finds it by action and data. */
  readonly component: string | undefined;
  /** URI of the content to display. */
  readonly data: string | undefined;
  /** All values are strings, also those that have another type in the URI. */
  readonly extras: Readonly<Record<string, string>>;
}

const ACTION_DEFAULT = 'android.intent.action.VIEW';
const INTENT = '#Intent;';
const URI = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;
const INTEGER = /^-?\d+$/;

/** Returns whether a value has the type of the letter in front of the name, as in `i.count=7`. */
const isOfType: Readonly<Record<string, (value: string) => boolean>> = {
  S: () => true,
  B: () => true,
  c: (value) => value !== '',
  b: (value) => INTEGER.test(value),
  s: (value) => INTEGER.test(value),
  i: (value) => INTEGER.test(value),
  l: (value) => INTEGER.test(value),
  d: (value) => value.trim() !== '' && !Number.isNaN(Number(value)),
  f: (value) => value.trim() !== '' && !Number.isNaN(Number(value)),
};

/**
 * Parses the page of a notification, such as `intent:#Intent;component=com.example.app/.Orders;S.order=17;end`, as
 * Android does. Returns undefined if the text is not such a URI, or if it names another app than `appPackage`.
 * The text comes from outside the app, so flags and selectors are ignored.
 */
export function parseDeepLink(uri: string, appPackage: string): DeepLink | undefined {
  if (!URI.test(uri) || uri.startsWith('android-app:')) return undefined;
  if (!uri.startsWith('intent:')) return { action: ACTION_DEFAULT, component: undefined, data: uri, extras: {} };
  const start = uri.lastIndexOf('#');
  if (!uri.startsWith(INTENT, start)) return undefined;
  const parts = uri.slice(start + INTENT.length).split(';');
  const end = parts.findIndex((part) => part.startsWith('end'));
  if (end < 0) return undefined;
  return toDeepLink(uri.slice('intent:'.length, start), parts.slice(0, end), appPackage);
}

function toDeepLink(rest: string, parts: readonly string[], appPackage: string): DeepLink | undefined {
  let action = ACTION_DEFAULT;
  let component: string | undefined;
  let scheme: string | undefined;
  const extras: Record<string, string> = {};
  for (const part of parts) {
    if (part === 'SEL') break;
    const equals = part.indexOf('=');
    if (equals < 0) return undefined;
    const [name, value] = [part.slice(0, equals), decode(part.slice(equals + 1))];
    if (name === 'action') action = value;
    else if (name === 'scheme') scheme = value;
    else if (name === 'package') {
      if (value !== appPackage) return undefined;
    } else if (name === 'component') {
      component = expandComponent(value);
      if (!component?.startsWith(`${appPackage}/`)) return undefined;
    } else if (!IGNORED.has(name)) {
      if (name[1] !== '.' || !isOfType[name[0] as string]?.(value)) return undefined;
      extras[decode(name.slice(2))] = value;
    }
  }
  const data = scheme === undefined ? rest : `${scheme}:${rest}`;
  return { action, component, data: data === '' ? undefined : data, extras };
}

/** Parts that have no meaning for an app's own page. */
const IGNORED: ReadonlySet<string> = new Set([
  'category',
  'type',
  'launchFlags',
  'extendedLaunchFlags',
  'sourceBounds',
]);

/** Expands the short form `com.example.app/.Orders`. */
function expandComponent(value: string): string | undefined {
  const [, appPackage, activity] = /^([^/]+)\/(.+)$/.exec(value) ?? [];
  if (appPackage === undefined || activity === undefined) return undefined;
  return `${appPackage}/${activity.startsWith('.') ? appPackage : ''}${activity}`;
}

/** A text that is not valid is kept, because Android accepts it too. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
