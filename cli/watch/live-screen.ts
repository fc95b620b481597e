import { widthOf } from '../printable.ts';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_LINE_BEHIND = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Lines of a terminal that are written over again and again, in one write each time so that nothing flickers. */
export class LiveScreen {
  readonly #stream: NodeJS.WriteStream;
  #lines: readonly string[] = [];

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** What does not fit on the screen is left out: nobody can go back up to it. */
  draw(allLines: readonly string[]): void {
    const lines = allLines.slice(0, Math.max(1, (this.#stream.rows || Number.POSITIVE_INFINITY) - 1));
    const text = lines.map((line) => `${line}${CLEAR_LINE_BEHIND}\n`).join('');
    this.#stream.write(`${HIDE_CURSOR}${this.#moveToTop()}${text}${CLEAR_BELOW}`);
    this.#lines = lines;
  }

  /** The last lines stay, and the cursor is seen again below them. */
  end(): void {
    this.#stream.write(SHOW_CURSOR);
  }

  /** Back to the first line. A terminal that was made narrower meanwhile has broken lines that were too wide. */
  #moveToTop(): string {
    const rows = this.#lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(visibleWidth(line) / this.#columns)), 0);
    return rows === 0 ? '' : `\r\u001b[${rows}A`;
  }

  get #columns(): number {
    return this.#stream.columns || Number.POSITIVE_INFINITY;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what it looks for.
const COLOURS = /\u001b\[\d*m/g;
const visibleWidth = (line: string): number => widthOf(line.replaceAll(COLOURS, ''));
