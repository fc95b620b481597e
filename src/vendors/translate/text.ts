/** A visible character can consist of many code points, for example a family emoji, a flag or a letter with accents. */
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

const ELLIPSIS = '…';

/**
 * Shortens a text to a length of at most `max`, measured as the vendor does. Cuts only between visible characters, and
 * marks the cut with an ellipsis.
 */
export function cutToLength(text: string, max: number, lengthOf: (text: string) => number): string {
  if (lengthOf(text) <= max) return text;
  let remaining = max - lengthOf(ELLIPSIS);
  let end = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    remaining -= lengthOf(segment);
    if (remaining < 0) break;
    end = index + segment.length;
  }
  return end === 0 ? '' : text.slice(0, end) + ELLIPSIS;
}

/** Returns the number of bytes in UTF-8. */
export const byteLengthOf = (text: string): number => Buffer.byteLength(text);

/** Returns the number of code points, which most vendors call characters. */
export const characterCountOf = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** Returns the number of bytes inside a JSON string. */
export const jsonByteLengthOf = (text: string): number => byteLengthOf(JSON.stringify(text)) - 2;

/**
 * Builds a payload that fits, with as much of the text as possible, or none. If the payload is still too long without
 * the text, the vendor rejects it.
 */
export function fitText(
  text: string,
  bytesMax: number,
  build: (text: string) => string,
  lengthOf = jsonByteLengthOf,
): string {
  const fullPayload = build(text);
  const excess = byteLengthOf(fullPayload) - bytesMax;
  if (excess <= 0) return fullPayload;
  return build(cutToLength(text, Math.max(lengthOf(text) - excess, 0), lengthOf));
}
