import { Arrivals } from '../kit/arrivals.ts';
import type { ControlRequest, ControlResponse, Routes } from '../kit/control.ts';
import { RateLimit } from '../kit/rate-limit.ts';
import { asRecord } from '../kit/read.ts';
import { Receipts } from '../kit/receipts.ts';
import { type Service, type ServiceOptions, SLOW_MS, startService } from '../kit/service.ts';
import { Tally } from '../kit/tally.ts';
import { type App, Apps, demoApp, parseApp } from './apps.ts';
import { type Arrival, paramOf, viewOf } from './arrival.ts';
import { flymeFaults } from './faults.ts';
import { toPost } from './receipts.ts';
import { serveSend } from './send-endpoint.ts';

export type FlymeSimulator = Service<Arrival> & { readonly app: App };

export type FlymeSimulatorOptions = ServiceOptions & {
  /** Maximum number of requests per app per second. Further requests return 110010. Meizu allows 200. */
  readonly requestsPerSecondMax?: number;
  /** Maximum number of messages per phone per minute. Further messages return 520. */
  readonly perMinuteMax?: number;
};

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const PER_MINUTE_MAX = 5;

/** Starts a Meizu Push simulator: one send server (Meizu has no access tokens) and a control API. */
export async function startFlymeSimulator(options: FlymeSimulatorOptions = {}): Promise<FlymeSimulator> {
  const apps = new Apps();
  apps.add(demoApp);
  const arrivals = new Arrivals<Arrival>(options.arrivedMax);
  const receipts = new Receipts(toPost);
  const callbacks = new Set<string>();
  const context = {
    apps,
    arrivals,
    receipts,
    callbacks,
    pictures: new Set<string>(),
    tally: new Tally(),
    requestLimit: new RateLimit(options.requestsPerSecondMax ?? Number.POSITIVE_INFINITY, SECOND_MS),
    deviceLimit: new RateLimit(options.perMinuteMax ?? PER_MINUTE_MAX, MINUTE_MS),
    slowMs: options.slowMs ?? SLOW_MS,
  };
  const receiptRoutes = receipts.routes((token) => {
    const last = arrivals.list(token).at(-1);
    const { app_id: appId = demoApp.appId, msg_id: requestId = '', body = {} } = last ?? {};
    return { appId, requestId, biTag: paramOf(body) };
  });
  const service = await startService({
    ...context,
    title: 'Meizu Push',
    viewOf,
    options,
    faults: flymeFaults,
    serve: { send: (request) => serveSend(request, context) },
    routes: {
      'POST /apps': ({ body }) => {
        apps.add(parseApp(body));
        return { status: 204 };
      },
      ...receiptRoutes,
      ...withCallbackRegistration(receiptRoutes, callbacks),
    },
    onStop: () => receipts.stop(),
  });
  return { ...service, app: demoApp };
}

/** Registers the receipt URL in the simulated console. Messages with any other callback URL are rejected. */
function withCallbackRegistration(routes: Routes, callbacks: Set<string>): Routes {
  const forward = (name: string, call: ControlRequest) => routes[name]?.(call) as ControlResponse;
  return {
    'POST /receipts': (call) => {
      const reply = forward('POST /receipts', call);
      callbacks.clear();
      callbacks.add(String(asRecord(call.body).url));
      return reply;
    },
    'DELETE /receipts': (call) => {
      callbacks.clear();
      return forward('DELETE /receipts', call);
    },
  };
}
