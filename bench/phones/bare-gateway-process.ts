import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { GatewayCommand } from '../bare-gateway.ts';

/** The baseline gateway, in a separate process. */
export class BareGateway implements AsyncDisposable {
  readonly port: number;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Resolves when the command is done. */
  async execute(command: GatewayCommand): Promise<void> {
    this.#child.send(command);
    await once(this.#child, 'message');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }
}

export async function startBareGateway(): Promise<BareGateway> {
  const program = new URL('../bare-gateway.ts', import.meta.url);
  const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return new BareGateway(child, port);
}
