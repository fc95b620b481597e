import { readdir, readFile } from 'node:fs/promises';
import type { Storage } from '#src/storage/database/database.ts';

/** Linux counts in hundredths of a second. */
const TICKS_PER_SECOND = 100;

interface Stat {
  readonly parent: number;
  readonly seconds: number;
  /** Of its children that have ended. */
  readonly endedSeconds: number;
}

/** What a process has spent, in its own code and in the system's. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  return (await readStat(pid))?.seconds ?? 0;
}

/** What the server of PostgreSQL has spent, with all of its processes, also those that have ended. */
export async function postgresCpuSeconds({ home }: Storage): Promise<number> {
  const [backend] = await home.query<{ pid: number }>('select pg_backend_pid() as pid');
  const server = (await readStat(Number(backend?.pid)))?.parent as number;
  const own = await readStat(server);
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(numbers.map(readStat));
  const children = stats.filter((stat) => stat?.parent === server);
  const running = children.reduce((sum, stat) => sum + (stat?.seconds ?? 0), 0);
  return running + (own?.seconds ?? 0) + (own?.endedSeconds ?? 0);
}

/** The name in parentheses may hold anything; behind it are numbers. */
async function readStat(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined); // it may have ended just now
  if (text === undefined) return undefined;
  const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = rest.slice(9, 13).map(Number);
  return {
    parent: Number(parent),
    seconds: (user + system) / TICKS_PER_SECOND,
    endedSeconds: (endedUser + endedSystem) / TICKS_PER_SECOND,
  };
}
