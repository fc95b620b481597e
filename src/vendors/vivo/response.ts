import { parseJson } from '#src/foundation/json.ts';
import { isObject, messageIdOf } from '../translate/response-values.ts';

/** vivo's answer; nothing when it is none, such as the plain text that comes with 500. Long integers keep their digits. */
export function readResponse(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Task ids have more digits than a number holds, so they are texts, even if vivo should write one as a number. */
export const taskIdOf = (value: unknown): string => messageIdOf(typeof value === 'bigint' ? value.toString() : value);
