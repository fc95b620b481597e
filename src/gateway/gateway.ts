import { setTimeout as sleep } from 'node:timers/promises';
import type { Static } from 'typebox';
import { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { randomText } from '#src/foundation/random-text.ts';
import { Receipts } from '#src/receipts/receipts.ts';
import { onTakeover, sendTakeover, serveDeliver, serveInbox, serveRecall } from '#src/signals/gateway.ts';
import type { Signals } from '#src/signals/signals.ts';
import type { CeilingDefaults } from '#src/storage/accounts/ceilings.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { Authenticator } from './authenticate.ts';
import { ConnectLimits } from './connect-limits.ts';
import { type ConnectionContext, serveConnection } from './connection.ts';
import { deliverToSessions, recallFromSessions } from './deliver.ts';
import { type ListenerPorts, openListeners } from './listeners/listeners.ts';
import { PendingConnections } from './listeners/pending-connections.ts';
import { gatewayMetrics } from './metrics.ts';
import { watchRevocations } from './revocations.ts';
import { drain } from './sessions/drain.ts';
import { InboxReader } from './sessions/inbox.ts';
import { Presence } from './sessions/presence.ts';
import { SessionReconciler } from './sessions/reconcile-sessions.ts';
import { SessionCeilings } from './sessions/session-ceilings.ts';
import { Sessions } from './sessions/sessions.ts';
import type { gatewaySettings } from './settings.ts';

interface GatewayOptions {
  readonly settings: Static<typeof gatewaySettings>;
  readonly ceilings: CeilingDefaults;
  readonly storage: Storage;
  /** The same databases on separate connections, for heartbeats. */
  readonly heartbeatStorage: Storage;
  readonly signals: Signals;
  readonly log: Log;
}

export interface Gateway {
  readonly ports: ListenerPorts;
  /**
   * Moves the devices to other gateways and stops. The sessions are closed gradually, or immediately if `forceStop` is
   * aborted.
   */
  stop(forceStop: AbortSignal): Promise<void>;
}

const KEEP_ALIVE_CHECK_MS = 1_000;
/** Time for devices to read their last packets. */
const LISTENERS_CLOSE_MS_MAX = 2_500;

/** Starts a gateway: accepts device connections and delivers notifications to them. */
export async function startGateway({
  settings,
  ceilings,
  storage,
  heartbeatStorage,
  signals,
  log,
}: GatewayOptions): Promise<Gateway> {
  // A new name for each start, so that messages for a previous process cannot reach this one.
  const gateway = randomText(72);
  const sessionCeilings = new SessionCeilings({ db: storage.home, gateway, defaults: ceilings, log });
  const sessions = new Sessions({
    total: settings.CARILLON_GATEWAY_SESSIONS_MAX,
    perApp: settings.CARILLON_GATEWAY_SESSIONS_PER_APP_MAX,
    isAtCeiling: (appId, count) => sessionCeilings.isReached(appId, count),
  });
  const clock = new DatabaseClock();
  const receipts = new Receipts(storage.shards, log);
  const inbox = new InboxReader({ storage, sessions, receipts, log });
  const presence = new Presence({
    gateway,
    shards: storage.shards,
    heartbeatShards: heartbeatStorage.shards,
    sessions,
    clock,
    readInboxes: (announcedSessions) => {
      for (const session of announcedSessions) inbox.read(session);
    },
    onDevicesTakenOver: (previousGateway, deviceIds) => sendTakeover(signals, previousGateway, deviceIds),
    onAnnouncementsRejected: (deviceIds) => reconciler.reconcile(deviceIds),
    onLateHeartbeat: (late) => reconciler.reconcileSessions(late),
    log,
  });
  const reconciler = new SessionReconciler({ shards: storage.shards, sessions, presence, inbox, log });
  await presence.start();
  serveDeliver(signals, gateway, (deliveries) => deliverToSessions(sessions, clock, deliveries));
  serveRecall(signals, gateway, (recall) => recallFromSessions(sessions, recall));
  serveInbox(signals, gateway, (deviceIds) => {
    for (const deviceId of deviceIds) {
      const session = sessions.get(deviceId);
      if (session) inbox.read(session);
    }
  });

  onTakeover(signals, gateway, (deviceIds) => reconciler.reconcile(deviceIds));

  let draining = false;
  const pendingConnections = new PendingConnections({
    total: settings.CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX,
    perAddress: settings.CARILLON_GATEWAY_PENDING_CONNECTIONS_PER_ADDRESS_MAX,
    acceptsPerSecond: settings.CARILLON_GATEWAY_ACCEPTS_PER_ADDRESS_PER_SECOND,
  });
  const context: ConnectionContext = {
    storage,
    authenticator: new Authenticator(storage),
    isDraining: () => draining,
    pendingConnections,
    connectLimits: new ConnectLimits({
      perSecond: settings.CARILLON_GATEWAY_CONNECTS_PER_SECOND,
      unknownTokensPerMinute: settings.CARILLON_GATEWAY_UNKNOWN_TOKENS_PER_ADDRESS_PER_MINUTE,
    }),
    sessions,
    sessionCeilings,
    presence,
    receipts,
    inbox,
    log,
    keepAliveSeconds: {
      min: settings.CARILLON_GATEWAY_KEEPALIVE_SECONDS_MIN,
      max: settings.CARILLON_GATEWAY_KEEPALIVE_SECONDS_MAX,
    },
  };
  sessionCeilings.start(sessions.perApp);
  const listeners = await openListeners({
    settings,
    pendingConnections,
    log,
    serve: (socket) => serveConnection(socket, context),
  });
  const revocations = watchRevocations({ db: storage.home, signals, sessions, log });
  const keepAliveTimer = setInterval(() => {
    sessions.closeEnded();
    gatewayMetrics.sessions.set(sessions.size);
  }, KEEP_ALIVE_CHECK_MS);
  reconciler.start(settings.CARILLON_GATEWAY_RECONCILE_SECONDS * 1_000);
  log.info('gateway-listening', { gateway, ...listeners.ports });

  return {
    ports: listeners.ports,
    stop: async (forceStop) => {
      draining = true;
      const sessionCount = sessions.size;
      await drain({ sessions, presence, seconds: settings.CARILLON_GATEWAY_DRAIN_SECONDS, forceStop });
      log.info('gateway-drained', { sessions: sessionCount, hurried: forceStop.aborted });
      const listenersClosed = listeners.close();
      clearInterval(keepAliveTimer);
      await reconciler.stop();
      await revocations.stop();
      pendingConnections.destroy();
      await Promise.race([listenersClosed, sleep(LISTENERS_CLOSE_MS_MAX, undefined, { ref: false })]);
      await receipts.stop();
      await sessionCeilings.stop();
      await presence.stop();
    },
  };
}
