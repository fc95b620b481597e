import { execFileSync } from 'node:child_process';
import { accessSync, constants, globSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const POSTGRES_MAJOR_MIN = 15;

/** Debian does not include these directories in the PATH of an ordinary user. */
const systemDirectories = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Returns the directory with `initdb` and `postgres` of the newest installed PostgreSQL. */
export function findPostgres(): string {
  const onPath = programsOnPath('postgres').map((program) => dirname(realpathSync(program)));
  const directories = new Set([...onPath, ...globSync('/usr/lib/postgresql/*/bin')]);
  const installations = [...directories]
    .filter((directory) => isProgram(join(directory, 'initdb')) && isProgram(join(directory, 'postgres')))
    .map((directory) => ({ directory, major: postgresMajor(join(directory, 'postgres')) }))
    .sort((a, b) => b.major - a.major);
  const newest = installations[0];
  if (newest && newest.major >= POSTGRES_MAJOR_MIN) return newest.directory;
  const foundText = installations.map(({ directory, major }) => `${major} in ${directory}`).join(', ') || 'none';
  throw new Error(`PostgreSQL ${POSTGRES_MAJOR_MIN} or newer is required (found: ${foundText}). Install it.`);
}

export function findNats(): string {
  const [program] = programsOnPath('nats-server');
  if (program) return program;
  throw new Error('nats-server was not found on PATH or in /usr/sbin. Install it.');
}

/** Returns the path of mosquitto, the broker that the gateway is compared with. */
export function findMosquitto(): string {
  const [program] = programsOnPath('mosquitto');
  if (program) return program;
  throw new Error('mosquitto was not found on PATH or in /usr/sbin. Install it.');
}

/** Returns the path of a proxy that `deploy/` has a configuration for. */
export function findProxy(name: 'nginx' | 'haproxy'): string {
  const [program] = programsOnPath(name);
  if (program) return program;
  throw new Error(`${name} was not found on PATH or in /usr/sbin. Install it.`);
}

/** Returns the path of promtool, which checks rules and metrics. It is part of Debian's package prometheus. */
export function findPromtool(): string {
  const [program] = programsOnPath('promtool');
  if (program) return program;
  throw new Error('promtool was not found on PATH or in /usr/sbin. Install the package prometheus.');
}

export type ServerUser = { uid: number; gid: number };

/**
 * Returns the user for the servers if this process runs as root, because PostgreSQL refuses to run as root. Otherwise
 * returns undefined.
 */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((account) => account.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and neither user "postgres" nor user "nobody" exists. Create one of them.',
  );
}

function programsOnPath(name: string): string[] {
  const directories = [...(process.env.PATH ?? '').split(delimiter), ...systemDirectories];
  return directories.map((directory) => join(directory, name)).filter(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the major version: 15 for `postgres (PostgreSQL) 15.18 (Debian …)`, 18 for `18beta1`. */
function postgresMajor(program: string): number {
  const version = execFileSync(program, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return Number(/\) (\d+)/.exec(version)?.[1] ?? 0);
}
