/** A page of the app, and what it is given. */
export interface Page {
  readonly activity: string;
  readonly extras: Readonly<Record<string, string>>;
}

const COMPONENT = /^component=([\w.]+)\/([\w.$]+)$/;
/** `S.room=7`: a text; the other letters are numbers and the like, which reach the page as texts. */
const EXTRA = /^[SBbcdfils]\.([^=]+)=(.*)$/;

/** Meizu takes no intent URI: the class and the extras are told apart. Nothing: it names no page. */
export function readIntent(intent: string): Page | undefined {
  const parts = intent.slice(intent.indexOf('#Intent;') + '#Intent;'.length).split(';');
  const [, packageName = '', className = ''] = parts.map((part) => COMPONENT.exec(part)).find(Boolean) ?? [];
  if (className === '') return undefined;
  const extras = parts
    .map((part) => EXTRA.exec(part))
    .filter((extra) => extra !== null)
    .map(([, name = '', value = '']) => [decode(name), decode(value)] as const);
  return {
    // A class that begins with a dot is one of the package's.
    activity: className.startsWith('.') ? packageName + className : className,
    extras: Object.fromEntries(extras),
  };
}

/** Android writes them encoded; what was not is taken as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
