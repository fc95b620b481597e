import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../stack/free-port.ts';
import { hasGuard, waitForGuard } from '../stack/guard.ts';
import { newMasterKeys } from '../stack/master-keys.ts';
import { serverUser } from '../stack/programs.ts';
import { resumeStack, type Stack, startStack } from '../stack/stack.ts';
import type { HistoryApp } from './history/create-history.ts';
import type { Demo } from './show-demo.ts';

/** The values of a demo that are the same at each start. */
interface SavedValues {
  /** Process that used the data last. */
  pid: number;
  readonly masterKeys: ReturnType<typeof newMasterKeys>;
  readonly ports: Record<string, number>;
  /** Present when the demo app is complete. */
  seeded?: Seeded;
}

interface Seeded {
  readonly adminToken: string;
  readonly users: Demo['users'];
  /** The apps of `--demo`. Empty without the option. */
  readonly historyApps: readonly HistoryApp[];
}

/** The data of a demo: PostgreSQL and NATS, and the ports, keys and tokens that clients use. */
export class DemoData {
  readonly #directory: string | undefined;
  readonly #values: SavedValues;

  private constructor(directory: string | undefined, values: SavedValues) {
    this.#directory = directory;
    this.#values = values;
  }

  /** Returns data on free ports, which is deleted when the demo stops. */
  static temporary(): DemoData {
    return new DemoData(undefined, newValues());
  }

  /** Opens the data of an earlier start, or creates data that the next start uses again. */
  static async open(requested: string | undefined, { fresh }: { readonly fresh: boolean }): Promise<DemoData> {
    const directory = requested === undefined ? await defaultDirectory() : await createDirectory(resolve(requested));
    const values = readValues(directory);
    if (values && hasGuard(stackDirectory(directory)) && values.pid !== process.pid && isAlive(values.pid)) {
      throw new Error(
        `The demo in ${directory} is already running as process ${values.pid}. ` +
          'Stop it with Ctrl-C, or add --temporary to start a second demo.',
      );
    }
    // An interrupted first start leaves a demo app that is incomplete.
    if (values?.seeded && !fresh) return new DemoData(directory, { ...values, pid: process.pid });
    await waitForGuard(stackDirectory(directory));
    // Without this file, a directory with the same name belongs to another program.
    if (existsSync(valuesFile(directory))) await rm(stackDirectory(directory), { recursive: true, force: true });
    return new DemoData(directory, newValues());
  }

  get masterKeys(): SavedValues['masterKeys'] {
    return this.#values.masterKeys;
  }

  get seeded(): Seeded | undefined {
    return this.#values.seeded;
  }

  async startStack(): Promise<Stack> {
    if (this.#directory === undefined) return startStack();
    this.#save();
    const directory = stackDirectory(this.#directory);
    if (this.seeded) return resumeStack(directory);
    return startStack({ directory, keepsData: true });
  }

  /**
   * Returns the port of an earlier start if no other process uses it, otherwise a free one. Temporary data has no saved
   * ports: 0 lets the kernel choose.
   */
  async port(name: string): Promise<number> {
    if (this.#directory === undefined) return 0;
    let port = await freePort(this.#values.ports[name]);
    // A port that was chosen for another part is free until this part starts.
    while (Object.entries(this.#values.ports).some(([other, taken]) => taken === port && other !== name))
      port = await freePort();
    this.#values.ports[name] = port;
    return port;
  }

  /** Records that the demo app is complete. Saves the ports too. */
  complete(seeded: Seeded): void {
    this.#values.seeded = seeded;
    this.#save();
  }

  #save(): void {
    if (this.#directory === undefined) return;
    writeFileSync(valuesFile(this.#directory), `${JSON.stringify(this.#values, null, 2)}\n`, { mode: 0o600 });
  }
}

const newValues = (): SavedValues => ({ pid: process.pid, masterKeys: newMasterKeys('dev'), ports: {} });

const stackDirectory = (directory: string): string => join(directory, 'stack');
const valuesFile = (directory: string): string => join(directory, 'demo.json');

function readValues(directory: string): SavedValues | undefined {
  if (!existsSync(valuesFile(directory)) || !existsSync(stackDirectory(directory))) return undefined;
  return JSON.parse(readFileSync(valuesFile(directory), 'utf8')) as SavedValues;
}

/**
 * Returns `.dev` in the checkout. If this process is root, the servers run as another user, who often cannot open the
 * home directory of root. In this case, returns a directory below `/var/lib`.
 */
async function defaultDirectory(): Promise<string> {
  const checkout = fileURLToPath(new URL('../..', import.meta.url));
  const user = serverUser();
  if (!user || canOpen(user, checkout)) return createDirectory(join(checkout, '.dev'));
  const name = `${basename(checkout)}-${createHash('sha256').update(checkout).digest('hex').slice(0, 8)}`;
  return createDirectory(join('/var/lib/carillon-dev', name));
}

async function createDirectory(directory: string): Promise<string> {
  const isNew = (await mkdir(directory, { recursive: true })) !== undefined;
  // As for a stack: the user of the servers needs search permission. The files are private.
  if (isNew) await chmod(directory, serverUser() ? 0o711 : 0o700);
  return directory;
}

function canOpen(user: { readonly uid: number; readonly gid: number }, directory: string): boolean {
  try {
    execFileSync('test', ['-x', directory], { ...user, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
