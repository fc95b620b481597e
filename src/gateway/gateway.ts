import { setTimeout as sleep } from 'node:timers/promises';
import type { Static } from 'typebox';
import { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { randomText } from '#src/foundation/random-text.ts';
import { TokenBucket } from '#src/foundation/token-bucket.ts';
import { Receipts } from '#src/receipts/receipts.ts';
import { hurryTakeover, onTakeover, serveDeliver, serveInbox } from '#src/signals/gateway.ts';
import type { Motion } from '#src/signals/signals.ts';
import type { Truth } from '#src/storage/database/database.ts';
import { Authenticator } from './authenticate.ts';
import { type ConnectionContext, serveConnection } from './connection.ts';
import { deliverToSessions } from './deliver.ts';
import { type DoorPorts, openDoors } from './listeners/listeners.ts';
import { Unopened } from './listeners/pending-connections.ts';
import { gatewayMetrics } from './metrics.ts';
import { watchRevocations } from './revocations.ts';
import { drain } from './sessions/drain.ts';
import { InboxReader } from './sessions/inbox.ts';
import { Presence } from './sessions/presence.ts';
import { Walk } from './sessions/reconcile-sessions.ts';
import { Sessions } from './sessions/sessions.ts';
import type { gatewaySettings } from './settings.ts';

interface GatewayOptions {
  readonly settings: Static<typeof gatewaySettings>;
  readonly truth: Truth;
  /** The same databases on connections of their own, for heartbeats. */
  readonly heartbeatTruth: Truth;
  readonly motion: Motion;
  readonly log: Log;
}

export interface Gateway {
  readonly ports: DoorPorts;
  /** Sends the devices elsewhere, one after the other, or at once when there is a hurry, and stops. */
  stop(hurry: AbortSignal): Promise<void>;
}

const SILENCE_CHECK_MS = 1_000;
/** Time for the last words to be read. */
const CLOSED_MS_MAX = 2_500;

/** Listens for devices and delivers to them. */
export async function startGateway({ settings, truth, heartbeatTruth, motion, log }: GatewayOptions): Promise<Gateway> {
  // Its own name each time it starts, so that nothing meant for a former process can reach this one.
  const gateway = randomText(72);
  const sessions = new Sessions(settings.CARILLON_GATEWAY_SESSIONS_PER_APP_MAX);
  const clock = new DatabaseClock();
  const receipts = new Receipts(truth.shards, log);
  const inbox = new InboxReader({ truth, sessions, receipts, log });
  const presence = new Presence({
    gateway,
    shards: truth.shards,
    heartbeatShards: heartbeatTruth.shards,
    sessions,
    clock,
    readInboxes: (announced) => {
      for (const session of announced) inbox.read(session);
    },
    onTakenFrom: (former, deviceIds) => hurryTakeover(motion, former, deviceIds),
    onUntold: (deviceIds) => walk.lookAt(deviceIds),
    log,
  });
  const walk = new Walk({ sessions, presence, inbox, log });
  await presence.start();
  serveDeliver(motion, gateway, (deliveries) => deliverToSessions(sessions, clock, deliveries));
  serveInbox(motion, gateway, (deviceIds) => {
    for (const deviceId of deviceIds) {
      const session = sessions.get(deviceId);
      if (session) inbox.read(session);
    }
  });

  onTakeover(motion, gateway, (deviceIds) => walk.lookAt(deviceIds));

  let draining = false;
  const unopened = new Unopened({
    total: settings.CARILLON_GATEWAY_UNOPENED_MAX,
    perAddress: settings.CARILLON_GATEWAY_UNOPENED_PER_ADDRESS_MAX,
    acceptsPerSecond: settings.CARILLON_GATEWAY_ACCEPTS_PER_ADDRESS_PER_SECOND,
  });
  const context: ConnectionContext = {
    truth,
    authenticator: new Authenticator(truth),
    isDraining: () => draining,
    unopened,
    connects: new TokenBucket(settings.CARILLON_GATEWAY_CONNECTS_PER_SECOND, performance.now()),
    sessions,
    presence,
    receipts,
    inbox,
    log,
    keepAliveSeconds: {
      min: settings.CARILLON_GATEWAY_KEEPALIVE_SECONDS_MIN,
      max: settings.CARILLON_GATEWAY_KEEPALIVE_SECONDS_MAX,
    },
  };
  const doors = await openDoors({ settings, unopened, log, serve: (socket) => serveConnection(socket, context) });
  const revocations = watchRevocations({ db: truth.home, motion, sessions, log });
  const silence = setInterval(() => {
    sessions.closeSilent();
    gatewayMetrics.sessions.set(sessions.size);
  }, SILENCE_CHECK_MS);
  walk.start(settings.CARILLON_GATEWAY_WALK_SECONDS * 1_000);
  log.info('gateway-listens', { gateway, ...doors.ports });

  return {
    ports: doors.ports,
    stop: async (hurry) => {
      draining = true;
      const held = sessions.size;
      await drain({ sessions, presence, seconds: settings.CARILLON_GATEWAY_DRAIN_SECONDS, hurry });
      log.info('gateway-drained', { sessions: held, hurried: hurry.aborted });
      const closed = doors.close();
      clearInterval(silence);
      await walk.stop();
      await revocations.stop();
      unopened.destroy();
      await Promise.race([closed, sleep(CLOSED_MS_MAX, undefined, { ref: false })]);
      await receipts.stop();
      await presence.stop();
    },
  };
}
