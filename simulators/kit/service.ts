import type { AnyArrival, Arrivals } from './arrivals.ts';
import { createServerIdentity } from './certificate.ts';
import { commonRoutes } from './common-routes.ts';
import { type Routes, startControl } from './control.ts';
import { Counts } from './counts.ts';
import { Faults } from './faults.ts';
import { type HttpsRequest, type SimulatedResponse, startHttps } from './https.ts';
import { type PhoneView, type Screen, screenOf } from './page.ts';
import type { ServerIdentity } from './server-identity.ts';
import { type FaultTable, serveWithFaults } from './service-faults.ts';
import type { Tally } from './tally.ts';

/** A running simulator of a vendor that receives messages on one server and may issue access tokens on another. */
export type Service<Arrival> = AsyncDisposable & {
  readonly sendUrl: string;
  /** Equal to `sendUrl` for vendors with only one server. */
  readonly tokenUrl: string;
  readonly controlUrl: string;
  /** The authority that signed the servers' TLS certificate. Senders must trust it. */
  readonly caPem: string;
  /** Returns the deliveries, oldest first. */
  arrived(token?: string): readonly Arrival[];
  screen(): Screen;
  stop(): Promise<void>;
};

/** Default delay before the response for a `slow-…` token. */
export const SLOW_MS = 2000;

/** Options of a simulator. Port 0, the default, selects a free port. */
export type ServiceOptions = {
  /** Simulators with the same identity share one authority, so that clients need to trust only one authority. */
  readonly identity?: ServerIdentity;
  /** Delay before the response for a `slow-…` token. */
  readonly slowMs?: number;
  readonly sendPort?: number;
  readonly tokenPort?: number;
  readonly controlPort?: number;
  /** Maximum number of deliveries that are kept. */
  readonly arrivedMax?: number;
};

export type ServiceParts<Arrival extends AnyArrival> = {
  readonly title: string;
  readonly viewOf: (arrival: Arrival) => PhoneView;
  readonly options: ServiceOptions;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly faults: FaultTable;
  readonly serve: { readonly send: Serve; readonly token?: Serve };
  /** Path of the token endpoint, for vendors with one server. If absent, tokens have a separate server. */
  readonly tokenPath?: string;
  /** The vendor's own routes, in addition to the common routes. */
  readonly routes: Routes;
  readonly onStop?: () => void;
};

type Serve = (request: HttpsRequest) => SimulatedResponse;

const endpoints = ['send', 'token'] as const;
type Endpoint = (typeof endpoints)[number];

/** Starts the servers and the control API of a vendor. */
export async function startService<Arrival extends AnyArrival>(
  parts: ServiceParts<Arrival>,
): Promise<Service<Arrival>> {
  const { options, arrivals } = parts;
  const identity = options.identity ?? createServerIdentity(Date.now());
  const counts = new Counts(endpoints);
  const faults = new Faults(Object.keys(parts.faults));
  await using resources = new AsyncDisposableStack(); // if a port is in use, stops the servers already started
  const { send, token = send } = parts.serve;
  const serve = {
    send: serveWithFaults('send', faults, parts.faults, send),
    token: serveWithFaults('token', faults, parts.faults, token),
  };
  const start = async (endpoint: Endpoint, port = 0) => {
    const endpointOf = ({ path }: HttpsRequest) => (path === parts.tokenPath ? 'token' : endpoint);
    const listener = await startHttps({
      identity,
      port,
      endpoint,
      endpointOf,
      counts,
      serve: (r) => serve[endpointOf(r)](r),
    });
    resources.defer(listener.stop);
    return listener.url;
  };
  const sendUrl = await start('send', options.sendPort);
  const hasTokenServer = parts.serve.token !== undefined && parts.tokenPath === undefined;
  const tokenUrl = hasTokenServer ? await start('token', options.tokenPort) : sendUrl;
  const endpointOfFault = (kind: string) => parts.faults[kind]?.endpoint;
  const routes = { ...commonRoutes({ ...parts, counts, faults, endpointOfFault }), ...parts.routes };
  const control = await startControl(routes, options.controlPort ?? 0);
  resources.defer(control.stop);
  if (parts.onStop) resources.defer(parts.onStop);
  const runningResources = resources.move();
  const stop = () => runningResources.disposeAsync();
  return {
    sendUrl,
    tokenUrl,
    controlUrl: control.url,
    caPem: identity.caPem,
    arrived: (token) => arrivals.list(token),
    screen: () => screenOf(parts.title, arrivals.shown(), parts.viewOf),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
