import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Environment, VendorName } from '#src/domain/channel.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import type { VendorAccount } from '#src/vendors/vendor.ts';
import { type SimulatorsProcess, startSimulators, type VendorFacts } from '../../scripts/dev/simulator-process.ts';
import { bundleOf } from './bundles.ts';

/** The delay of the simulators for a `slow-` token. */
export const SLOW_MS = 3_000;

/** All vendor simulators, in a separate process. After the start, this process trusts their TLS certificates. */
export class VendorSimulators implements AsyncDisposable {
  readonly #simulators: SimulatorsProcess;
  /** The URLs and the CA of the simulators, as settings of a Carillon process. */
  readonly settings: Readonly<Record<string, string>>;

  constructor(simulators: SimulatorsProcess) {
    this.#simulators = simulators;
    this.settings = simulators.settings;
  }

  factsOf(name: VendorName): VendorFacts {
    return this.#simulators.vendors[name] ?? assert.fail(`no simulator exists for ${name}`);
  }

  /** Returns an account of a new app with the demo credentials, in their stored form. */
  newAccount(name: VendorName, change: Partial<VendorAccount> = {}): VendorAccount {
    const { app_id, app_key, app_secret, certificate } = this.factsOf(name).certificate;
    const environment: Environment = change.environment ?? 1;
    const credentials = { vendorAppId: app_id, appKey: app_key, appSecret: app_secret, certificate };
    const { expiresAt: _, ...stored } = vendorRegistry[name].checkCertificate(credentials, environment, new Date());
    return { appId: `app-${++lastAppNumber}`, environment, version: 1, ...stored, ...change };
  }

  async get<T>(name: VendorName, path: string): Promise<T> {
    const response = await fetch(`${this.factsOf(name).control_url}${path}`);
    assert.equal(response.status, 200, path);
    return (await response.json()) as T;
  }

  async post(name: VendorName, path: string, body: object): Promise<unknown> {
    const response = await fetch(`${this.factsOf(name).control_url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const text = await response.text();
    assert.ok(response.ok, `${path} ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  async endFaults(name: VendorName): Promise<void> {
    await fetch(`${this.factsOf(name).control_url}/faults`, { method: 'DELETE' });
  }

  /** Returns the tokens with this prefix that have received a notification, in the order of arrival. */
  async arrivedTokens(name: VendorName, prefix: string): Promise<string[]> {
    const { arrived } = await this.get<{ arrived: { token: string }[] }>(name, '/arrived?limit=20000');
    return arrived.map(({ token }) => token).filter((token) => token.startsWith(prefix));
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#simulators[Symbol.asyncDispose]();
  }
}

let lastAppNumber = 0;

export async function startVendorSimulators(): Promise<VendorSimulators> {
  const program = bundleOf('simulators');
  const simulators = await startSimulators({ slowMs: SLOW_MS, ...(program && { program }) });
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(simulators.caFile, 'utf8')]);
  return new VendorSimulators(simulators);
}
