import { execFile, spawn } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dataDirectory } from '../../../scripts/stack/postgres.ts';
import { findPostgres, serverUser } from '../../../scripts/stack/programs.ts';
import { createServerDirectory } from '../../../scripts/stack/server-files.ts';
import { type Stack, startStack } from '../../../scripts/stack/stack.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const RUN_SECONDS_MAX = 120;
const LOG_TAIL_LINES = 30;

type Environment = Readonly<Record<string, string>>;

/** A separate PostgreSQL cluster, and the variables that the page introduces, as an operator would set them. */
export class Cluster implements AsyncDisposable {
  readonly stack: Stack;
  readonly dataDirectory: string;
  readonly backup: string;
  readonly environment: Environment;
  readonly #logFile: string;

  constructor(stack: Stack) {
    const inStack = (name: string) => join(stack.directory, name);
    this.stack = stack;
    this.dataDirectory = dataDirectory(stack.directory);
    this.backup = inStack('backup');
    this.#logFile = inStack('postgres/cluster.log');
    this.environment = {
      ...connectionOf(stack),
      PGDATA: this.dataDirectory,
      // The stack identifies its processes by the data directory on the command line.
      PG_START: `pg_ctl --wait --pgdata=${this.dataDirectory} --log=${this.#logFile} start`,
      PG_STOP: `pg_ctl --mode=fast --pgdata=${this.dataDirectory} stop`,
      BACKUP: this.backup,
      CARILLON: inStack('carillon'),
    };
  }

  /** Runs a block of the page as the operating-system user of PostgreSQL. */
  async run(block: string, more: Environment = {}): Promise<string> {
    const env = { ...this.environment, ...more };
    try {
      return await runBlock(block, { env, cwd: join(this.stack.directory, 'postgres'), ...serverUser() });
    } catch (cause) {
      const log = await readFile(this.#logFile, 'utf8').catch(() => '');
      throw new Error(`${(cause as Error).message}\n${log.split('\n').slice(-LOG_TAIL_LINES).join('\n')}`, { cause });
    }
  }

  /** Returns the result of a query as plain text. */
  async ask(question: string): Promise<string> {
    return (await this.run(`psql -d postgres -Atc "${question}"`)).trim();
  }

  /** Starts a block that runs until it is disposed. The block also ends with this process. */
  start(block: string): Disposable {
    const options = { env: this.environment, cwd: join(this.stack.directory, 'postgres'), ...serverUser() };
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...bash(block)], { ...options, stdio: 'ignore' });
    return { [Symbol.dispose]: () => child.kill('SIGKILL') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stack.stop();
  }
}

/** Returns the environment variables with which PostgreSQL's commands connect to a stack. */
export function connectionOf(stack: Stack): Environment {
  const { hostname, port, username, password } = new URL(stack.databaseUrl('postgres'));
  const PATH = `${findPostgres()}:${process.env.PATH}`;
  return { PATH, PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password };
}

/** Starts a cluster with small WAL segments, so that many of them are archived in seconds. */
export async function startCluster(): Promise<Cluster> {
  const cluster = new Cluster(await startStack({ natsNodes: 0, walSegmentMegabytes: 1 }));
  const { directory } = cluster.stack;
  // PostgreSQL's user may have no access to our repository.
  for (const name of ['carillon', 'backup']) await createServerDirectory(join(directory, name));
  await cp(join(root, 'deploy/backup'), join(directory, 'carillon/deploy/backup'), { recursive: true });
  return cluster;
}

/** Runs a block of the page in the service's directory, as the current user. */
export function runInService(block: string, settings: Environment): Promise<string> {
  return runBlock(block, { env: { ...process.env, ...settings }, cwd: root });
}

async function runBlock(block: string, options: { env: NodeJS.ProcessEnv; cwd: string }): Promise<string> {
  const limits = { timeout: RUN_SECONDS_MAX * 1_000, maxBuffer: 16 * 1024 * 1024 };
  const [program, ...args] = bash(block);
  const { stdout } = await promisify(execFile)(program, args, { ...options, ...limits });
  return stdout;
}

const bash = (block: string): [string, ...string[]] => ['bash', '--norc', '-euo', 'pipefail', '-c', block];
