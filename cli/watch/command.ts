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
    .summary('Show the progress of a task, with a live bar for each channel')
    .description(
      'Polls a task once a second until it has ended. On a terminal, it draws bars. Otherwise, it prints a line per change, or with --json a line of JSON per change. A vendor may report deliveries later; `task report` then includes them.',
    )
    .usage('<task_id> [options]')
    .configureHelp({ ...task.configureHelp(), showGlobalOptions: true })
    .argument('<task_id>', 'Push task ID.')
    .option('--timeout <seconds>', 'Maximum time to wait; the exit code is 4 if the task has not ended by then.')
    .action(async (text: string, { timeout }: { timeout?: string }, self: Command) => {
      const globals = self.optsWithGlobals<Globals>();
      process.exitCode = await watch(globals, toTaskId(text), toSeconds('--timeout', timeout));
    });
}

/** Watches a task with the credentials in the global options. Returns the exit code. */
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
    throw new UsageError(`The task ID must be a number, not "${text}". \`carillon task list\` lists task IDs.`);
  return BigInt(text);
}

export function toSeconds(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!/^\d{1,8}$/.test(text) || seconds < 1 || seconds > TIMEOUT_SECONDS_MAX)
    throw new UsageError(`${flag} must be a number of seconds from 1 to 2592000, not "${text}".`);
  return seconds;
}
