import { widthOf } from '../printable.ts';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_LINE_BEHIND = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Lines of a terminal that are overwritten repeatedly. Each frame is a single write, to avoid flicker. */
export class LiveScreen {
  readonly #stream: NodeJS.WriteStream;
  #lines: readonly string[] = [];

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Draws the lines. Lines beyond the height of the screen are omitted, because the cursor cannot return to them. */
  draw(allLines: readonly string[]): void {
    const lines = allLines.slice(0, Math.max(1, (this.#stream.rows || Number.POSITIVE_INFINITY) - 1));
    const text = lines.map((line) => `${line}${CLEAR_LINE_BEHIND}\n`).join('');
    this.#stream.write(`${HIDE_CURSOR}${this.#moveToTop()}${text}${CLEAR_BELOW}`);
    this.#lines = lines;
  }

  /** Keeps the last lines and shows the cursor again. */
  end(): void {
    this.#stream.write(SHOW_CURSOR);
  }

  /**
   * Returns the sequence that moves the cursor to the first line. A long line counts as several rows, because a
   * terminal that has become narrower wraps it.
   */
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
