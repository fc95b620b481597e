import { generateKeyPairSync } from 'node:crypto';
import { Arrivals } from '../kit/arrivals.ts';
import { createServerIdentity } from '../kit/certificate.ts';
import { startControl } from '../kit/control.ts';
import { Counts } from '../kit/counts.ts';
import { Faults } from '../kit/faults.ts';
import { type Screen, screenOf } from '../kit/page.ts';
import type { ServerIdentity } from '../kit/server-identity.ts';
import { Tally } from '../kit/tally.ts';
import { type Arrival, viewOf } from './arrival.ts';
import { ClientAuthority } from './client-authority.ts';
import { apnsRoutes, TITLE } from './control.ts';
import { Devices } from './devices.ts';
import { faultKinds } from './faults.ts';
import { startListener } from './listener.ts';
import type { ProviderKey } from './provider-token-authenticator.ts';
import { environments } from './responses.ts';

/** Credentials as an operator enters them for a real app. The key is valid in both environments. */
export type ApnsCredentials = {
  readonly keyId: string;
  readonly teamId: string;
  readonly topic: string;
  readonly p8Pem: string;
};

export type ApnsSimulator = AsyncDisposable & {
  readonly productionUrl: string;
  readonly sandboxUrl: string;
  readonly controlUrl: string;
  /** The authority that signed the servers' TLS certificate. Senders must trust it. */
  readonly caPem: string;
  readonly credentials: ApnsCredentials;
  /**
   * Returns the delivered pushes that are kept, oldest first. If `token` is given, returns only the pushes to that
   * token.
   */
  arrived(token?: string): readonly Arrival[];
  screen(): Screen;
  stop(): Promise<void>;
};

export type ApnsSimulatorOptions = {
  /** Simulators with the same identity share one authority, so that clients need to trust only one authority. */
  readonly identity?: ServerIdentity;
  /** 0, the default, selects a free port. */
  readonly productionPort?: number;
  readonly sandboxPort?: number;
  readonly controlPort?: number;
  /** Delay before the response for a `slow-…` token. */
  readonly slowMs?: number;
  /** Minimum time before a connection may use another provider token. */
  readonly providerTokenWindowMs?: number;
  /** Maximum number of deliveries that are kept. */
  readonly arrivedMax?: number;
  /** Maximum number of pairs of collapse id and token that are counted. */
  readonly talliedMax?: number;
};

const SLOW_MS = 2000;
const PROVIDER_TOKEN_WINDOW_MS = 20 * 60 * 1000;

/** Starts an APNs simulator: both of Apple's servers and a control API. */
export async function startApnsSimulator(options: ApnsSimulatorOptions = {}): Promise<ApnsSimulator> {
  const identity = options.identity ?? createServerIdentity(Date.now());
  const { credentials, key } = createDemoKey();
  const shared = {
    keys: new Map([[key.keyId, key]]),
    authority: new ClientAuthority(Date.now()),
    devices: new Devices(),
    faults: new Faults(faultKinds),
    arrivals: new Arrivals<Arrival>(options.arrivedMax),
    tally: new Tally(options.talliedMax),
    counts: new Counts(environments),
    slowMs: options.slowMs ?? SLOW_MS,
    providerTokenWindowMs: options.providerTokenWindowMs ?? PROVIDER_TOKEN_WINDOW_MS,
  };
  await using resources = new AsyncDisposableStack(); // if a port is in use, stops the servers already started
  const production = await startListener(
    { ...shared, environment: 'production' },
    identity,
    options.productionPort ?? 0,
  );
  resources.defer(production.stop);
  const sandbox = await startListener({ ...shared, environment: 'sandbox' }, identity, options.sandboxPort ?? 0);
  resources.defer(sandbox.stop);
  const control = await startControl(apnsRoutes({ ...shared, topic: credentials.topic }), options.controlPort ?? 0);
  resources.defer(control.stop);
  const runningResources = resources.move();
  const stop = () => runningResources.disposeAsync();

  return {
    productionUrl: production.url,
    sandboxUrl: sandbox.url,
    controlUrl: control.url,
    caPem: identity.caPem,
    credentials,
    arrived: (token) => shared.arrivals.list(token),
    screen: () => screenOf(TITLE, shared.arrivals.list(), viewOf),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function createDemoKey(): { credentials: ApnsCredentials; key: ProviderKey } {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const p8Pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const credentials = { keyId: 'DEMOKEY001', teamId: 'DEMOTEAM01', topic: 'com.example.carillon', p8Pem };
  const { keyId, teamId, topic } = credentials;
  return { credentials, key: { keyId, teamId, publicKey: pair.publicKey, topics: [topic], environments } };
}
