import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.ts';
import { stopOnExit, waitForGuard } from './guard.ts';
import { configureNats, natsServers, natsUrl, waitForMesh } from './nats.ts';
import {
  configurePostgres,
  createCluster,
  createRoles,
  databaseUrl,
  dataDirectory,
  postgresServer,
} from './postgres.ts';
import { serverUser } from './programs.ts';
import { endServers, freezeServers, isRunning, killServers, launch, type Server, thawServers } from './server.ts';
import { createServerDirectory, writeServerFile } from './server-files.ts';
import { readState, type StackState, saveState, stateFile } from './state.ts';

/**
 * Maximum number of attempts to bind free ports. Stacks that start at the same time can choose the same port. Five
 * conflicts in a row among 12,000 ports indicate a bug.
 */
const PORT_ATTEMPTS_MAX = 5;

const NATS_NODES_MAX = 9;

export type StackOptions = {
  /**
   * Directory of the stack, which must be empty or not exist yet. The default is a new directory below the system's
   * temporary directory.
   */
  directory?: string;
  /** Number of NATS nodes: 1 (the default) is a single server, more form a cluster, and 0 starts only PostgreSQL. */
  natsNodes?: number;
  /** Size of a WAL segment in MB. The default of PostgreSQL is 16. */
  walSegmentMegabytes?: number;
  /** Settings of PostgreSQL that differ from those of every stack, such as `autovacuum: 'off'`. */
  postgresSettings?: Readonly<Record<string, string>>;
  /** A certificate with which both servers offer TLS. NATS then accepts no other connections. */
  tls?: { certificateFile: string; keyFile: string };
  /** Additional environment variables of PostgreSQL, for example for a clock that the test controls. */
  postgresEnvironment?: Readonly<Record<string, string>>;
  /** Keeps the files of the servers when the stack stops, so that `resumeStack` can start it again. */
  keepsData?: boolean;
  /** Keeps the servers running when this process ends. Otherwise they end with it, even if it is killed. */
  outlivesProcess?: boolean;
};

/** Starts a private PostgreSQL and NATS on free loopback ports and waits until both respond. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const natsNodes = options.natsNodes ?? 1;
  if (!Number.isInteger(natsNodes) || natsNodes < 0 || natsNodes > NATS_NODES_MAX) {
    throw new Error(`A stack has 0 to ${NATS_NODES_MAX} NATS nodes, not ${natsNodes}.`);
  }
  const { directory, createdDirectory } = await createDirectory(options.directory);
  const state: StackState = {
    name: `carillon-${randomBytes(4).toString('hex')}`,
    createdDirectory,
    keepsData: options.keepsData ?? false,
    postgres: {
      port: 0,
      password: randomBytes(18).toString('base64url'),
      environment: options.postgresEnvironment ?? {},
    },
    nats: Array.from({ length: natsNodes }, () => ({ clientPort: 0, clusterPort: 0 })),
  };
  // Saved before anything runs, so that an interrupted start can be cleaned up too.
  saveState(directory, state);
  return startServers(directory, state, options);
}

/**
 * Starts a stack again that kept its data, on the same ports if they are free. Waits for the servers of a predecessor
 * that was killed, because they may still be stopping.
 */
export async function resumeStack(directory: string): Promise<Stack> {
  const state = readState(directory);
  await waitForGuard(directory);
  return startServers(directory, state, {});
}

async function startServers(directory: string, state: StackState, options: StackOptions): Promise<Stack> {
  const endGuard = options.outlivesProcess ? () => {} : stopOnExit(directory);
  try {
    // Waits for both even if one fails, because a server that is still starting cannot be stopped.
    const starts = await Promise.allSettled([
      startPostgres(directory, state, options),
      startNats(directory, state, options),
    ]);
    for (const start of starts) if (start.status === 'rejected') throw start.reason;
  } catch (error) {
    await new Stack(directory, state, endGuard).stop();
    throw error;
  }
  return new Stack(directory, state, endGuard);
}

/** Attaches to a stack that another process started. The stack keeps running when this process ends. */
export async function openStack(directory: string): Promise<Stack> {
  return new Stack(resolve(directory), readState(resolve(directory)), () => {});
}

/**
 * A running stack. A part is `postgres`, `nats-1`, `nats-2`, … or `nats` for all nodes. A killed part starts again on
 * the same port with the same data.
 */
export class Stack implements AsyncDisposable {
  readonly directory: string;
  readonly natsUrls: readonly string[];
  readonly #state: StackState;
  readonly #servers: readonly Server[];
  readonly #dismissGuard: () => void;

  constructor(directory: string, state: StackState, endGuard: () => void) {
    this.directory = directory;
    this.natsUrls = state.nats.map((node) => natsUrl(node));
    this.#state = state;
    this.#servers = [postgresServer(directory, state), ...natsServers(directory, state)];
    this.#dismissGuard = endGuard;
  }

  /** Returns the URL with which the superuser connects to a database, whether or not the database exists. */
  databaseUrl(name: string): string {
    return databaseUrl(this.#state, name);
  }

  /** Sends SIGKILL to every process of the part. Waits until all have ended and the port is free. */
  async kill(part: string): Promise<void> {
    await killServers(this.#select(part));
  }

  /** Starts a killed part and waits until it responds. */
  async start(part: string): Promise<void> {
    const servers = this.#select(part);
    const running = servers.find(isRunning);
    if (running) throw new Error(`${running.part} is already running.`);
    await Promise.all(servers.map(startOnSamePort));
    await waitForMesh(this.#servers.filter(isRunning), this.#state);
  }

  /** Sends SIGSTOP to the part. Connections stay open without responses, as with a hung machine. */
  async freeze(part: string): Promise<void> {
    await freezeServers(this.#select(part));
  }

  async thaw(part: string): Promise<void> {
    await thawServers(this.#select(part));
  }

  /**
   * Ends every process of this stack. Deletes its files, including the directory if the stack created it, unless the
   * stack keeps its data.
   */
  async stop(): Promise<void> {
    await endServers(this.#servers);
    if (!this.#state.keepsData) await this.#deleteFiles();
    // Last, because a process that is interrupted while it stops its stack still needs the guard.
    this.#dismissGuard();
  }

  async #deleteFiles(): Promise<void> {
    const files = this.#servers.flatMap((server) => [server.directory, server.logFile]);
    const ownPaths = this.#state.createdDirectory ? [this.directory] : [...files, stateFile(this.directory)];
    await Promise.all(ownPaths.map((path) => rm(path, { recursive: true, force: true })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #select(part: string): Server[] {
    const selected = this.#servers.filter((server) => server.part === part || server.part.startsWith(`${part}-`));
    if (selected.length > 0) return selected;
    throw new Error(
      `No part is called ${part}. Parts: ${this.#servers.map((server) => server.part).join(', ')}, nats.`,
    );
  }
}

async function startPostgres(
  directory: string,
  state: StackState,
  { walSegmentMegabytes, postgresSettings, tls }: StackOptions,
): Promise<void> {
  const isNew = !existsSync(dataDirectory(directory));
  if (isNew) await createCluster(directory, state, walSegmentMegabytes);
  const tlsSettings = tls ? await copyCertificate(join(directory, 'postgres'), tls) : undefined;
  const server = postgresServer(directory, state);
  await onFreePorts(async () => {
    state.postgres.port = await freePort(state.postgres.port);
    saveState(directory, state);
    await configurePostgres(directory, state, {
      ...(tlsSettings && { ssl: 'on', ssl_cert_file: tlsSettings.cert_file, ssl_key_file: tlsSettings.key_file }),
      ...postgresSettings,
    });
    return launch(server);
  });
  if (isNew) await createRoles(state);
}

async function startNats(directory: string, state: StackState, { tls }: StackOptions): Promise<void> {
  const servers = natsServers(directory, state);
  const tlsSettings = tls ? await copyCertificate(join(directory, 'nats-tls'), tls) : undefined;
  await onFreePorts(async () => {
    for (const node of state.nats) {
      node.clientPort = await freePort(node.clientPort);
      node.clusterPort = await freePort(node.clusterPort);
    }
    saveState(directory, state);
    await configureNats(directory, state, tlsSettings);
    const outcomes = await Promise.all(servers.map(launch));
    if (!outcomes.includes('port-taken')) return 'ready';
    await killServers(servers); // The nodes are configured with each other's ports, so all of them get new ports.
    return 'port-taken';
  });
  await waitForMesh(servers, state);
}

/** Copies a certificate to files of the user that runs the servers. */
async function copyCertificate(
  directory: string,
  { certificateFile, keyFile }: NonNullable<StackOptions['tls']>,
): Promise<{ cert_file: string; key_file: string }> {
  const [cert_file, key_file] = [join(directory, 'server.pem'), join(directory, 'server.key')];
  if (!existsSync(directory)) await createServerDirectory(directory);
  await writeServerFile(cert_file, await readFile(certificateFile, 'utf8'));
  await writeServerFile(key_file, await readFile(keyFile, 'utf8'));
  return { cert_file, key_file };
}

/** Starts a server. Tries other ports if a port was taken after it was chosen and before it was bound. */
async function onFreePorts(start: () => Promise<'ready' | 'port-taken'>): Promise<void> {
  for (let attempt = 1; attempt <= PORT_ATTEMPTS_MAX; attempt += 1) {
    if ((await start()) === 'ready') return;
  }
  throw new Error(`No free port could be bound in ${PORT_ATTEMPTS_MAX} attempts.`);
}

async function startOnSamePort(server: Server): Promise<void> {
  if ((await launch(server)) === 'port-taken') {
    throw new Error(`Another process took the port of ${server.part} while the server was down.`);
  }
}

async function createDirectory(requested?: string): Promise<{ directory: string; createdDirectory: boolean }> {
  const directory = requested === undefined ? await mkdtemp(join(tmpdir(), 'carillon-stack-')) : resolve(requested);
  const createdDirectory = requested === undefined || (await createUnlessPresent(directory));
  // If this process is root, the servers run as another user, who needs search permission on the directory. Its
  // contents stay private.
  if (createdDirectory) await chmod(directory, serverUser() ? 0o711 : 0o700);
  if ((await readdir(directory)).length > 0)
    throw new Error(`${directory} is not empty. Use a new or empty directory for the stack.`);
  return { directory, createdDirectory };
}

async function createUnlessPresent(directory: string): Promise<boolean> {
  try {
    await mkdir(directory);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
