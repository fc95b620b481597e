import { AccessTokens } from '../kit/access-tokens.ts';
import { Arrivals } from '../kit/arrivals.ts';
import { RateLimit } from '../kit/rate-limit.ts';
import { asRecord } from '../kit/read.ts';
import { Receipts } from '../kit/receipts.ts';
import { type Service, type ServiceOptions, SLOW_MS, startService } from '../kit/service.ts';
import { Tally } from '../kit/tally.ts';
import { type App, Apps, demoApp, parseApp } from './apps.ts';
import { type Arrival, viewOf } from './arrival.ts';
import { DuplicateFilter } from './duplicate-filter.ts';
import { oppoFaults } from './faults.ts';
import { toPost } from './receipts.ts';
import { serveSend } from './send-endpoint.ts';
import { serveToken, TOKEN_PATH } from './token-endpoint.ts';

export type OppoSimulator = Service<Arrival> & { readonly app: App };

export type OppoSimulatorOptions = ServiceOptions & {
  readonly tokenLifeSeconds?: number;
  /**
   * Maximum number of access token requests per app per minute. Further requests return 13. OPPO's own limit is not
   * known.
   */
  readonly tokenCallsMax?: number;
  /** Handling of a repeated `app_message_id` for the same token: accepted but not delivered, or rejected with 32. */
  readonly duplicates?: 'dropped' | 'refused';
};

const TOKEN_LIFE_SECONDS = 24 * 60 * 60;
const MINUTE_MS = 60_000;

/** Starts an OPPO Push simulator: one server for tokens and messages, and a control API. */
export async function startOppoSimulator(options: OppoSimulatorOptions = {}): Promise<OppoSimulator> {
  const apps = new Apps();
  apps.add(demoApp);
  const arrivals = new Arrivals<Arrival>(options.arrivedMax);
  const receipts = new Receipts(toPost);
  const accessTokens = new AccessTokens(options.tokenLifeSeconds ?? TOKEN_LIFE_SECONDS);
  const context = {
    apps,
    arrivals,
    receipts,
    accessTokens,
    tally: new Tally(),
    duplicates: new DuplicateFilter(options.duplicates ?? 'dropped'),
    tokenLimit: new RateLimit(options.tokenCallsMax ?? Number.POSITIVE_INFINITY, MINUTE_MS),
    slowMs: options.slowMs ?? SLOW_MS,
  };
  const service = await startService({
    ...context,
    title: 'OPPO Push',
    viewOf,
    options,
    faults: oppoFaults,
    serve: {
      send: (request) => serveSend(request, context),
      token: (request) => serveToken(request, context),
    },
    tokenPath: TOKEN_PATH,
    routes: {
      'POST /apps': ({ body }) => {
        apps.add(parseApp(body));
        return { status: 204 };
      },
      'DELETE /tokens': () => {
        accessTokens.expireAll();
        return { status: 204 };
      },
      ...receipts.routes((token) => {
        const last = arrivals.list(token).at(-1);
        const { app_id: appId = demoApp.appId, request_id: requestId = '', body = {} } = last ?? {};
        return { appId, requestId, biTag: String(asRecord(body.notification).call_back_parameter ?? '') };
      }),
    },
    onStop: () => receipts.stop(),
  });
  return { ...service, app: demoApp };
}
