import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a stack writes down about itself, so that another process can act on it later. */
export type StackState = {
  /** Unique; the processes of the stack carry it. */
  name: string;
  createdDirectory: boolean;
  postgres: { port: number; password: string };
  nats: NatsNode[];
};

export type NatsNode = { clientPort: number; clusterPort: number };

export function stateFile(directory: string): string {
  return join(directory, 'stack.json');
}

/** Synchronous, since PostgreSQL and NATS start side by side and both save. Private, since it has the password. */
export function saveState(directory: string, state: StackState): void {
  writeFileSync(stateFile(directory), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}

export function readState(directory: string): StackState {
  try {
    return JSON.parse(readFileSync(stateFile(directory), 'utf8')) as StackState;
  } catch (cause) {
    throw new Error(`No stack is in ${directory}.`, { cause });
  }
}
