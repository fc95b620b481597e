/** Parses a vendor's response. Returns undefined if it is not a JSON object, for example a page from a proxy. */
export function readJsonObject(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a code as a string, or an empty string if there is none. Some vendors send numbers, others strings. */
export function codeOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && /^\w{1,32}$/.test(value) ? value : '';
}

/**
 * Returns the vendor's ID for a message, for support requests to the vendor. It is stored, so its length is limited.
 */
export const messageIdOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, ID_CHARACTERS_MAX) : '';

const ID_CHARACTERS_MAX = 128;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
