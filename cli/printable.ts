/**
 * Escapes characters that move the cursor, make a sound or change the text direction. Strings from other users must not
 * control the terminal.
 */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, (character) => shortEscapes[character] ?? toEscape(character));
}

export const toEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Control characters, line and paragraph separators, and characters that change the text direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Returns the number of columns that a printable text takes on a terminal. Chinese characters and most emoji take two.
 */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

const graphemes = new Intl.Segmenter();
/** An approximation of the wide blocks in Unicode's EastAsianWidth.txt. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
