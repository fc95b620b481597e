import { Arrivals } from '../kit/arrivals.ts';
import { RateLimit } from '../kit/rate-limit.ts';
import { Receipts } from '../kit/receipts.ts';
import { type Service, type ServiceOptions, SLOW_MS, startService } from '../kit/service.ts';
import { Tally } from '../kit/tally.ts';
import { type App, Apps, createApp, DEMO_APP, parseApp } from './apps.ts';
import { type Arrival, biTagOf, viewOf } from './arrival.ts';
import { DuplicateFilter } from './duplicate-filter.ts';
import { harmonyFaults } from './faults.ts';
import { toPost } from './receipts.ts';
import { isRevokePath, type Revocation, serveRevoke } from './revoke-endpoint.ts';
import { serveSend } from './send-endpoint.ts';

export type HarmonySimulator = Service<Arrival> & {
  readonly app: App;
  /** Service-account file of the demo app. */
  readonly serviceAccountJson: string;
  /** Notifications that were recalled, oldest first. */
  revoked(): readonly Revocation[];
};

export type HarmonySimulatorOptions = ServiceOptions & {
  /** Maximum number of devices per project per second. Requests over the limit return 503 (flow control). */
  readonly devicesPerSecondMax?: number;
  /** Maximum number of marketing messages per phone per day. */
  readonly marketingPerDayMax?: number;
};

const MARKETING_PER_DAY_MAX = 2;
const TEST_MESSAGES_PER_DAY_MAX = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Starts a simulator of Push Kit for HarmonyOS: the send endpoint, the revoke endpoint and a control API. */
export async function startHarmonySimulator(options: HarmonySimulatorOptions = {}): Promise<HarmonySimulator> {
  const { app, serviceAccountJson } = createApp(DEMO_APP);
  const apps = new Apps();
  apps.add(app);
  const arrivals = new Arrivals<Arrival>(options.arrivedMax);
  const receipts = new Receipts(toPost);
  const revocations: Revocation[] = [];
  const context = {
    apps,
    arrivals,
    receipts,
    revocations,
    tally: new Tally(),
    duplicates: new DuplicateFilter(),
    sendLimit: new RateLimit(options.devicesPerSecondMax ?? Number.POSITIVE_INFINITY, 1000),
    marketingQuota: new RateLimit(options.marketingPerDayMax ?? MARKETING_PER_DAY_MAX, DAY_MS),
    testQuota: new RateLimit(TEST_MESSAGES_PER_DAY_MAX, DAY_MS),
    slowMs: options.slowMs ?? SLOW_MS,
  };
  const service = await startService({
    ...context,
    title: 'HarmonyOS Push',
    viewOf,
    options,
    faults: harmonyFaults,
    serve: {
      send: (request) => (isRevokePath(request) ? serveRevoke(request, context) : serveSend(request, context)),
    },
    routes: {
      'POST /apps': ({ body }) => {
        const created = createApp(parseApp(body));
        apps.add(created.app);
        return { status: 200, json: JSON.parse(created.serviceAccountJson) };
      },
      'GET /service-account': () => ({ status: 200, json: JSON.parse(serviceAccountJson) }),
      'GET /revoked': () => ({ status: 200, json: { revoked: revocations } }),
      ...receipts.routes((token) => {
        const {
          app_id: appId = app.projectId,
          request_id: requestId = '',
          body = {},
        } = arrivals.list(token).at(-1) ?? {};
        return { appId, requestId, biTag: biTagOf(body) ?? '' };
      }),
    },
    onStop: () => receipts.stop(),
  });
  return { ...service, app, serviceAccountJson, revoked: () => revocations };
}
