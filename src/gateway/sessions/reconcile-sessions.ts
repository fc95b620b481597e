import { LazyMap } from '#src/foundation/lazy-map.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import type { ShardDb, Shards } from '#src/storage/database/database.ts';
import { reason } from '../reason-codes.ts';
import type { InboxReader } from './inbox.ts';
import type { Presence } from './presence.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** Maximum number of sessions compared per query. */
const SESSIONS_PER_READ_MAX = 500;

interface SessionReconcilerOptions {
  readonly shards: Shards;
  readonly sessions: Sessions;
  readonly presence: Presence;
  readonly inbox: InboxReader;
  readonly log: Log;
}

/**
 * Compares sessions with the databases and corrects differences. It closes sessions whose devices have since connected
 * to another gateway or were logged out, announces missing sessions, and reads inboxes that contain
 * notifications. A lost NATS signal therefore causes a delay only until the next pass.
 */
export class SessionReconciler {
  readonly #options: SessionReconcilerOptions;
  readonly #queues: LazyMap<ShardDb, ReconcileQueue>;
  #loop: { stop(): Promise<void> } | undefined;

  constructor(options: SessionReconcilerOptions) {
    this.#options = options;
    this.#queues = new LazyMap(() => new ReconcileQueue(options));
  }

  /** Compares all sessions periodically. */
  start(everyMs: number): void {
    const { sessions, log } = this.#options;
    this.#loop = repeat({
      pauseMs: everyMs,
      work: async () => this.reconcileSessions(sessions.all()),
      onError: (error) => log.warn('reconcile-failed', { error }),
    });
  }

  /** Compares the sessions of the given devices now, for example after a takeover signal. */
  reconcile(deviceIds: readonly bigint[]): void {
    const { sessions } = this.#options;
    const localSessions = deviceIds
      .map((deviceId) => sessions.get(deviceId))
      .filter((session) => session !== undefined);
    this.reconcileSessions(localSessions);
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
  }

  /** Compares these sessions now. */
  reconcileSessions(sessions: Iterable<Session>): void {
    const { shards } = this.#options;
    for (const session of sessions) this.#queues.get(shards.dbFor(session.device.bucket)).add(session);
  }
}

/** The sessions of one database that are to be compared. Databases do not wait for each other. */
class ReconcileQueue {
  readonly #options: SessionReconcilerOptions;
  /** Contains each session at most once. */
  readonly #pending = new Set<Session>();
  #running: Promise<void> | undefined;

  constructor(options: SessionReconcilerOptions) {
    this.#options = options;
  }

  add(session: Session): void {
    this.#pending.add(session);
    this.#running ??= this.#reconcilePending()
      .catch((error: unknown) => this.#options.log.warn('reconcile-failed', { error }))
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Compares batch after batch. Sessions of a failed batch are compared in the next pass. */
  async #reconcilePending(): Promise<void> {
    await Promise.resolve(); // Sessions that are added together are compared together.
    while (this.#pending.size > 0) {
      const batch = [...this.#pending].slice(0, SESSIONS_PER_READ_MAX);
      for (const session of batch) this.#pending.delete(session);
      await this.#reconcileBatch(batch.filter((session) => this.#options.sessions.has(session)));
    }
  }

  async #reconcileBatch(batch: readonly Session[]): Promise<void> {
    const { sessions, presence, inbox } = this.#options;
    const sessionsByDevice = new Map(batch.map((session) => [session.device.deviceId, session]));
    const states = await presence.compare(batch);
    await Promise.all(
      states.map(async ({ deviceId, state, hasInboxMessages }) => {
        const session = sessionsByDevice.get(deviceId) as Session;
        if (!sessions.has(session)) return; // it has ended, or the device has a newer session on this gateway
        if (state === 'replaced') session.close(reason.takenOver);
        if (state === 'ended') session.close(reason.notAuthorised);
        // A session without a CONNACK is still being announced.
        if (state === 'replaced' || state === 'ended' || !session.connackSent) return;
        if (state === 'unannounced') await presence.connected(session.device);
        if (hasInboxMessages || state === 'unannounced') inbox.read(session);
      }),
    );
  }
}
