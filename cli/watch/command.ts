import type { Command } from 'commander';
import { UsageError } from '../failure.ts';
import { Inputs } from '../inputs.ts';
import { type Globals, toClient } from '../run-operation.ts';
import { watchTask } from './watch.ts';

const TIMEOUT_SECONDS_MAX = 30 * 24 * 3_600;

/** Adds `carillon task watch`. */
export function addWatch(task: Command): void {
  task
    .command('watch')
    .summary('Follow a task, with a live bar for each channel')
    .description(
      'Asks once a second how far a task has come, until it has ended: bars on a terminal, elsewhere a line for whatever has changed, with --json a line of JSON each time. A vendor may tell later what has arrived; `task detail` then has it.',
    )
    .usage('<task_id> [options]')
    .configureHelp({ ...task.configureHelp(), showGlobalOptions: true })
    .argument('<task_id>', 'Push task ID.')
    .option('--timeout <seconds>', 'Wait no longer than this; the exit code is then 4.')
    .action(async (text: string, { timeout }: { timeout?: string }, self: Command) => {
      const globals = self.optsWithGlobals<Globals>();
      process.exitCode = await watch(globals, toTaskId(text), toSeconds('--timeout', timeout));
    });
}

/** Watches a task as the caller of the global options. Returns the exit code. */
export async function watch(
  globals: Globals,
  taskId: bigint,
  timeoutSeconds?: number,
  inputs = new Inputs(),
): Promise<number> {
  const connect = (stop: AbortSignal) =>
    toClient({ access: 'token' }, globals, inputs, {
      fetch: (url, init) =>
        fetch(url, { ...init, signal: AbortSignal.any([stop, ...(init?.signal ? [init.signal] : [])]) }),
    });
  return await watchTask(connect, taskId, { json: globals.json === true, timeoutSeconds });
}

function toTaskId(text: string): bigint {
  if (!/^\d{1,18}$/.test(text))
    throw new UsageError(`A task ID is a number, not "${text}". \`carillon task list\` shows them.`);
  return BigInt(text);
}

export function toSeconds(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!/^\d{1,8}$/.test(text) || seconds < 1 || seconds > TIMEOUT_SECONDS_MAX)
    throw new UsageError(`${flag} takes a number of seconds, not "${text}".`);
  return seconds;
}
