/** A page of the app, with the extras that it receives. */
export interface Page {
  readonly activity: string;
  readonly extras: Readonly<Record<string, string>>;
}

const COMPONENT = /^component=([\w.]+)\/([\w.$]+)$/;
/**
 * `S.room=7` is a string extra. The other letters stand for numbers and other primitive types, whose values reach the
 * page as strings.
 */
const EXTRA = /^[SBbcdfils]\.([^=]+)=(.*)$/;

/**
 * Splits an intent URI into class and extras, because Meizu does not accept intent URIs. Returns undefined if the
 * intent names no page.
 */
export function readIntent(intent: string): Page | undefined {
  const parts = intent.slice(intent.indexOf('#Intent;') + '#Intent;'.length).split(';');
  const [, packageName = '', className = ''] = parts.map((part) => COMPONENT.exec(part)).find(Boolean) ?? [];
  if (className === '') return undefined;
  const extras = parts
    .map((part) => EXTRA.exec(part))
    .filter((extra) => extra !== null)
    .map(([, name = '', value = '']) => [decode(name), decode(value)] as const);
  return {
    // A class name that starts with a dot is relative to the package.
    activity: className.startsWith('.') ? packageName + className : className,
    extras: Object.fromEntries(extras),
  };
}

/** Decodes a name or value, which Android percent-encodes. Returns it unchanged if it is not encoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
