import { widthOf } from './printable.ts';

/** A table cell. Numbers are aligned to the right. */
export interface Cell {
  readonly text: string;
  readonly right?: boolean;
}

const GAP = '  ';

/** Returns lines with aligned columns. The first line is the header. */
export function alignTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const columns = head.map((name, index) => {
    const cells = rows.map((row) => row[index] ?? { text: '' });
    const width = Math.max(widthOf(name), ...cells.map(({ text }) => widthOf(text)));
    return { width, right: cells.length > 0 && cells.every(({ right }) => right === true) };
  });
  const lines = [head.map((text): Cell => ({ text })), ...rows].map((row) =>
    row.map(({ text }, index) => pad(text, columns[index] ?? { width: 0, right: false })).join(GAP),
  );
  return lines.map((line) => line.trimEnd());
}

/** Returns aligned names and values. Further lines of a value are indented below the first. */
export function alignPairs(pairs: readonly (readonly [name: string, lines: readonly string[]])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => widthOf(name))) + 1;
  return pairs.flatMap(([name, lines]) =>
    lines.map((line, index) => `${pad(index === 0 ? `${name}:` : '', { width, right: false })} ${line}`),
  );
}

function pad(text: string, { width, right }: { width: number; right: boolean }): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return right ? space + text : text + space;
}

/**
 * Wraps a text between words. A word longer than a line stays whole, so that it can be copied, unless `everywhere` is
 * set.
 */
export function wrapText(text: string, columns: number, { everywhere = false } = {}): string[] {
  if (widthOf(text) <= columns) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((whole) => (everywhere ? breakWord(whole, columns) : [whole]))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > columns) lines.push(line);
    line = line !== '' && widthOf(longer) > columns ? word : longer;
  }
  return [...lines, line];
}

function breakWord(word: string, columns: number): string[] {
  if (widthOf(word) <= columns) return [word];
  const parts: string[] = [''];
  for (const character of word) {
    const last = parts.length - 1;
    if (parts[last] !== '' && widthOf(`${parts[last]}${character}`) > columns) parts.push(character);
    else parts[last] += character;
  }
  return parts;
}
