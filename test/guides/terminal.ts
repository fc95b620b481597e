import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { eventually } from '../support/eventually.ts';

const RUN_SECONDS_MAX = 180;

/**
 * A Bash process that runs the commands of a guide like the terminal of a reader. A failing command ends the process.
 */
export class Terminal implements AsyncDisposable {
  readonly #bash: ChildProcessWithoutNullStreams;
  #output = '';

  constructor(directory: string, environment: Readonly<Record<string, string>> = {}) {
    this.#bash = spawn('bash', ['-eu', '-o', 'pipefail', '-s'], {
      cwd: directory,
      env: { ...ordinaryEnvironment(), ...environment },
      // A separate process group, so that its children can be terminated with it.
      detached: true,
    });
    for (const stream of [this.#bash.stdout, this.#bash.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
  }

  /** Returns all output so far. */
  get output(): string {
    return this.#output;
  }

  /** Types commands without waiting for them. */
  type(commands: string): void {
    this.#bash.stdin.write(`${commands}\n`);
  }

  /** Types commands, waits until they have succeeded, and returns their output. */
  async run(commands: string): Promise<string> {
    const before = this.#output.length;
    const end = `end-${randomBytes(6).toString('hex')}`;
    this.type(`${commands}\necho ${end}`);
    await this.until(new RegExp(`^${end}$`, 'm'), RUN_SECONDS_MAX);
    return this.#output.slice(before).replace(`${end}\n`, '');
  }

  /** Waits until the output matches a pattern. */
  async until(pattern: RegExp, secondsMax = 60): Promise<void> {
    const ended = () => this.#bash.exitCode !== null || this.#bash.signalCode !== null;
    await eventually(() => ended() || assert.match(this.#output, pattern), secondsMax);
    assert.match(this.#output, pattern);
  }

  /** Sends Ctrl-C, and waits until everything has ended. */
  async interrupt(): Promise<void> {
    await this.#end('SIGINT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#bash.exitCode !== null || this.#bash.signalCode !== null) return;
    const exit = once(this.#bash, 'exit');
    this.#bash.stdin.end();
    process.kill(-(this.#bash.pid as number), signal);
    await exit;
  }
}

/**
 * Returns the environment without the additions of `npm test`, because a reader's terminal does not have our programs
 * on its path.
 */
function ordinaryEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '').split(':').filter((place) => !/node_modules\/|\/node-gyp-bin/.test(place));
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|INIT_CWD|CARILLON_)/.test(name));
  return { ...Object.fromEntries(own), PATH: path.join(':') };
}
