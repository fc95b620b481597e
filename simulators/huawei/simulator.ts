import { AccessTokens } from '../kit/access-tokens.ts';
import { Arrivals } from '../kit/arrivals.ts';
import { RateLimit } from '../kit/rate-limit.ts';
import { Receipts } from '../kit/receipts.ts';
import { type Service, type ServiceOptions, SLOW_MS, startService } from '../kit/service.ts';
import { Tally } from '../kit/tally.ts';
import { type App, Apps, createDemoApp, parseApp } from './apps.ts';
import { type Arrival, biTagOf, viewOf } from './arrival.ts';
import { huaweiFaults } from './faults.ts';
import { toPost } from './receipts.ts';
import { isRevoke, serveRevoke } from './revoke-endpoint.ts';
import { serveSend } from './send-endpoint.ts';
import { serveToken } from './token-endpoint.ts';

export type HuaweiSimulator = Service<Arrival> & {
  readonly app: App;
  /** Service account file, which an operator can enter instead of the secret. */
  readonly serviceAccountJson: string;
};

export type HuaweiSimulatorOptions = ServiceOptions & {
  readonly tokenLifeSeconds?: number;
  /** Maximum number of access token requests per app per five minutes. Further requests return 503. */
  readonly tokenCallsMax?: number;
  /** Maximum number of devices per app per second. Requests over the limit return 503 (flow control). */
  readonly devicesPerSecondMax?: number;
};

const TOKEN_LIFE_SECONDS = 3600;
const TOKEN_CALLS_MAX = 1000;
const TOKEN_WINDOW_MS = 5 * 60 * 1000;

/** Starts a Huawei Push Kit simulator: the token endpoint, the endpoints to send and revoke, and a control API. */
export async function startHuaweiSimulator(options: HuaweiSimulatorOptions = {}): Promise<HuaweiSimulator> {
  const { app, serviceAccountJson } = createDemoApp();
  const apps = new Apps();
  apps.add(app);
  const arrivals = new Arrivals<Arrival>(options.arrivedMax);
  const receipts = new Receipts(toPost);
  const context = {
    apps,
    arrivals,
    receipts,
    tally: new Tally(),
    accessTokens: new AccessTokens(options.tokenLifeSeconds ?? TOKEN_LIFE_SECONDS),
    tokenLimit: new RateLimit(options.tokenCallsMax ?? TOKEN_CALLS_MAX, TOKEN_WINDOW_MS),
    sendLimit: new RateLimit(options.devicesPerSecondMax ?? Number.POSITIVE_INFINITY, 1000),
    slowMs: options.slowMs ?? SLOW_MS,
  };
  const service = await startService({
    ...context,
    title: 'Huawei Push',
    viewOf,
    options,
    faults: huaweiFaults,
    serve: {
      send: (request) => (isRevoke(request) ? serveRevoke(request, context) : serveSend(request, context)),
      token: (request) => serveToken(request, context),
    },
    routes: {
      'POST /apps': ({ body }) => {
        apps.add(parseApp(body));
        return { status: 204 };
      },
      'GET /service-account': () => ({ status: 200, json: JSON.parse(serviceAccountJson) }),
      ...receipts.routes((token) => {
        const { app_id: appId = app.appId, request_id: requestId = '', body = {} } = arrivals.list(token).at(-1) ?? {};
        return { appId, requestId, biTag: biTagOf(body) ?? '' };
      }),
    },
    onStop: () => receipts.stop(),
  });
  return { ...service, app, serviceAccountJson };
}
