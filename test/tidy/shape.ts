const PAGE_WORDS_MAX = 1_200;
const CELL_WORDS_MAX = 15;
const LINE_CHARACTERS_MAX = 120;

/** Pages that a reader follows from top to bottom. Reference pages and the list of log events can be longer. */
const guide = /^docs\/(zh\/)?(start|backend|app|vendors|migrate|operate)\/(?!log-events\.md)/;

/** Pages that `npm run docs` writes. */
const generated = /^docs\/((zh\/)?app\/android-privacy|reference\/(http\/|configuration|metrics)|internals\/licences)/;

/** Tables that `npm run docs` writes into a page. */
const generatedTable = /<!-- fields:begin -->[\s\S]*?<!-- fields:end -->/g;

/** Returns what makes a page too long to read: its length, table cells and lines. */
export function findShapes(file: string, content: string): string[] {
  if (generated.test(file)) return [];
  const prose = content
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(generatedTable, '')
    .replace(/^( *)(```|~~~)[\s\S]*?^ *\2$/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '');
  const words = countWords(prose);
  const lines = prose.split('\n');
  const cells = lines.filter((line) => line.startsWith('|')).flatMap((line) => line.slice(1, -1).split(/(?<!\\)\|/));
  return [
    ...(guide.test(file) && words > PAGE_WORDS_MAX ? [`${words} words, at most ${PAGE_WORDS_MAX}`] : []),
    ...cells.filter((cell) => countWords(cell) > CELL_WORDS_MAX).map((cell) => `long cell: ${cell.trim()}`),
    ...lines
      .filter(
        (line) => !line.startsWith('|') && line.length > LINE_CHARACTERS_MAX && !/^\S*\[[^\]]*\]\(\S+$/.test(line),
      )
      .map((line) => `long line: ${line.slice(0, 60)}…`),
  ];
}

/** Counts words. A link counts as its text, and two Chinese characters count as one word. */
function countWords(text: string): number {
  const shown = text.replace(/\]\([^)]*\)/g, ']');
  const han = shown.match(/\p{Script=Han}/gu)?.length ?? 0;
  const others = shown.replace(/\p{Script=Han}/gu, ' ').match(/[\p{L}\p{N}][\p{L}\p{N}'’_./:-]*/gu)?.length ?? 0;
  return Math.ceil(han / 2) + others;
}
