import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { noteTexts } from './note-texts.ts';
import { byteLengthOf, characterCountOf, cutToLength, fitText } from './text.ts';

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

/**
 * Builds a payload with as much of the data and of the displayed text as fits. A copy of the texts in the data must not
 * cut the displayed text. A data-only message has no displayed text.
 */
export function fitDataAndText(
  { message, text, bytesMax, showsBigText = true, lengthOf }: FittedParts,
  build: (omitted: readonly OptionalData[], text?: string) => string,
): string {
  const fields = optionalDataOf(message, { showsBigText });
  const hasTextsIn = (omitted: readonly OptionalData[]) =>
    message.big_text !== undefined && fields.includes('big_text') && !omitted.includes('big_text');
  const textToFit = (omitted: readonly OptionalData[]) => {
    if (message.type === 'cmd') return undefined;
    return hasTextsIn(omitted) ? text : shortestText(text);
  };
  const omitted = omittedData(message, fields, (some) => byteLengthOf(build(some, textToFit(some))) <= bytesMax);
  return message.type === 'cmd' ? build(omitted) : fitText(text, bytesMax, (part) => build(omitted, part), lengthOf);
}

interface FittedParts {
  readonly message: Message;
  /** The displayed text. */
  readonly text: string;
  readonly bytesMax: number;
  readonly showsBigText?: boolean;
  /** Returns the number of bytes that a text needs in the payload. */
  readonly lengthOf?: (text: string) => number;
}

/** Returns the fields of a message that are not in its data. */
export const missingData = (message: Message, fields: readonly OptionalData[], data: object): OptionalData[] =>
  fields.filter((field) => message[field] !== undefined && !Object.hasOwn(data, field));

/** Returns a sentence for each field of a message that is not in its data. */
export const describeOmittedData = (
  message: Message,
  fields: readonly OptionalData[],
  data: object,
  limit: string,
  language: Language,
): string[] => missingData(message, fields, data).map((field) => noteTexts[language].dataOmitted(field, limit));
