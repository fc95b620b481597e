import { parseJson } from '#src/foundation/json.ts';
import { isObject, messageIdOf } from '../translate/response-values.ts';

/**
 * Parses a response from vivo and keeps all digits of long integers. Returns undefined if it is not a JSON object, such
 * as the plain text of a 500 response.
 */
export function readResponse(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns a task ID as a string, even if vivo sends it as a number. Task IDs have more digits than a JavaScript number
 * can represent.
 */
export const taskIdOf = (value: unknown): string => messageIdOf(typeof value === 'bigint' ? value.toString() : value);
