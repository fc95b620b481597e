/** Replaces a removed part of a text. */
export const REDACTED = '[redacted]';

/** Parts of a known secret with at least this many characters are removed. Shorter parts occur in ordinary words. */
const PART_CHARACTERS_MIN = 8;

/**
 * Removes secrets from texts. The command knows some secrets, such as the vendor token. It does not know the secrets of
 * the vendor credentials, because only the service can read them, but a vendor could quote them in an error message.
 */
export class Redactor {
  readonly #secretParts = new Set<string>();
  readonly #identifierParts = new Set<string>();

  /** Adds values that must not occur in any text. */
  addSecrets(...values: readonly string[]): void {
    for (const value of values) addParts(this.#secretParts, value);
  }

  /** Adds values that identify the app at the vendor. They are removed only from texts of the vendor. */
  addIdentifiers(...values: readonly string[]): void {
    for (const value of values) addParts(this.#identifierParts, value);
  }

  /** Removes known secrets, their parts and their encoded forms. */
  redact(text: string): string {
    return removeParts(text, this.#secretParts);
  }

  /** Also removes everything that could be an unknown secret: only words and short numbers remain. */
  redactVendorText(text: string): string {
    const withoutKnown = removeParts(this.redact(text), this.#identifierParts);
    return withoutKnown
      .split(REDACTED)
      .map((part) => part.replaceAll(CHUNK, (chunk) => (isPlain(chunk) ? chunk : REDACTED)))
      .join(REDACTED)
      .replaceAll(SEVERAL_REDACTED, REDACTED);
  }
}

/** A time as Carillon writes it, or visible ASCII characters without punctuation that separates words. */
const CHUNK = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z|[^\s"'`()[\]{}<>,;:!?.|\u0080-\uffff]+/g;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const SEVERAL_REDACTED = /(?:\[redacted\][.,:;=/+-]*)+\[redacted\]/g;

/** A word, an abbreviation or a name such as `BadDeviceToken`. Random letters rarely have this form. */
const WORD = /^(?:[A-Z]{2,12}s?|[A-Z]?[a-z]{1,20}(?:[A-Z][a-z]{1,20}){0,6}|[A-Z])$/;
const NUMBER = /^\d{1,10}$/;
/** Too short to be useful, such as `V2`, `p12` or `HTTP2`. */
const SHORT_CHARACTERS_MAX = 5;
const DIGITS_MAX = 10;

function isPlain(chunk: string): boolean {
  if (chunk.length <= SHORT_CHARACTERS_MAX || TIME.test(chunk)) return true;
  if (chunk.replaceAll(/\D/g, '').length > DIGITS_MAX) return false;
  const segments = chunk.split(/[/_=-]+/).filter((segment) => segment !== '');
  return segments.every((segment) => WORD.test(segment) || NUMBER.test(segment));
}

/** Adds the parts of a value in every form in which it is likely to occur. */
function addParts(parts: Set<string>, value: string): void {
  for (const form of formsOf(value)) {
    const text = form.toLowerCase();
    if (text.length === 0) continue;
    if (text.length < PART_CHARACTERS_MIN) parts.add(text);
    for (let i = 0; i + PART_CHARACTERS_MIN <= text.length; i++) parts.add(text.slice(i, i + PART_CHARACTERS_MIN));
  }
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  // Base64 depends on the position of the value in the encoded text. The characters at the ends also depend on the
  // bytes next to it, so they are omitted.
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    return text.slice(offset === 0 ? 0 : offset + 1, bytes.length > PART_CHARACTERS_MIN ? -1 : undefined);
  });
  return [
    value,
    bytes.toString('hex'),
    encodeURIComponent(value),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** Replaces every run of characters that parts cover. */
function removeParts(text: string, parts: ReadonlySet<string>): string {
  const lower = text.toLowerCase();
  // A few letters change their length in lower case. Such a text is compared as it is.
  const searched = lower.length === text.length ? lower : text;
  const covered = new Uint8Array(text.length);
  const shortParts = [...parts].filter(({ length }) => length < PART_CHARACTERS_MIN);
  for (let i = 0; i < searched.length; i++) {
    if (parts.has(searched.slice(i, i + PART_CHARACTERS_MIN))) covered.fill(1, i, i + PART_CHARACTERS_MIN);
    for (const part of shortParts) if (searched.startsWith(part, i)) covered.fill(1, i, i + part.length);
  }
  let result = '';
  for (let i = 0; i < text.length; i++) {
    if (!covered[i]) result += text[i];
    else if (!covered[i - 1]) result += REDACTED;
  }
  return result;
}
