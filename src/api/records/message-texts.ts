import { parseJson } from '#src/foundation/json.ts';

/** Returns the title and the body of a stored message. A message that cannot be parsed has none. */
export function textsOf(messageText: string): { readonly title: string | null; readonly body: string | null } {
  const toText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  try {
    const { title, body } = parseJson(messageText) as { readonly title?: unknown; readonly body?: unknown };
    return { title: toText(title), body: toText(body) };
  } catch {
    return { title: null, body: null };
  }
}
