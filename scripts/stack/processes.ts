import { readdirSync, readFileSync } from 'node:fs';

/**
 * Identifies the processes of one server by their command lines, which contain the directory or the name of the stack.
 * A recorded process ID is not reliable, because another process may have the same ID by now. It also cannot be used to
 * find the children of a PostgreSQL server whose first process has ended. Every user can read command lines, including
 * root in a container.
 */
export type ProcessMark = {
  /** The last arguments of the first process. */
  args: readonly string[];
  /** Prefix of the titles of the first process's children. */
  childTitle?: string;
};

/**
 * Returns the running processes with these marks, separated into first processes and children. A process that is
 * exiting has no command line and is not returned.
 */
export function findProcesses(marks: readonly ProcessMark[]): { first: number[]; children: number[] } {
  const pids: { first: number[]; children: number[] } = { first: [], children: [] };
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const commandLine = readProcess(entry, 'cmdline');
    if (marks.some(({ args }) => commandLine.endsWith(`\0${args.join('\0')}\0`))) pids.first.push(Number(entry));
    else if (marks.some(({ childTitle }) => childTitle && commandLine.startsWith(childTitle))) {
      pids.children.push(Number(entry));
    }
  }
  return pids;
}

/** Sends a signal. A process that has ended in the meantime is ignored. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Returns whether a process is stopped by SIGSTOP. */
export function isStopped(pid: number): boolean {
  return 'Tt'.includes(processState(pid) || '-');
}

/** Returns whether a process has ended, so that its ports are free. A zombie counts as ended. */
export function isDead(pid: number): boolean {
  return 'ZX'.includes(processState(pid));
}

/** Returns the state letter of proc(5), or an empty string if the process does not exist. */
function processState(pid: number): string {
  const stat = readProcess(String(pid), 'stat');
  return stat.slice(stat.lastIndexOf(')')).charAt(2);
}

function readProcess(pid: string, file: 'cmdline' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // The process ended between listing and reading.
  }
}
