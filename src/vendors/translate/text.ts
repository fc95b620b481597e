/** What a reader takes for one character may be many code points: a family, a flag, a letter with its accents. */
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

const ELLIPSIS = '…';

/** Shortens to so many characters as a vendor counts them, between those that a reader sees, and says so with an ellipsis. */
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

/** Bytes in UTF-8. */
export const byteLengthOf = (text: string): number => Buffer.byteLength(text);

/** Code points: what most vendors call a character. */
export const characterCountOf = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** Bytes inside a JSON text. */
export const jsonByteLengthOf = (text: string): number => byteLengthOf(JSON.stringify(text)) - 2;

/**
 * Builds a payload that fits, with as much of the text as there is room for; the last resort is none of it. What is left
 * may still be too long then, and is the vendor's to refuse.
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
