import { AccessTokens } from '../kit/access-tokens.ts';
import { Arrivals } from '../kit/arrivals.ts';
import { BadControlRequest, parseRecord } from '../kit/parse-input.ts';
import { RateLimit } from '../kit/rate-limit.ts';
import { Receipts } from '../kit/receipts.ts';
import { type Service, type ServiceOptions, SLOW_MS, startService } from '../kit/service.ts';
import { Tally } from '../kit/tally.ts';
import { type App, Apps, demoApp, parseApp } from './apps.ts';
import { type Arrival, paramOf, viewOf } from './arrival.ts';
import { AUTH_PATH, serveAuth } from './auth-endpoint.ts';
import { vivoFaults } from './faults.ts';
import { toPost } from './receipts.ts';
import { SavedMessages } from './saved-messages.ts';
import { serveSend } from './send-endpoint.ts';

export type VivoSimulator = Service<Arrival> & { readonly app: App };

export type VivoSimulatorOptions = ServiceOptions & {
  readonly tokenLifeSeconds?: number;
  /**
   * Maximum number of auth requests per app per second. Further requests return 10093. vivo allows 10, which a test
   * suite with many senders would exceed.
   */
  readonly authPerSecondMax?: number;
  /** Maximum number of devices per app per second. Requests over the limit return 10072. */
  readonly devicesPerSecondMax?: number;
  /**
   * Maximum number of operational messages, system messages and lists per app per day. Requests over these limits
   * return 10070, 10073 and 10252.
   */
  readonly operationalPerDayMax?: number;
  readonly systemPerDayMax?: number;
  readonly listsPerDayMax?: number;
};

const SECOND_MS = 1000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
const TOKEN_LIFE_SECONDS = 24 * 60 * 60;
/** The hour is noon until a test sets another hour, so that tests do not depend on the time of day. */
const NOON = 12;

/** Starts a vivo Push simulator: one server for tokens and messages, and a control API. */
export async function startVivoSimulator(options: VivoSimulatorOptions = {}): Promise<VivoSimulator> {
  const apps = new Apps();
  apps.add(demoApp);
  const arrivals = new Arrivals<Arrival>(options.arrivedMax);
  const receipts = new Receipts(toPost);
  const perDay = (max = Number.POSITIVE_INFINITY) => new RateLimit(max, DAY_MS);
  let hour = NOON;
  const context = {
    apps,
    arrivals,
    receipts,
    savedMessages: new SavedMessages(),
    tally: new Tally(),
    accessTokens: new AccessTokens(options.tokenLifeSeconds ?? TOKEN_LIFE_SECONDS),
    authLimit: new RateLimit(options.authPerSecondMax ?? Number.POSITIVE_INFINITY, SECOND_MS),
    sendLimit: new RateLimit(options.devicesPerSecondMax ?? Number.POSITIVE_INFINITY, SECOND_MS),
    dailyQuotas: [perDay(options.operationalPerDayMax), perDay(options.systemPerDayMax)] as const,
    listQuota: perDay(options.listsPerDayMax),
    hour: () => hour,
    slowMs: options.slowMs ?? SLOW_MS,
  };
  const service = await startService({
    ...context,
    title: 'vivo Push',
    viewOf,
    options,
    faults: vivoFaults,
    serve: {
      send: (request) => serveSend(request, context),
      token: (request) => serveAuth(request, context),
    },
    tokenPath: AUTH_PATH,
    routes: {
      'POST /apps': ({ body }) => {
        apps.add(parseApp(body));
        return { status: 204 };
      },
      'POST /hour': ({ body }) => {
        hour = parseHour(parseRecord(body).hour);
        return { status: 204 };
      },
      ...receipts.routes((token) => {
        const last = arrivals.list(token).at(-1);
        const { app_id: appId = demoApp.appId, task_id: requestId = '', body = {} } = last ?? {};
        return { appId, requestId, biTag: paramOf(body) };
      }),
    },
    onStop: () => receipts.stop(),
  });
  return { ...service, app: demoApp };
}

function parseHour(value: unknown): number {
  if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > 23) {
    throw new BadControlRequest('hour must be an integer from 0 to 23');
  }
  return Number(value);
}
