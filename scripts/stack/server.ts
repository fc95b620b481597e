import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcesses, isDead, isStopped, type ProcessMark, signal } from './processes.ts';
import { serverUser } from './programs.ts';

const READY_SECONDS_MAX = 30;

/**
 * Maximum time for a signal to take effect. A process ends within milliseconds of SIGKILL, but can take longer while it
 * writes to a slow disk.
 */
const SIGNAL_SECONDS_MAX = 10;

const POLL_MILLISECONDS = 20;
const LOG_TAIL_LINES = 20;

/** Description of one server of a stack: PostgreSQL or a NATS node. */
export type Server = {
  part: string;
  /** Directory of this server, also its working directory. */
  directory: string;
  logFile: string;
  program: () => string;
  args: readonly string[];
  /** Environment variables in addition to the PATH. */
  environment?: Readonly<Record<string, string>>;
  /** Removes files of a killed predecessor. Called only if none of its processes is running. */
  prepare: () => Promise<void>;
  /** Identifies the processes of this server. */
  mark: ProcessMark;
  /** Ends the server immediately but cleanly, so that it releases its shared memory. */
  endSignal: NodeJS.Signals;
  /** Throws if the server does not respond, or if another server responds on its port. */
  check: () => Promise<void>;
};

/** Starts a server and waits until it responds. The server keeps running when this process ends. */
export async function launch(server: Server): Promise<'ready' | 'port-taken'> {
  await server.prepare();
  await using log = await open(server.logFile, 'a');
  const logOffset = (await log.stat()).size;
  const child = spawn(server.program(), server.args, {
    cwd: server.directory,
    detached: true,
    env: { PATH: process.env.PATH, ...server.environment },
    stdio: ['ignore', log.fd, log.fd],
    ...serverUser(),
  });
  await once(child, 'spawn');
  child.unref();

  const failure = await waitUntilReady(server, child);
  if (failure === undefined) return 'ready';
  await killServers([server]);
  const logText = (await readFile(server.logFile)).subarray(logOffset).toString();
  if (/address already in use/i.test(logText)) return 'port-taken';
  const tail = logText.trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
  throw new Error(`${server.part} did not start. The end of its log:\n${tail}`, { cause: failure });
}

/**
 * Waits until the server responds. Returns the last error if the process exits or the time limit is reached, or
 * undefined if the server responds.
 */
async function waitUntilReady(server: Server, child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code, name]) => new Error(`The process exited with ${code ?? name}.`));
  const deadline = Date.now() + READY_SECONDS_MAX * 1000;
  while (true) {
    const probe = server.check().catch((error: unknown) => error);
    const failure = await Promise.race([probe, ended]);
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (failure === undefined || hasEnded || Date.now() > deadline) return failure;
    await sleep(POLL_MILLISECONDS);
  }
}

export function isRunning(server: Server): boolean {
  return allProcesses([server]).length > 0;
}

/**
 * Kills first processes before their children, because PostgreSQL starts crash recovery when one of its children dies.
 */
export async function killServers(servers: readonly Server[]): Promise<void> {
  const killed = new Set<number>();
  await waitUntil(`every process of ${partNames(servers)} to end`, () => {
    const living = allProcesses(servers); // Searched again in each round, because a child may have started during the previous round.
    for (const pid of living) {
      signal(pid, 'SIGKILL');
      killed.add(pid);
    }
    return living.length === 0 && [...killed].every(isDead);
  });
}

export async function freezeServers(servers: readonly Server[]): Promise<void> {
  await waitUntil(`every process of ${partNames(servers)} to freeze`, () => {
    const awake = allProcesses(servers).filter((pid) => !isStopped(pid));
    for (const pid of awake) signal(pid, 'SIGSTOP');
    return awake.length === 0;
  });
}

export async function thawServers(servers: readonly Server[]): Promise<void> {
  await waitUntil(`every process of ${partNames(servers)} to resume`, () => {
    const stopped = allProcesses(servers).filter(isStopped);
    for (const pid of stopped) signal(pid, 'SIGCONT');
    return stopped.length === 0;
  });
}

/** Ends servers cleanly, including frozen ones, and kills processes that do not end. */
export async function endServers(servers: readonly Server[]): Promise<void> {
  await thawServers(servers);
  const pids = allProcesses(servers);
  for (const server of servers) {
    for (const pid of findProcesses([server.mark]).first) signal(pid, server.endSignal);
  }
  const deadline = Date.now() + SIGNAL_SECONDS_MAX * 1000;
  while (!pids.every(isDead) && Date.now() < deadline) await sleep(POLL_MILLISECONDS);
  await killServers(servers);
}

function allProcesses(servers: readonly Server[]): number[] {
  const { first, children } = findProcesses(servers.map((server) => server.mark));
  return [...first, ...children];
}

async function waitUntil(state: string, isReached: () => boolean): Promise<void> {
  const deadline = Date.now() + SIGNAL_SECONDS_MAX * 1000;
  while (!isReached()) {
    if (Date.now() > deadline) throw new Error(`Timed out after ${SIGNAL_SECONDS_MAX} s waiting for ${state}.`);
    await sleep(POLL_MILLISECONDS);
  }
}

function partNames(servers: readonly Server[]): string {
  return servers.map((server) => server.part).join(', ');
}
