import { AccessTokens } from '../kit/access-tokens.ts';
import { Arrivals } from '../kit/arrivals.ts';
import { createServerIdentity } from '../kit/certificate.ts';
import { commonRoutes } from '../kit/common-routes.ts';
import { type Routes, startControl } from '../kit/control.ts';
import { Counts } from '../kit/counts.ts';
import { Faults } from '../kit/faults.ts';
import type { HttpsRequest } from '../kit/https.ts';
import { screenOf } from '../kit/page.ts';
import { BadControlRequest, parseRecord, parseString } from '../kit/parse-input.ts';
import { RateLimit } from '../kit/rate-limit.ts';
import { type Service, type ServiceOptions, SLOW_MS } from '../kit/service.ts';
import { Tally } from '../kit/tally.ts';
import { type Arrival, viewOf } from './arrival.ts';
import { type Endpoint, endpoints, type FaultKind, faultKinds, faultTable } from './faults.ts';
import { serveSend } from './send-endpoint.ts';
import { type FcmResponse, startServer } from './server.ts';
import { type FcmCertificate, ServiceAccounts } from './service-accounts.ts';
import { serveToken } from './token-endpoint.ts';

export type FcmSimulator = Service<Arrival> & {
  /** Credentials of a demo project. */
  readonly certificate: FcmCertificate;
};

export type FcmSimulatorOptions = ServiceOptions & {
  /** Lifetime of an access token. */
  readonly tokenLifeSeconds?: number;
  /** Maximum number of messages per project per minute. */
  readonly projectPerMinuteMax?: number;
  /**
   * Maximum number of messages per device per minute. Google's limit is about 240. The default is no limit, because
   * tests often send to the same device.
   */
  readonly devicePerMinuteMax?: number;
};

/** Displayed as the title of the control API page. */
const TITLE = 'FCM';
const TOKEN_LIFE_SECONDS = 3599;
const PROJECT_PER_MINUTE_MAX = 600_000;
const MINUTE_MS = 60_000;
const PROJECT_CHARACTERS_MAX = 30; // Google's limit
const DEMO_PROJECT = 'carillon-demo';

/** Starts an FCM simulator: the server for messages, the server for access tokens, and a control API. */
export async function startFcmSimulator(options: FcmSimulatorOptions = {}): Promise<FcmSimulator> {
  const identity = options.identity ?? createServerIdentity(Date.now());
  const accounts = new ServiceAccounts();
  const tokens = new AccessTokens(options.tokenLifeSeconds ?? TOKEN_LIFE_SECONDS);
  const faults = new Faults(faultKinds);
  const arrivals = new Arrivals<Arrival>(options.arrivedMax);
  const tally = new Tally();
  const counts = new Counts(endpoints);
  const access = {
    accounts,
    tokens,
    projectLimit: new RateLimit(options.projectPerMinuteMax ?? PROJECT_PER_MINUTE_MAX, MINUTE_MS),
    deviceLimit: new RateLimit(options.devicePerMinuteMax ?? Number.POSITIVE_INFINITY, MINUTE_MS),
  };
  const context = { access, arrivals, tally, slowMs: options.slowMs ?? SLOW_MS };

  let tokenUri = ''; // set once the port of the token server is known, before the first account is created
  await using resources = new AsyncDisposableStack(); // if a port is in use, stops the servers already started
  const start = async (endpoint: Endpoint, port = 0, serve: (request: HttpsRequest) => FcmResponse) => {
    const takeEndpointFault = () => takeFault(endpoint, faults, tokens);
    const listener = await startServer({ identity, port, endpoint, counts, takeFault: takeEndpointFault, serve });
    resources.defer(listener.stop);
    return listener.url;
  };
  const tokenUrl = await start('token', options.tokenPort, (request) => serveToken(request, access, tokenUri));
  tokenUri = `${tokenUrl}/token`;
  const sendUrl = await start('send', options.sendPort, (request) => serveSend(request, context));
  const routes = {
    ...commonRoutes({ title: TITLE, viewOf, arrivals, tally, counts, faults, endpointOfFault }),
    ...accountRoutes(accounts, tokenUri),
  };
  const control = await startControl(routes, options.controlPort ?? 0);
  resources.defer(control.stop);
  const runningResources = resources.move();
  const stop = () => runningResources.disposeAsync();

  return {
    sendUrl,
    tokenUrl,
    controlUrl: control.url,
    caPem: identity.caPem,
    certificate: accounts.create(DEMO_PROJECT, tokenUri),
    arrived: (target) => arrivals.list(target),
    screen: () => screenOf(TITLE, arrivals.list(), viewOf),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const endpointOfFault = (kind: FaultKind): Endpoint => faultTable[kind].endpoint;

function takeFault(
  endpoint: Endpoint,
  faults: Faults<FaultKind>,
  tokens: AccessTokens,
): FcmResponse | 'truncate' | undefined {
  const fault = faults.take(endpoint, Date.now());
  if (fault === undefined) return undefined;
  const { effect } = faultTable[fault.kind];
  if (effect === 'truncate') return effect;
  if (effect === 'expire') {
    tokens.expireAll();
    return undefined;
  }
  if (typeof effect === 'string') return { kind: effect };
  const response = effect(fault);
  return { kind: 'answer', label: `${response.status} ${fault.kind}`, response };
}

/** Returns the routes that create an account, for an existing project or a new one. */
function accountRoutes(accounts: ServiceAccounts, tokenUri: string): Routes {
  return {
    'POST /accounts': ({ body }) => {
      const projectId = parseString(parseRecord(body).project_id, 'project_id', PROJECT_CHARACTERS_MAX);
      if (!/^[a-z][a-z0-9-]+$/.test(projectId))
        throw new BadControlRequest('project_id must start with a-z and contain only a-z, 0-9 and -');
      if (accounts.isFull) throw new BadControlRequest('the simulator has reached its account limit');
      return { status: 200, json: accounts.create(projectId, tokenUri) };
    },
  };
}
