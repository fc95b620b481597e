import { terminalOf } from '../terminal.ts';

const CLEAR_LINE = '\r\u001b[K';

/** Shows what a step waits for: a line that is overwritten on a terminal, or one line per step elsewhere. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #live: boolean;
  #text = '';

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#live = terminalOf(stream).live;
  }

  show(text: string, elapsedSeconds: number, secondsMax: number): void {
    const isNew = text !== this.#text;
    this.#text = text;
    if (this.#live) {
      const line = `${text}: ${elapsedSeconds} s of at most ${secondsMax} s`;
      this.#stream.write(`${CLEAR_LINE}${line.slice(0, (this.#stream.columns || 80) - 1)}`);
    } else if (isNew) this.#stream.write(`${text}, at most ${secondsMax} s.\n`);
  }

  clear(): void {
    if (this.#live && this.#text !== '') this.#stream.write(CLEAR_LINE);
    this.#text = '';
  }
}
