import type { AddressInfo } from 'node:net';
import type { Static } from 'typebox';
import { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import type { Keyring } from '#src/foundation/sealed-box.ts';
import { Receipts } from '#src/receipts/receipts.ts';
import { hurryRevocations } from '#src/signals/revocation.ts';
import type { Motion } from '#src/signals/signals.ts';
import type { Truth } from '#src/storage/database/database.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import type { channelSettings } from '#src/vendors/settings.ts';
import { Authenticator } from './http/authenticate.ts';
import { RequestLimits } from './http/limits.ts';
import { Accept } from './notify/accept.ts';
import { ImageSizes } from './notify/image-sizes.ts';
import { createServer } from './server.ts';
import type { apiSettings } from './settings.ts';

interface ApiOptions {
  readonly settings: Static<typeof apiSettings> & Static<typeof channelSettings>;
  readonly truth: Truth;
  readonly motion: Motion;
  readonly keyring: Keyring;
  readonly log: Log;
}

export interface Api {
  readonly port: number;
  /** Goes on answering, and asks whoever calls to connect anew: behind a balancer that leads elsewhere. */
  drain(): void;
  stop(): Promise<void>;
}

/** Often enough that two clocks cannot drift apart by more than a few milliseconds. */
const CLOCK_MS = 30_000;

/** Serves the HTTP interface. */
export async function startApi({ settings, truth, motion, keyring, log }: ApiOptions): Promise<Api> {
  const clock = new DatabaseClock();
  clock.observe(await readClock(truth.home));
  const reading = repeat({
    pauseMs: CLOCK_MS,
    work: async () => clock.observe(await readClock(truth.home)),
    onError: (error) => log.warn('clock-not-read', { error }),
  });
  const accept = new Accept(truth.home, motion);
  const receipts = new Receipts(truth.shards, log);
  const authenticator = new Authenticator(truth.home);
  const context = {
    settings,
    truth,
    keyring,
    accept,
    images: new ImageSizes(),
    clock,
    limits: new RequestLimits(truth.home),
    receipts,
    forgetKnown: () => authenticator.forget(),
    tellRevoked: () => {
      authenticator.forget();
      hurryRevocations(motion);
    },
    log,
  };
  const server = createServer(context, authenticator);
  await server.listen({ host: settings.CARILLON_API_HOST, port: settings.CARILLON_API_PORT });
  const { port } = server.server.address() as AddressInfo;
  log.info('api-listens', { port });
  return {
    port,
    drain: () => {
      server.server.prependListener('request', (_request, response) => {
        response.shouldKeepAlive = false;
      });
    },
    stop: async () => {
      await reading.stop();
      await server.close(); // ends what is under way first
      await accept.idle();
      await receipts.stop();
    },
  };
}
