/**
 * The log lines of the roles. Lines that a role logs before the instructions are printed are held back: they would push
 * the instructions off the screen, or appear in the middle of them.
 */
export class StartupLog {
  readonly #printLine: (line: string) => void;
  #heldLines: string[] | undefined = [];

  constructor(printLine: (line: string) => void) {
    this.#printLine = printLine;
  }

  /** Prints a progress message immediately. */
  progress(line: string): void {
    this.#printLine(line);
  }

  add(line: string): void {
    if (this.#heldLines) this.#heldLines.push(line);
    else this.#printLine(line);
  }

  /** Prints the lines from the start of the roles, except ordinary events, and then all new lines. */
  release(): void {
    this.#print((line) => !line.includes('"level":"info"'));
  }

  /** Prints all lines, because the start failed. */
  printAll(): void {
    this.#print(() => true);
  }

  #print(isPrinted: (line: string) => boolean): void {
    for (const line of this.#heldLines?.filter(isPrinted) ?? []) this.#printLine(line);
    this.#heldLines = undefined;
  }
}
