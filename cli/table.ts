import { widthOf } from './printable.ts';

/** A cell; numbers stand at the right of their column. */
export interface Cell {
  readonly text: string;
  readonly right?: boolean;
}

const GAP = '  ';

/** Lines with their columns aligned, the first one being the head. */
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

/** Names and values; a value of several lines goes on below itself. */
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
