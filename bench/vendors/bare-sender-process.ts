import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { SendCommand } from '../bare-vendors.ts';

/** The baseline sender, in a separate process. */
export class BareSender implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<never>;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = once(child, 'exit').then(() => Promise.reject(new Error('The baseline sender has exited.')));
    this.#exited.catch(() => undefined); // prevents an unhandled rejection when the process exits at the end of the bench
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Resolves when the vendor has responded to all requests. */
  async send(command: SendCommand): Promise<void> {
    this.#child.send(command);
    await this.#nextMessage();
  }

  async ready(): Promise<this> {
    await this.#nextMessage();
    return this;
  }

  async #nextMessage(): Promise<void> {
    await Promise.race([once(this.#child, 'message'), this.#exited]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }
}

export function startBareSender(settings: Readonly<Record<string, string>>): Promise<BareSender> {
  const program = new URL('../bare-vendors.ts', import.meta.url);
  const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { ...process.env, ...settings } });
  return new BareSender(child).ready();
}
