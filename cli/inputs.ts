import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './failure.ts';

/** Maximum size of an input: 1 MiB, which is more than the 256 KB that the service accepts in a request body. */
const INPUT_BYTES_MAX = 1024 * 1024;

/** Reads values from files, standard input and the keyboard. */
export class Inputs {
  #standardInputIsUsed = false;

  /**
   * Returns the string that a value stands for: `@path` is the content of a file, `@-` is standard input, and `\@…` is
   * a string that starts with `@`. One line break at the end of a file is removed, because editors add it. With
   * `binary`, a file that is not UTF-8 is returned as base64.
   */
  async read(value: string, name: string, { binary = false } = {}): Promise<string> {
    if (value.startsWith('\\@')) return value.slice(1);
    if (!value.startsWith('@')) return value;
    const bytes = await this.#readBytes(value.slice(1), name);
    if (isUtf8(bytes)) return bytes.toString().replace(/\r?\n$/, '');
    if (!binary) throw new UsageError(`${name}: ${value} is not a UTF-8 text file.`);
    return bytes.toString('base64');
  }

  async #readBytes(path: string, name: string): Promise<Buffer> {
    if (path === '-') {
      if (this.#standardInputIsUsed)
        throw new UsageError(
          `${name}: standard input can be read only once per command. Use a file for the other value.`,
        );
      this.#standardInputIsUsed = true;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
        chunks.push(chunk as Buffer);
        size += (chunk as Buffer).length;
        if (size > INPUT_BYTES_MAX) throw new Error(`the input is larger than ${INPUT_BYTES_MAX} bytes`);
      }
    } catch (cause) {
      throw new UsageError(`${name}: @${path} cannot be read: ${(cause as Error).message}.`, { cause });
    }
    return Buffer.concat(chunks);
  }

  /** Whether the command runs interactively. */
  get canPrompt(): boolean {
    return process.stdin.isTTY && process.stderr.isTTY;
  }

  /** Prompts for a secret, which is not shown while it is typed. */
  async promptSecret(question: string): Promise<string> {
    const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
    const keyboard = createInterface({ input: process.stdin, output: muted, terminal: true });
    // From this point on, the terminal does not show input. If the prompt came earlier, quickly typed characters would
    // be visible.
    process.stderr.write(question);
    try {
      return await new Promise((resolve, reject) => {
        keyboard.once('line', resolve);
        keyboard.once('SIGINT', () => reject(new UsageError('Interrupted.')));
        keyboard.once('close', () => reject(new UsageError('No value was entered.')));
      });
    } finally {
      process.stderr.write('\n');
      keyboard.close();
    }
  }

  /** Asks for confirmation. Returns true only for `y` or `yes`. The end of the input counts as no. */
  async confirm(question: string): Promise<boolean> {
    const keyboard = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const ended = new Promise<string>((resolve) =>
        keyboard.once('close', () => resolve('')).once('SIGINT', () => resolve('')),
      );
      return /^y(es)?$/i.test((await Promise.race([keyboard.question(question), ended])).trim());
    } finally {
      keyboard.close();
    }
  }
}
