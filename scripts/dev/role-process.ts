import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { vendorRegistry } from '#src/vendors/registry.ts';
import { childArguments } from '../stack/child-arguments.ts';

export type Role = 'api' | 'gateway' | 'worker' | 'all';

const START_MS_MAX = 30_000;
const STOP_MS_MAX = 30_000;

/** The ports that a role logs when it has started. */
interface RolePorts {
  readonly health: number;
  readonly api?: number;
  /** MQTT over TCP. */
  readonly gateway?: number;
  readonly tls?: number;
  readonly webSocket?: number;
}

/** A role of Carillon in a separate process, on free ports of the loopback address. */
export class RoleProcess implements AsyncDisposable {
  readonly role: Role;
  readonly ports: RolePorts;
  readonly #child: ChildProcess;

  constructor(role: Role, child: ChildProcess, ports: RolePorts) {
    this.role = role;
    this.#child = child;
    this.ports = ports;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.ports.api}`;
  }

  get mqttUrl(): string {
    return `mqtt://127.0.0.1:${this.ports.gateway}`;
  }

  /** Available only if the gateway has a TLS certificate. */
  get mqttTlsUrl(): string {
    return `mqtts://127.0.0.1:${this.ports.tls}`;
  }

  get webSocketUrl(): string {
    const scheme = this.ports.tls === undefined ? 'ws' : 'wss';
    return `${scheme}://127.0.0.1:${this.ports.webSocket}/mqtt`;
  }

  get healthUrl(): string {
    return `http://127.0.0.1:${this.ports.health}`;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Kills the process immediately, as in a power failure. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Drains and stops the process. Returns the exit code. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.isAlive) {
      const exit = once(this.#child, 'exit');
      this.#child.kill(signal);
      const killTimer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS_MAX);
      await exit;
      clearTimeout(killTimer);
    }
    return this.#child.exitCode;
  }
}

/**
 * Starts a role and waits until it serves requests. The role ends with this process. `onLine` receives its log lines.
 * `program` is a file of another version or a bundle.
 */
export async function startRole(
  role: Role,
  settings: Readonly<Record<string, string>>,
  onLine?: (line: string) => void,
  { program = sourceOf(role), nodeArguments = [] }: { program?: string; nodeArguments?: readonly string[] } = {},
): Promise<RoleProcess> {
  const child = spawn(process.execPath, [...childArguments, ...nodeArguments, program], {
    env: { ...process.env, ...LOOPBACK_SETTINGS, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Prevents Ctrl-C from reaching the role directly, because the caller stops the roles in order.
    detached: true,
  });
  return waitUntilStarted(role, child, onLine);
}

const sourceOf = (role: Role): string => fileURLToPath(new URL(`../../src/bin/${role}.ts`, import.meta.url));

/**
 * Waits until a role serves requests. Kills a role that does not start. The output of the child must be connected to
 * pipes.
 */
export async function waitUntilStarted(
  role: Role,
  child: ChildProcessByStdio<Writable | null, Readable, Readable>,
  onLine: (line: string) => void = () => undefined,
): Promise<RoleProcess> {
  const tail: string[] = [];
  const started = Promise.withResolvers<RolePorts>();
  const onLogLine = (line: string) => {
    tail.push(line);
    if (tail.length > 30) tail.shift();
    onLine(line);
    const event = parseLine(line);
    if (event?.event === 'started') started.resolve(event as unknown as RolePorts);
  };
  createInterface({ input: child.stdout }).on('line', onLogLine);
  createInterface({ input: child.stderr }).on('line', onLogLine);
  const fail = (reason: string) => started.reject(new Error(`${role} ${reason}:\n${tail.join('\n')}`));
  child.once('exit', (code, signal) => fail(`ended during startup (${signal ?? code})`));
  const deadline = setTimeout(fail, START_MS_MAX, 'did not start within 30 s');
  try {
    return new RoleProcess(role, child, await started.promise);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

/** An address on which no process is listening. */
const UNREACHABLE_URL = 'https://127.0.0.1:9';

/** Settings that keep listeners and requests on this machine and avoid port conflicts. */
export const LOOPBACK_SETTINGS = {
  CARILLON_API_HOST: '127.0.0.1',
  CARILLON_API_PORT: '0',
  CARILLON_MQTT_HOST: '127.0.0.1',
  CARILLON_MQTT_PORT: '0',
  CARILLON_MQTT_WEBSOCKET_PORT: '0',
  CARILLON_MQTT_TLS_PORT: '0',
  // The limits per address are disabled, because all clients connect from the loopback address.
  CARILLON_GATEWAY_PENDING_CONNECTIONS_PER_ADDRESS_MAX: '0',
  CARILLON_GATEWAY_ACCEPTS_PER_ADDRESS_PER_SECOND: '0',
  CARILLON_HEALTH_HOST: '127.0.0.1',
  CARILLON_HEALTH_PORT: '0',
  CARILLON_READINESS_DELAY_SECONDS: '0',
  CARILLON_GATEWAY_DRAIN_SECONDS: '0',
  ...Object.fromEntries(
    Object.values(vendorRegistry)
      .flatMap(({ urls: { send, token = send[1] } }) => [...Object.values(send), token])
      .map((name) => [name, UNREACHABLE_URL]),
  ),
};

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
