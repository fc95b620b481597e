import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/stack/free-port.ts';
import { findProxy } from '../../scripts/stack/programs.ts';
import type { ServerIdentity } from '../../simulators/kit/server-identity.ts';
import { eventually } from '../support/eventually.ts';

/** Address that a test uses for a server in the shipped configuration. */
export interface BackendAddress {
  readonly port: number;
  /** Port of the server's `/readyz` endpoint. */
  readonly healthPort: number;
}

/** Servers behind the proxy, by their names in the shipped configuration, such as `api-1:8080`. */
export type BackendAddresses = Readonly<Record<string, BackendAddress>>;

interface ProxyKind {
  readonly name: 'nginx' | 'haproxy';
  /** Path of the shipped configuration. */
  readonly file: string;
  /** Replacements in the shipped file. Every replaced string must occur in the file. */
  readonly changes: (setting: Setting) => [shipped: string, here: string][];
  readonly runArgs: (file: string) => string[];
  readonly checkArgs: (file: string) => string[];
}

interface Setting {
  readonly directory: string;
  readonly places: BackendAddresses;
  readonly ports: { readonly https: number; readonly mqtt: number; readonly mqtts: number };
}

const isRoot = process.getuid?.() === 0;

/** Only addresses, ports and file paths are changed, and the user if the tests do not run as root. */
export const proxyKinds: readonly ProxyKind[] = [
  {
    name: 'nginx',
    file: 'deploy/nginx/nginx.conf',
    changes: ({ directory, places, ports }) => [
      ...Object.entries(places).map(([name, { port }]): [string, string] => [name, `127.0.0.1:${port}`]),
      ['listen 443 ', `listen 127.0.0.1:${ports.https} `],
      ['listen 1883 ', `listen 127.0.0.1:${ports.mqtt} `],
      ['listen 8883 ', `listen 127.0.0.1:${ports.mqtts} `],
      ['/etc/carillon/tls', directory],
      ['/tmp/nginx', join(directory, 'nginx')],
    ],
    runArgs: (file) => ['-c', file, '-e', 'stderr', '-g', 'daemon off;'],
    checkArgs: (file) => ['-t', '-c', file, '-e', 'stderr'],
  },
  {
    name: 'haproxy',
    file: 'deploy/haproxy/haproxy.cfg',
    changes: ({ directory, places, ports }) => [
      ...Object.entries(places).map(([name, { port, healthPort }]): [string, string] => [
        name,
        `127.0.0.1:${port} port ${healthPort}`,
      ]),
      ['bind :443 ', `bind 127.0.0.1:${ports.https} `],
      ['bind :1883\n', `bind 127.0.0.1:${ports.mqtt}\n`],
      ['bind :8883 ', `bind 127.0.0.1:${ports.mqtts} `],
      ['/etc/carillon/tls', directory],
      ...(isRoot ? [] : [['    user haproxy\n    group haproxy\n', ''] as [string, string]]),
    ],
    runArgs: (file) => ['-db', '-f', file],
    checkArgs: (file) => ['-c', '-f', file],
  },
];

export interface ProxyProcess extends AsyncDisposable {
  readonly name: string;
  /** Content of the shipped configuration. */
  readonly shippedConfig: string;
  readonly ports: Setting['ports'];
  /** Output of the configuration check by the proxy program. */
  readonly configCheckOutput: string;
  /** Returns the log so far. */
  log(): Promise<string>;
}

/**
 * Starts the proxy program from Debian with the shipped configuration, in front of the given servers. `changes` are
 * further replacements, such as shorter timeouts.
 */
export async function startProxy(
  kind: ProxyKind,
  identity: ServerIdentity,
  places: BackendAddresses,
  changes: readonly [shipped: string, here: string][] = [],
): Promise<ProxyProcess> {
  await using starting = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), `carillon-${kind.name}-`));
  starting.defer(() => rm(directory, { recursive: true, force: true }));
  await chmod(directory, 0o755); // the proxy's workers run as another user
  await writeFile(join(directory, 'fullchain.pem'), identity.certificatePem);
  await writeFile(join(directory, 'privkey.pem'), identity.keyPem, { mode: 0o600 });
  await symlink('privkey.pem', join(directory, 'fullchain.pem.key'));

  const shippedConfig = await readFile(new URL(`../../${kind.file}`, import.meta.url), 'utf8');
  const ports = { https: await freePort(), mqtt: await freePort(), mqtts: await freePort() };
  const file = join(directory, 'settings');
  await writeFile(file, render(shippedConfig, [...changes, ...kind.changes({ directory, places, ports })]));

  const program = findProxy(kind.name);
  const verdictFile = join(directory, 'verdict');
  const [code] = (await once(await run(program, kind.checkArgs(file), verdictFile), 'exit')) as [number];
  const configCheckOutput = await readFile(verdictFile, 'utf8');
  if (code !== 0) throw new Error(`${kind.name} rejects its configuration file:\n${configCheckOutput}`);

  const logFile = join(directory, 'log');
  const child = await run(program, kind.runArgs(file), logFile);
  starting.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  });
  const log = () => readFile(logFile, 'utf8');
  try {
    await eventually(() => Promise.all(Object.values(ports).map(isListening)), 15);
  } catch (cause) {
    throw new Error(`${kind.name} did not start:\n${await log()}`, { cause });
  }
  const parts = starting.move();
  return {
    name: kind.name,
    shippedConfig,
    ports,
    configCheckOutput,
    log,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Starts a program with its output in a file, because a child process cannot open /dev/stdout if it is a pipe. */
async function run(program: string, args: readonly string[], outputFile: string): Promise<ChildProcess> {
  await using output = await open(outputFile, 'a');
  const child = spawn(program, args, { stdio: ['ignore', output.fd, output.fd] });
  await once(child, 'spawn');
  return child;
}

function render(shippedConfig: string, changes: readonly [string, string][]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The shipped file does not contain "${from}".`);
    return text.replaceAll(from, to);
  }, shippedConfig);
}

async function isListening(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}
