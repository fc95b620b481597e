import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { VendorName } from '#src/domain/channel.ts';
import { providerByVendor } from '#src/domain/channel.ts';
import { createLog } from '#src/foundation/log.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { LOOPBACK_SETTINGS } from '../../../scripts/dev/role-process.ts';
import { type SimulatorsProcess, startSimulators } from '../../../scripts/dev/simulator-process.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { keyringsOf, newMasterKeys } from '../../../scripts/stack/master-keys.ts';
import { createServerIdentity } from '../../../simulators/kit/certificate.ts';
import { Carillon } from '../../support/carillon.ts';
import { createEmptyDatabases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { explainStartFailure, type PreviousVersion, unpackPreviousVersion } from '../../support/previous-version.ts';
import { type CommandResult, run } from '../../support/run-command.ts';
import { testStack } from '../../support/stack.ts';
import { type BackendAddresses, type ProxyProcess, proxyKinds, startProxy } from '../proxy-process.ts';

/** Two processes of each role. A replacement process uses the ports of its predecessor. */
export const slots = ['gateway-1', 'gateway-2', 'worker-1', 'worker-2', 'api-1', 'api-2'] as const;
export type Slot = (typeof slots)[number];
export type SlotRole = 'api' | 'gateway' | 'worker';
export type Version = 'old' | 'new';

/** HAProxy checks once a second, and stops using a server after two failed checks. */
const DRAIN_SECONDS = 3;
const GATEWAY_DRAIN_SECONDS = 2;
/** Response time of the APNs simulator for slow tokens. */
const SLOW_MS = 1_500;
const APP_ID = 'bells';
const VENDORS: readonly VendorName[] = ['apns', 'xiaomi'];
const identity = createServerIdentity(Date.now());

interface Parts {
  readonly carillon: Carillon;
  readonly simulators: SimulatorsProcess;
  readonly previous: PreviousVersion;
  readonly ports: Readonly<Record<Slot, { readonly health: number; readonly own: number }>>;
}

/** An installation of the previous version behind HAProxy, whose processes are replaced one by one. */
export class Installation implements AsyncDisposable {
  readonly carillon: Carillon;
  readonly simulators: SimulatorsProcess;
  readonly #previous: PreviousVersion;
  readonly #ports: Parts['ports'];
  readonly #running = new Map<Slot, { readonly process: RoleProcess; readonly version: Version }>();
  #proxy: ProxyProcess | undefined;

  constructor({ carillon, simulators, previous, ports }: Parts) {
    this.carillon = carillon;
    this.simulators = simulators;
    this.#previous = previous;
    this.#ports = ports;
  }

  get httpsPort(): number {
    return (this.#proxy as ProxyProcess).ports.https;
  }

  /** CA certificate that callers trust. */
  get ca(): string {
    return identity.caPem;
  }

  get gatewayPorts(): number[] {
    return [this.#ports['gateway-1'].own, this.#ports['gateway-2'].own];
  }

  portOf(slot: Slot): number {
    return this.#ports[slot].own;
  }

  /** Returns the version of the process on this port, or undefined if there is none. */
  versionAt(port: number): Version | undefined {
    const slot = slots.find((each) => this.#ports[each].own === port);
    return slot && this.#running.get(slot)?.version;
  }

  /** Returns the versions of a role that are running. */
  versionsOf(role: SlotRole): Version[] {
    const versions = slots.filter((slot) => roleOf(slot) === role).map((slot) => this.#running.get(slot)?.version);
    return [...new Set(versions)].filter((version) => version !== undefined);
  }

  async start(slot: Slot, version: Version): Promise<void> {
    const role = roleOf(slot);
    const { health, own } = this.#ports[slot];
    const proxied = this.#proxy && role === 'api' ? await this.#proxy.log() : undefined;
    const settings = {
      CARILLON_HEALTH_PORT: `${health}`,
      CARILLON_READINESS_DELAY_SECONDS: role === 'api' ? `${DRAIN_SECONDS}` : '0',
      CARILLON_GATEWAY_DRAIN_SECONDS: `${GATEWAY_DRAIN_SECONDS}`,
      ...(role === 'api' && { CARILLON_API_PORT: `${own}` }),
      ...(role === 'gateway' && { CARILLON_MQTT_PORT: `${own}` }),
      ...(version === 'old' && previousNamesOf(role)),
    };
    const root = version === 'old' ? this.#previous.root : undefined;
    const process = await this.carillon.start(role, settings, root).catch((cause) => {
      throw version === 'old' ? explainStartFailure(this.#previous, cause) : cause;
    });
    assert.equal((await fetch(`${process.healthUrl}/readyz`)).status, 200, `${slot} is ready`);
    this.#running.set(slot, { process, version });
    if (proxied !== undefined) await this.#waitUntilProxyUp(slot, proxied.length);
  }

  /** Stops a process as an operator does: sends SIGTERM and waits. */
  async stop(slot: Slot): Promise<void> {
    const running = this.#running.get(slot);
    assert.equal(
      await running?.process.stop(),
      0,
      `${slot} exits with code 0:\n${this.carillon.warningLines.join('\n')}`,
    );
    this.#running.delete(slot);
  }

  async replace(slot: Slot, version: Version): Promise<void> {
    await this.stop(slot);
    await this.start(slot, version);
  }

  /** Runs a command of `src/bin/` of one of the versions. */
  async command(version: Version, name: string, args: readonly string[] = []): Promise<CommandResult> {
    const root = version === 'old' ? this.#previous.root : join(import.meta.dirname, '../../..');
    return run(process.execPath, [join(root, 'src/bin', `${name}.ts`), ...args], this.carillon.settings);
  }

  /** Returns the lines of Carillon metrics whose value is NaN. */
  async nanMetrics(...selectedSlots: readonly Slot[]): Promise<string[]> {
    const pages = selectedSlots.map(async (slot) =>
      (await fetch(`http://127.0.0.1:${this.#ports[slot].health}/metrics`)).text(),
    );
    return (await Promise.all(pages)).flatMap((page) => page.match(/^carillon_.* NaN$/gim) ?? []);
  }

  async startProxy(): Promise<void> {
    const placeOf = (slot: Slot) => ({ port: this.#ports[slot].own, healthPort: this.#ports[slot].health });
    const places: BackendAddresses = {
      'api-1:8080': placeOf('api-1'),
      'api-2:8080': placeOf('api-2'),
      // The shipped configuration contains these servers. The devices in this test connect without the proxy, because
      // the previous version does not read client addresses from the proxy.
      'gateway-1:8083': placeOf('gateway-1'),
      'gateway-2:8083': placeOf('gateway-2'),
      'gateway-1:1883': placeOf('gateway-1'),
      'gateway-2:1883': placeOf('gateway-2'),
    };
    const kind = proxyKinds.find(({ name }) => name === 'haproxy') as (typeof proxyKinds)[number];
    this.#proxy = await startProxy(kind, identity, places);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ process }) => process.kill())); // without waiting for connections to drain
    await this.#proxy?.[Symbol.asyncDispose]();
    await this.carillon[Symbol.asyncDispose]();
  }

  async #waitUntilProxyUp(slot: Slot, logged: number): Promise<void> {
    await eventually(async () => {
      const news = (await (this.#proxy as ProxyProcess).log()).slice(logged);
      assert.ok(news.includes(`Server api/${slot} is UP`), `HAProxy does not report ${slot} as UP yet`);
    });
  }
}

/** Settings that have another name in the previous version. */
const previousNamesOf = (role: SlotRole) => ({
  CARILLON_DRAIN_SECONDS: role === 'api' ? `${DRAIN_SECONDS}` : '0',
  CARILLON_GATEWAY_UNOPENED_PER_ADDRESS_MAX: '0',
});

const roleOf = (slot: Slot) => slot.replace(/-\d$/, '') as SlotRole;

/** Installs everything with the previous version, as its operator would: databases, app, token, credentials, roles. */
export async function installPreviousVersion(): Promise<Installation> {
  await using starting = new AsyncDisposableStack();
  const previous = starting.use(await unpackPreviousVersion());
  const stack = await testStack();
  const databases = starting.use(await createEmptyDatabases(stack));
  const simulators = starting.use(await startSimulators({ only: VENDORS, slowMs: SLOW_MS }));
  const masterKeys = newMasterKeys('test');
  const settings = {
    ...LOOPBACK_SETTINGS,
    ...databases.settings,
    ...simulators.settings,
    CARILLON_NATS_URLS: stack.natsUrls.join(','),
    CARILLON_NATS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    ...masterKeys,
    CARILLON_API_TRUSTED_PROXIES: '127.0.0.1',
    // With a compile cache, all processes except the first of each role and version start a third faster.
    NODE_COMPILE_CACHE: join(previous.root, 'compiled'),
  };
  const runPreviousCommand = async (name: string, args: readonly string[] = []) => {
    const result = await run(process.execPath, [join(previous.root, 'src/bin', `${name}.ts`), ...args], settings);
    if (result.code !== 0)
      throw explainStartFailure(previous, `${name} exited with code ${result.code}:\n${result.stdout}${result.stderr}`);
    return result.stdout.trim();
  };
  await runPreviousCommand('migrate');
  const adminToken = await runPreviousCommand('init', [APP_ID]);
  const storage = await openStorage({
    settings: { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 60 },
    connections: 2,
    log: createLog({ level: 'error', fields: { role: 'test' } }),
  });
  starting.defer(() => storage.close());
  const ports = await reservePorts();
  const carillon = new Carillon({
    storage,
    apns: simulators as unknown as Carillon['apns'], // this test does not read notifications through `carillon.apns`
    keyrings: keyringsOf(masterKeys),
    appId: APP_ID,
    adminToken,
    settings,
    parts: starting.move(),
  });
  const installation = new Installation({ carillon, simulators, previous, ports });
  try {
    await Promise.all(slots.map((slot) => installation.start(slot, 'old')));
    for (const vendor of VENDORS) {
      const account = simulators.vendors[vendor]?.certificate as object;
      const where = { provider: providerByVendor[vendor], environment: 1 };
      await carillon.post('/admin/certificate/save', { ...where, ...account });
    }
    await installation.startProxy();
    return installation;
  } catch (error) {
    await installation[Symbol.asyncDispose]();
    throw error;
  }
}

async function reservePorts(): Promise<Parts['ports']> {
  const reserved: [Slot, { health: number; own: number }][] = [];
  for (const slot of slots) reserved.push([slot, { health: await freePort(), own: await freePort() }]);
  return Object.fromEntries(reserved) as Record<Slot, { health: number; own: number }>;
}
