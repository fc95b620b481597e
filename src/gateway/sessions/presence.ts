import { setTimeout as sleep } from 'node:timers/promises';
import { Batch } from '#src/foundation/batch.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import type { ShardDb, Shards } from '#src/storage/database/database.ts';
import { waitWhileResponsive } from '#src/storage/database/responsive-work.ts';
import {
  type Announcement,
  announce,
  compareSessions,
  deleteGateway,
  LATE_SECONDS,
  renewHeartbeat,
  type SessionState,
  startEpoch,
} from '#src/storage/devices/presence.ts';
import type { ConnectedDevice, Session } from './session.ts';
import type { Sessions } from './sessions.ts';

const HEARTBEAT_MS = 2_000;
/** A gateway starts without a database that takes longer to respond, because the devices of the others must not wait. */
const REGISTER_MS_MAX = 250;
/** Maximum number of sessions announced per statement. */
const ANNOUNCEMENTS_PER_WRITE_MAX = 500;

interface PresenceOptions {
  readonly gateway: string;
  readonly shards: Shards;
  /** The same databases on separate connections, because a heartbeat must not wait behind other queries. */
  readonly heartbeatShards: Shards;
  readonly sessions: Sessions;
  readonly clock: DatabaseClock;
  /** Called with sessions that were announced again. Notifications sent in the meantime are in their inboxes. */
  readonly readInboxes: (sessions: readonly Session[]) => void;
  /** Called with devices that were connected to another gateway before this gateway announced them. */
  readonly onDevicesTakenOver: (gateway: string, deviceIds: readonly bigint[]) => void;
  /**
   * Called with devices that could not be announced, because a later connection of the device is recorded or the device
   * has another owner.
   */
  readonly onAnnouncementsRejected: (deviceIds: readonly bigint[]) => void;
  /**
   * Called with the sessions of a database after a late heartbeat. Workers may have written notifications to their
   * inboxes, and other gateways may have taken over devices.
   */
  readonly onLateHeartbeat: (sessions: readonly Session[]) => void;
  readonly log: Log;
}

/**
 * Records in every shard database which of its devices are connected to this gateway, and keeps the records current.
 */
export class Presence {
  readonly #options: PresenceOptions;
  readonly #databases = new Map<ShardDb, DatabasePresence>();

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  /**
   * Resolves when this gateway is registered in every database that responds in time. It registers in the others when
   * they respond, and then announces their sessions.
   */
  async start(): Promise<void> {
    const { shards } = this.#options;
    const starts = shards.all.map((db) => this.#databaseAt(shards.rangesOf(db)[0]?.firstBucket ?? 0).start());
    await Promise.race(starts); // at least one database sets the clock
    await Promise.race([Promise.all(starts), sleep(REGISTER_MS_MAX, undefined, { ref: false })]);
  }

  /** Resolves when the session is recorded in the database. */
  connected(device: ConnectedDevice): Promise<void> {
    return this.#databaseOf(device).announce({ ...device, online: true });
  }

  disconnected(device: ConnectedDevice): void {
    this.#databaseOf(device).announceInBackground({ ...device, online: false });
  }

  /** Compares sessions of one database with their records. */
  async compare(sessions: readonly Session[]): Promise<SessionState[]> {
    const [first] = sessions;
    return first ? this.#databaseOf(first.device).compare(sessions.map(({ device }) => device)) : [];
  }

  /** Deletes this gateway from the databases. Does not wait for a silent one, in which its heartbeat expires. */
  async stop(): Promise<void> {
    const databases = [...this.#databases.values()];
    await waitWhileResponsive(
      databases.map((database) => ({ databases: database.connections, work: database.stop() })),
    );
  }

  #databaseOf(device: ConnectedDevice): DatabasePresence {
    return this.#databaseAt(device.bucket);
  }

  /** Returns the database of a bucket. A database that the bucket map did not have before is registered now. */
  #databaseAt(bucket: number): DatabasePresence {
    const { shards, heartbeatShards } = this.#options;
    const db = shards.dbFor(bucket);
    let database = this.#databases.get(db);
    if (!database) {
      database = new DatabasePresence(this.#options, db, heartbeatShards.dbFor(bucket));
      this.#databases.set(db, database);
      void database.start();
    }
    return database;
  }
}

/**
 * Presence in one database. All sessions are announced in each epoch; a new epoch begins when the database no longer
 * accepts the previous epoch.
 */
class DatabasePresence {
  readonly #options: PresenceOptions;
  readonly #db: ShardDb;
  readonly #heartbeatDb: ShardDb;
  /** Writes one batch at a time, so that connects and disconnects are written in order. */
  readonly #queue: Batch<Announcement, undefined>;
  #epoch = 0;
  /** True if this epoch is expected to be registered in the database. */
  #isRegistered = false;
  /** When the last heartbeat began that the database has confirmed. */
  #confirmedAtMs = performance.now();
  readonly #started = Promise.withResolvers<void>();
  #loop: { stop(): Promise<void> } | undefined;

  constructor(options: PresenceOptions, db: ShardDb, heartbeatDb: ShardDb) {
    this.#options = options;
    this.#db = db;
    this.#heartbeatDb = heartbeatDb;
    this.#queue = new Batch({
      sizeMax: ANNOUNCEMENTS_PER_WRITE_MAX,
      queueMax: 100_000,
      run: async (announcements) => {
        await this.#writeAnnouncements(latestPerDevice(announcements));
        return announcements.map(() => undefined);
      },
    });
  }

  /** Starts the heartbeats. Resolves after the first one, even if it failed. */
  start(): Promise<void> {
    this.#loop ??= repeat({
      pauseMs: HEARTBEAT_MS,
      work: () => this.#sendHeartbeat().finally(() => this.#started.resolve()),
      onError: (error) => this.#options.log.warn('heartbeat-failed', { error }),
    });
    return this.#started.promise;
  }

  get connections(): readonly ShardDb[] {
    return [this.#db, this.#heartbeatDb];
  }

  announce(announcement: Announcement): Promise<void> {
    return this.#queue.add(announcement);
  }

  /**
   * Announces without waiting. A disconnect that cannot be written would leave a stale session, so a new epoch replaces
   * all records.
   */
  announceInBackground(announcement: Announcement): void {
    this.announce(announcement).catch(() => {
      this.#isRegistered = false;
    });
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
    await this.#queue.idle();
    await deleteGateway(this.#db, this.#options.gateway).catch(() => undefined);
  }

  compare(devices: readonly ConnectedDevice[]): Promise<SessionState[]> {
    return compareSessions(this.#db, this.#options.gateway, this.#epoch, devices);
  }

  async #writeAnnouncements(announcements: readonly Announcement[]): Promise<void> {
    const { gateway, onDevicesTakenOver, onAnnouncementsRejected } = this.#options;
    const written = await announce(this.#db, gateway, this.#epoch, announcements);
    for (const [previousGateway, group] of Map.groupBy(written, ({ replacedGateway }) => replacedGateway))
      if (previousGateway !== null)
        onDevicesTakenOver(
          previousGateway,
          group.map(({ deviceId }) => deviceId),
        );
    const writtenDeviceIds = new Set(written.map(({ deviceId }) => deviceId));
    const rejected = announcements.filter(({ online, deviceId }) => online && !writtenDeviceIds.has(deviceId));
    if (rejected.length > 0) onAnnouncementsRejected(rejected.map(({ deviceId }) => deviceId));
  }

  /**
   * Renews the heartbeat. If it was late, all sessions are compared with their rows. If the row of this gateway is
   * missing, a new epoch begins and all sessions are announced again.
   */
  async #sendHeartbeat(): Promise<void> {
    const { gateway, clock, onLateHeartbeat } = this.#options;
    const beganMs = performance.now();
    const renewed = this.#isRegistered ? await renewHeartbeat(this.#heartbeatDb, gateway, this.#epoch) : undefined;
    if (renewed) {
      clock.observe(renewed.now);
      // A heartbeat that timed out can be written later, and then the row does not show that it was late.
      const wasLate = renewed.wasLate || beganMs - this.#confirmedAtMs >= LATE_SECONDS * 1_000;
      this.#confirmedAtMs = beganMs;
      if (wasLate) onLateHeartbeat(this.#ownSessions());
      return;
    }
    const epoch = this.#epoch + 1;
    clock.observe(await startEpoch(this.#heartbeatDb, gateway, epoch));
    this.#epoch = epoch;
    this.#isRegistered = true;
    this.#confirmedAtMs = beganMs;
    // Not awaited, because announcing all sessions can take longer than a heartbeat remains valid.
    this.#announceAll(epoch).catch((error: unknown) => {
      this.#options.log.warn('announce-failed', { error });
      if (this.#epoch === epoch) this.#isRegistered = false;
    });
  }

  #ownSessions(): Session[] {
    const { sessions, shards } = this.#options;
    return [...sessions.all()].filter(({ device }) => shards.dbFor(device.bucket) === this.#db);
  }

  async #announceAll(epoch: number): Promise<void> {
    const { sessions, readInboxes, log } = this.#options;
    const ownSessions = this.#ownSessions();
    for (let i = 0; i < ownSessions.length; i += ANNOUNCEMENTS_PER_WRITE_MAX) {
      if (this.#epoch !== epoch) return; // a newer epoch announces everything again
      // A session that ended during this loop was already announced as disconnected and must not be announced as
      // connected afterwards.
      const batch = ownSessions.slice(i, i + ANNOUNCEMENTS_PER_WRITE_MAX).filter((session) => sessions.has(session));
      await Promise.all(batch.map(({ device }) => this.announce({ ...device, online: true })));
      readInboxes(batch);
    }
    if (epoch > 1) log.info('sessions-announced-again', { sessions: ownSessions.length, epoch });
  }
}

/** Returns the last announcement per device, because a statement can write a row only once. */
function latestPerDevice(announcements: readonly Announcement[]): Announcement[] {
  return [...new Map(announcements.map((announcement) => [announcement.deviceId, announcement])).values()];
}
