import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CommandResult, run } from '../support/run-command.ts';
import { commandsFor } from './commands.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Shell of an operator: a home directory with the programs of the checkout, and `carillon` on the path as docs/reference/cli.md
 * installs it.
 */
export interface OperatorShell extends AsyncDisposable {
  /** Runs a block of commands, and stops at the first command that fails. */
  type(commands: string, variables?: Readonly<Record<string, string>>): Promise<CommandResult>;
}

export async function openOperatorShell(options: {
  readonly variables: Readonly<Record<string, string>>;
  /** Files in the directory, by name. */
  readonly files?: Readonly<Record<string, string>>;
}): Promise<OperatorShell> {
  const directory = await mkdtemp(join(tmpdir(), 'carillon-guide-'));
  const [install = ''] = commandsFor('cli', 'docs/reference/cli.md');
  const installed = await run('bash', ['-euc', `cd '${root}'\n${install}`], { HOME: directory });
  assert.equal(installed.code, 0, installed.stderr);
  await symlink(join(root, 'src'), join(directory, 'src'));
  for (const [name, text] of Object.entries(options.files ?? {})) await writeFile(join(directory, name), text);
  const PATH = [join(directory, '.local/bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  return {
    type: (commands, variables = {}) =>
      run('bash', ['-euo', 'pipefail', '-c', `cd '${directory}'\n${commands}`], {
        HOME: directory,
        NO_COLOR: '1',
        ...options.variables,
        ...variables,
        // Without a compile cache, a command spends most of its time loading its own source, and a guide runs dozens of
        // commands.
        NODE_COMPILE_CACHE: join(directory, 'compiled'),
        PATH,
      }),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}
