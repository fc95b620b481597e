import { Arrivals } from '../kit/arrivals.ts';
import { Receipts } from '../kit/receipts.ts';
import { type Service, type ServiceOptions, SLOW_MS, startService } from '../kit/service.ts';
import { Tally } from '../kit/tally.ts';
import { type App, Apps, demoApp, parseApp } from './apps.ts';
import { type Arrival, viewOf } from './arrival.ts';
import { xiaomiFaults } from './faults.ts';
import { toPost } from './receipts.ts';
import { isRevoke, serveRevoke } from './revoke-endpoint.ts';
import { serveSend } from './send-endpoint.ts';
import { ShownMessages } from './shown-messages.ts';

export type XiaomiSimulator = Service<Arrival> & { readonly app: App };

/** Starts a Xiaomi Push simulator: the endpoints to send and revoke, and a control API. Xiaomi has no access tokens. */
export async function startXiaomiSimulator(options: ServiceOptions = {}): Promise<XiaomiSimulator> {
  const apps = new Apps();
  apps.add(demoApp);
  const arrivals = new Arrivals<Arrival>(options.arrivedMax);
  const receipts = new Receipts(toPost);
  const context = {
    apps,
    arrivals,
    receipts,
    tally: new Tally(),
    shownMessages: new ShownMessages(),
    slowMs: options.slowMs ?? SLOW_MS,
  };
  const service = await startService({
    ...context,
    title: 'Xiaomi Push',
    viewOf,
    options,
    faults: xiaomiFaults,
    serve: {
      send: (request) => (isRevoke(request) ? serveRevoke(request, context) : serveSend(request, context)),
    },
    routes: {
      'POST /apps': ({ body }) => {
        apps.add(parseApp(body));
        return { status: 204 };
      },
      ...receipts.routes((token) => {
        const last = arrivals.list(token).at(-1);
        const { app_id: appId = demoApp.appId, request_id: requestId = '', body = {} } = last ?? {};
        return { appId, requestId, biTag: body['extra.callback.param'] ?? '' };
      }),
    },
    onStop: () => receipts.stop(),
  });
  return { ...service, app: demoApp };
}
