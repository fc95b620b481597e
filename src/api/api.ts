import type { AddressInfo } from 'node:net';
import type { Static } from 'typebox';
import { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import { listenWithSetting } from '#src/foundation/settings.ts';
import { Receipts } from '#src/receipts/receipts.ts';
import { sendRevocation } from '#src/signals/revocation.ts';
import type { Signals } from '#src/signals/signals.ts';
import type { CeilingDefaults } from '#src/storage/accounts/ceilings.ts';
import type { Keyrings } from '#src/storage/accounts/master-keys.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import type { vendorSettings } from '#src/vendors/settings.ts';
import type { ApiContext } from './context.ts';
import { AppCeilings } from './http/app-ceilings.ts';
import { Authenticator } from './http/authenticate.ts';
import { RequestLimits } from './http/limits.ts';
import { TaskAcceptor } from './notify/accept.ts';
import { ImageSizes } from './notify/image-sizes.ts';
import { LargeCounts } from './notify/large-counts.ts';
import { createServer } from './server.ts';
import type { apiSettings } from './settings.ts';

interface ApiOptions {
  readonly settings: Static<typeof apiSettings> & Static<typeof vendorSettings>;
  readonly storage: Storage;
  readonly signals: Signals;
  readonly ceilings: CeilingDefaults;
  readonly keyrings: Keyrings;
  readonly log: Log;
}

export interface Api {
  readonly port: number;
  /**
   * Keeps serving requests but closes each connection after its response, so that a load balancer can route the client
   * to another process.
   */
  drain(): void;
  stop(): Promise<void>;
}

/**
 * Interval between reads of the database clock. Within this interval, the local clock and the database clock drift
 * apart by at most a few milliseconds.
 */
const CLOCK_READ_INTERVAL_MS = 30_000;

/** Starts the HTTP API. */
export async function startApi({ settings, storage, signals, ceilings, keyrings, log }: ApiOptions): Promise<Api> {
  const clock = new DatabaseClock();
  clock.observe(await readClock(storage.home));
  const clockUpdates = repeat({
    pauseMs: CLOCK_READ_INTERVAL_MS,
    work: async () => clock.observe(await readClock(storage.home)),
    onError: (error) => log.warn('clock-read-failed', { error }),
  });
  const acceptor = new TaskAcceptor(storage.home, signals);
  const receipts = new Receipts(storage.shards, log);
  const authenticator = new Authenticator(storage.home, settings.CARILLON_API_UNKNOWN_TOKENS_PER_ADDRESS_PER_MINUTE);
  const appCeilings = new AppCeilings({ db: storage.home, defaults: ceilings, clock, log });
  const context: ApiContext = {
    settings,
    storage,
    keyrings,
    acceptor,
    imageSizes: new ImageSizes(),
    largeCounts: new LargeCounts(),
    clock,
    limits: new RequestLimits(storage.home),
    ceilings: appCeilings,
    receipts,
    clearAuthCache: () => authenticator.clearCache(),
    announceRevocation: () => {
      authenticator.clearCache();
      sendRevocation(signals);
    },
    log,
  };
  const server = createServer(context, authenticator);
  const address = { host: settings.CARILLON_API_HOST, port: settings.CARILLON_API_PORT };
  await listenWithSetting('CARILLON_API_PORT', address.port, () => server.listen(address));
  const { port } = server.server.address() as AddressInfo;
  log.info('api-listening', { port });
  return {
    port,
    drain: () => {
      server.server.prependListener('request', (_request, response) => {
        response.shouldKeepAlive = false;
      });
    },
    stop: async () => {
      await clockUpdates.stop();
      await server.close(); // waits for requests in progress
      await acceptor.idle();
      await appCeilings.stop();
      await receipts.stop();
    },
  };
}
