/** A vendor's answer; nothing when it is not a JSON object, as what stands between us and a vendor likes to answer. */
export function readJsonObject(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A code that some write as a number and some as a text; empty when there is none. */
export function codeOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && /^\w{1,32}$/.test(value) ? value : '';
}

/** What a vendor calls the message, for whoever asks it about it. It is kept, so it is not believed to any length. */
export const messageIdOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, ID_CHARACTERS_MAX) : '';

const ID_CHARACTERS_MAX = 128;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
