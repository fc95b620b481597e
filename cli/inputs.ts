import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './failure.ts';

/** The service takes bodies of 256 KB. */
const INPUT_BYTES_MAX = 1024 * 1024;

/** Values that come from elsewhere than the command line: files, standard input, the keyboard. */
export class Inputs {
  #standardInputIsUsed = false;

  /**
   * The text that a value stands for: `@path` is a file, `@-` standard input, `\@…` a text that begins with `@`. One
   * line break at the end of a file is dropped, since editors put it there. `binary`: a file that is no text is sent as
   * base64.
   */
  async read(value: string, name: string, { binary = false } = {}): Promise<string> {
    if (value.startsWith('\\@')) return value.slice(1);
    if (!value.startsWith('@')) return value;
    const bytes = await this.#readBytes(value.slice(1), name);
    if (isUtf8(bytes)) return bytes.toString().replace(/\r?\n$/, '');
    if (!binary) throw new UsageError(`${name}: ${value} is not a text.`);
    return bytes.toString('base64');
  }

  async #readBytes(path: string, name: string): Promise<Buffer> {
    if (path === '-') {
      if (this.#standardInputIsUsed) throw new UsageError(`${name}: standard input can be used once only.`);
      this.#standardInputIsUsed = true;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
        chunks.push(chunk as Buffer);
        size += (chunk as Buffer).length;
        if (size > INPUT_BYTES_MAX) throw new Error(`it is larger than ${INPUT_BYTES_MAX} bytes`);
      }
    } catch (cause) {
      throw new UsageError(`${name}: @${path} cannot be read: ${(cause as Error).message}.`, { cause });
    }
    return Buffer.concat(chunks);
  }

  /** Whether there is somebody to ask. */
  get canPrompt(): boolean {
    return process.stdin.isTTY && process.stderr.isTTY;
  }

  /** Asks for a secret, which is not shown while it is typed. */
  async promptSecret(question: string): Promise<string> {
    const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
    const keyboard = createInterface({ input: process.stdin, output: muted, terminal: true });
    // The terminal shows nothing from here on. Asked before, a quick answer would be seen.
    process.stderr.write(question);
    try {
      return await new Promise((resolve, reject) => {
        keyboard.once('line', resolve);
        keyboard.once('SIGINT', () => reject(new UsageError('Interrupted.')));
        keyboard.once('close', () => reject(new UsageError('Nothing was typed.')));
      });
    } finally {
      process.stderr.write('\n');
      keyboard.close();
    }
  }

  /** Asks whether to go on. Anything but yes is no, also the end of what is typed. */
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
