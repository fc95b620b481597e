import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The saved state of a stack. Another process can use it to control the stack later. */
export type StackState = {
  /** Unique name. The command lines of the stack's processes contain it. */
  name: string;
  createdDirectory: boolean;
  /** Whether the files of the servers stay when the stack stops. */
  keepsData: boolean;
  postgres: { port: number; password: string; environment: Readonly<Record<string, string>> };
  nats: NatsNode[];
};

export type NatsNode = { clientPort: number; clusterPort: number };

export function stateFile(directory: string): string {
  return join(directory, 'stack.json');
}

/**
 * Saves the state. It is synchronous because PostgreSQL and NATS start in parallel and both save the state. The file is
 * private because it contains the password.
 */
export function saveState(directory: string, state: StackState): void {
  writeFileSync(stateFile(directory), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}

export function readState(directory: string): StackState {
  try {
    return JSON.parse(readFileSync(stateFile(directory), 'utf8')) as StackState;
  } catch (cause) {
    throw new Error(`No stack was found in ${directory}.`, { cause });
  }
}
