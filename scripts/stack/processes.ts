import { readdirSync, readFileSync } from 'node:fs';

/**
 * How the processes of one server are told from all others: by their command lines, which hold the stack's own directory
 * or name. A recorded process id may belong to somebody else by now, and does not lead to the children of a PostgreSQL
 * whose first process is gone. Command lines are readable by everyone, also for root in a container.
 */
export type ProcessMark = {
  /** The last arguments of the first process. */
  args: readonly string[];
  /** How the titles of its children begin. */
  childTitle?: string;
};

/** The living processes with these marks, the first ones before their children. A dying one has no command line. */
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

/** Sends a signal; a process that ended in between is fine. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Whether a process does not run because of SIGSTOP. */
export function isStopped(pid: number): boolean {
  return 'Tt'.includes(processState(pid) || '-');
}

/** Ended, so that its ports are free, although its parent may not have collected it yet. */
export function isDead(pid: number): boolean {
  return 'ZX'.includes(processState(pid));
}

/** One letter, see proc(5); empty when there is no such process. */
function processState(pid: number): string {
  const stat = readProcess(String(pid), 'stat');
  return stat.slice(stat.lastIndexOf(')')).charAt(2);
}

function readProcess(pid: string, file: 'cmdline' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // It ended between listing and reading.
  }
}
