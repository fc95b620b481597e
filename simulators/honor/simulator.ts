import { AccessTokens } from '../kit/access-tokens.ts';
import { Arrivals } from '../kit/arrivals.ts';
import { RateLimit } from '../kit/rate-limit.ts';
import { Receipts } from '../kit/receipts.ts';
import { type Service, type ServiceOptions, SLOW_MS, startService } from '../kit/service.ts';
import { Tally } from '../kit/tally.ts';
import { type App, Apps, demoApp, parseApp } from './apps.ts';
import { type Arrival, biTagOf, viewOf } from './arrival.ts';
import { honorFaults } from './faults.ts';
import { toPost } from './receipts.ts';
import { serveSend } from './send-endpoint.ts';
import { serveToken } from './token-endpoint.ts';

export type HonorSimulator = Service<Arrival> & { readonly app: App };

export type HonorSimulatorOptions = ServiceOptions & {
  readonly tokenLifeSeconds?: number;
  /** Maximum difference between the `timestamp` header and the current time. The real tolerance is not known. */
  readonly timestampToleranceMs?: number;
  /**
   * Maximum number of low-importance messages per phone per day. Tokens over the limit are listed in `failTokens`.
   * Honor's limit is 2.
   */
  readonly marketingPerDayMax?: number;
};

const TOKEN_LIFE_SECONDS = 3600;
const TIMESTAMP_TOLERANCE_MS = 5 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Starts an Honor Push simulator: the token endpoint, the send endpoint and a control API. */
export async function startHonorSimulator(options: HonorSimulatorOptions = {}): Promise<HonorSimulator> {
  const apps = new Apps();
  apps.add(demoApp);
  const arrivals = new Arrivals<Arrival>(options.arrivedMax);
  const receipts = new Receipts(toPost);
  const context = {
    apps,
    arrivals,
    receipts,
    tally: new Tally(),
    accessTokens: new AccessTokens(options.tokenLifeSeconds ?? TOKEN_LIFE_SECONDS),
    marketingQuota: new RateLimit(options.marketingPerDayMax ?? Number.POSITIVE_INFINITY, DAY_MS),
    timestampToleranceMs: options.timestampToleranceMs ?? TIMESTAMP_TOLERANCE_MS,
    slowMs: options.slowMs ?? SLOW_MS,
  };
  const service = await startService({
    ...context,
    title: 'Honor Push',
    viewOf,
    options,
    faults: honorFaults,
    serve: {
      send: (request) => serveSend(request, context),
      token: (request) => serveToken(request, context),
    },
    routes: {
      'POST /apps': ({ body }) => {
        apps.add(parseApp(body));
        return { status: 204 };
      },
      ...receipts.routes((token) => {
        const last = arrivals.list(token).at(-1);
        const { app_id: appId = demoApp.appId, request_id: requestId = '', body = {} } = last ?? {};
        return { appId, requestId, biTag: biTagOf(body) ?? '' };
      }),
    },
    onStop: () => receipts.stop(),
  });
  return { ...service, app: demoApp };
}
