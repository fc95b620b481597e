import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childArguments } from '../../scripts/stack/child-arguments.ts';

export type BenchVendor = 'apns' | 'fcm' | 'huawei' | 'honor';

/** The output of the simulators once they are listening: their URLs and the credentials of a demo app. */
interface VendorFacts {
  readonly control_url: string;
  readonly certificate: {
    readonly name: string;
    readonly app_id: string;
    readonly app_key: string;
    readonly app_secret: string;
    readonly certificate: string;
  };
  /** APNs has one URL per environment. The other vendors have one URL for sending and one for provider tokens. */
  readonly production_url?: string;
  readonly sandbox_url?: string;
  readonly send_url?: string;
  readonly token_url?: string;
}

type Facts = Readonly<Record<BenchVendor, VendorFacts>> & { readonly ca_file: string };

export interface Arrival {
  readonly token: string;
  readonly at: number;
}

const POLL_MS = 100;
const ARRIVE_SECONDS_MAX = 120;

/** The vendor simulators, all in one process. */
export class Simulators implements AsyncDisposable {
  readonly facts: Facts;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, facts: Facts) {
    this.#child = child;
    this.facts = facts;
  }

  /** Settings that make a role call the simulators instead of the vendors. */
  get settings(): Readonly<Record<string, string>> {
    const { apns, ca_file, ...others } = this.facts;
    const urls = Object.entries(others).flatMap(([vendor, { send_url, token_url }]) => [
      [`CARILLON_${vendor.toUpperCase()}_URL`, send_url],
      [`CARILLON_${vendor.toUpperCase()}_TOKEN_URL`, token_url],
    ]);
    return {
      ...Object.fromEntries(urls),
      CARILLON_APNS_URL_PRODUCTION: apns.production_url,
      CARILLON_APNS_URL_DEVELOPMENT: apns.sandbox_url,
      NODE_EXTRA_CA_CERTS: ca_file,
    };
  }

  async clearArrivals(vendor: BenchVendor): Promise<void> {
    await this.control(vendor, 'DELETE', '/arrived');
  }

  /** Returns the newest received notifications and the total number received. */
  async arrived(vendor: BenchVendor, limit: number): Promise<{ total: number; arrived: readonly Arrival[] }> {
    return this.control(vendor, 'GET', `/arrived?limit=${limit}`);
  }

  /** Returns the time at which the vendor received the last of `count` notifications, by this machine's clock. */
  async allArrivedAt(vendor: BenchVendor, count: number): Promise<number> {
    for (let i = 0; i < (ARRIVE_SECONDS_MAX * 1_000) / POLL_MS; i++) {
      const { total, arrived } = await this.arrived(vendor, 1);
      if (total >= count) return arrived[0]?.at as number;
      await sleep(POLL_MS);
    }
    throw new Error(`${vendor} did not receive all notifications in time.`);
  }

  async control<T>(vendor: BenchVendor, method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.facts[vendor].control_url}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} of ${vendor}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
  }
}

export async function startSimulators(): Promise<Simulators> {
  const program = fileURLToPath(new URL('../../simulators/main.ts', import.meta.url));
  const child = spawn(process.execPath, [...childArguments, program, '--json', '--only', 'apns,fcm,huawei,honor'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The simulators exited with code ${code}.`))),
  ])) as [string];
  return new Simulators(child, JSON.parse(line) as Facts);
}
