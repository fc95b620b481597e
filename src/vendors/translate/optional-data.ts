import type { Message } from '#src/domain/message.ts';
import { characterCountOf, cutToLength } from './text.ts';

/** Fields of the data for the app that are left out if a vendor's limit leaves no room for them. */
export type OptionalData = 'big_text' | 'ext' | 'attachment_url';

/**
 * Returns the fields in the order in which they are left out. `big_text` is in the data only if it is not shown. Vendors
 * that do not support it show it if there is no body.
 */
export function optionalDataOf({ type, body }: Message, { showsBigText = true } = {}): readonly OptionalData[] {
  const isUnseen = type === 'cmd' || (!showsBigText && body !== undefined);
  return isUnseen ? ['big_text', 'ext', 'attachment_url'] : ['ext', 'attachment_url'];
}

/** The data leaves room for a displayed text of at least this length. A longer text is cut before data is left out. */
const TEXT_CHARACTERS_MIN = 40;

/** Returns the beginning of a text for which the data must leave room. */
export const shortestText = (text: string): string => cutToLength(text, TEXT_CHARACTERS_MIN, characterCountOf);

/** Returns the part of a displayed text for which the data must leave room. A copy of the texts must not cut it. */
export function textToFit({ body, big_text }: Message, text: string, omitted: readonly OptionalData[]): string {
  const hasCopy = body !== undefined && big_text !== undefined && !omitted.includes('big_text');
  return hasCopy ? text : shortestText(text);
}

/** Returns the fields to leave out, as few as possible, so that the data fits. If it never fits, returns all of them. */
export function omittedData(
  message: Message,
  fields: readonly OptionalData[],
  fits: (omitted: readonly OptionalData[]) => boolean,
): OptionalData[] {
  const omitted: OptionalData[] = [];
  for (const field of fields.filter((name) => message[name] !== undefined)) {
    if (fits(omitted)) break;
    omitted.push(field);
  }
  // Without the last field, there can be room again for the fields before it.
  return omitted.slice(0, -1).reduce((remaining, field) => {
    const fewer = remaining.filter((other) => other !== field);
    return fits(fewer) ? fewer : remaining;
  }, omitted);
}

/** Returns a sentence for each field of a message that is not in its data. */
export const describeOmittedData = (
  message: Message,
  fields: readonly OptionalData[],
  data: object,
  limit: string,
): string[] =>
  fields
    .filter((field) => message[field] !== undefined && !Object.hasOwn(data, field))
    .map((field) => `${field} is left out of the data for the app: ${limit}.`);
