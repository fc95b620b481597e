import { readdir, readFile } from 'node:fs/promises';
import type { Storage } from '#src/storage/database/database.ts';

/** Linux reports CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

interface Stat {
  readonly parent: number;
  readonly seconds: number;
  /** CPU seconds of the exited children of the process. */
  readonly endedSeconds: number;
}

/** Returns the CPU seconds of a process, in user and kernel mode. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  return (await readStat(pid))?.seconds ?? 0;
}

/**
 * Returns the CPU seconds of the PostgreSQL server with all its processes, including those that have exited. Running
 * processes with an excluded pid do not count.
 */
export async function postgresCpuSeconds({ home }: Storage, excludedPids: readonly number[] = []): Promise<number> {
  const [backend] = await home.query<{ pid: number }>('select pg_backend_pid() as pid');
  const server = (await readStat(Number(backend?.pid)))?.parent as number;
  const own = await readStat(server);
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(numbers.filter((pid) => !excludedPids.includes(pid)).map(readStat));
  const children = stats.filter((stat) => stat?.parent === server);
  const running = children.reduce((sum, stat) => sum + (stat?.seconds ?? 0), 0);
  return running + (own?.seconds ?? 0) + (own?.endedSeconds ?? 0);
}

/**
 * Reads `/proc/<pid>/stat`. The process name in parentheses can contain any character, so the fields after the last
 * parenthesis are parsed.
 */
async function readStat(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined); // the process may have just exited
  if (text === undefined) return undefined;
  const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = rest.slice(9, 13).map(Number);
  return {
    parent: Number(parent),
    seconds: (user + system) / TICKS_PER_SECOND,
    endedSeconds: (endedUser + endedSystem) / TICKS_PER_SECOND,
  };
}
