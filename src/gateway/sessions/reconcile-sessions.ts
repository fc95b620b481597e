import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import { reason } from '../reason-codes.ts';
import type { InboxReader } from './inbox.ts';
import type { Presence } from './presence.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** How many sessions one statement looks at. */
const SESSIONS_PER_READ_MAX = 500;

interface SessionReconcilerOptions {
  readonly sessions: Sessions;
  readonly presence: Presence;
  readonly inbox: InboxReader;
  readonly log: Log;
}

/**
 * Looks at sessions and sets right what differs from the databases: ends those whose device has connected elsewhere
 * since, announces those that are not known, and brings what lies in an inbox. Whatever hurry got lost, nothing waits
 * longer than until the next walk.
 */
export class SessionReconciler {
  readonly #options: SessionReconcilerOptions;
  /** Each session at most once. */
  readonly #pending = new Set<Session>();
  #running: Promise<void> | undefined;
  #loop: { stop(): Promise<void> } | undefined;

  constructor(options: SessionReconcilerOptions) {
    this.#options = options;
  }

  /** Walks through all sessions, again and again. */
  start(everyMs: number): void {
    const { sessions, log } = this.#options;
    this.#loop = repeat({
      pauseMs: everyMs,
      work: () => this.#enqueue(sessions.all()),
      onError: (error) => log.warn('reconcile-failed', { error }),
    });
  }

  /** Looks at the sessions of these devices now, as somebody has heard of them. */
  reconcile(deviceIds: readonly bigint[]): void {
    const { sessions, log } = this.#options;
    const localSessions = deviceIds
      .map((deviceId) => sessions.get(deviceId))
      .filter((session) => session !== undefined);
    this.#enqueue(localSessions).catch((error: unknown) => log.warn('reconcile-devices-failed', { error }));
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
  }

  #enqueue(sessions: Iterable<Session>): Promise<void> {
    for (const session of sessions) this.#pending.add(session);
    this.#running ??= this.#reconcilePending().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Part by part. What fails is looked at by the next walk. */
  async #reconcilePending(): Promise<void> {
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
        if (!sessions.has(session)) return; // it has left, or a newer one of its device is here
        if (state === 'replaced') session.close(reason.takenOver);
        // One that is not welcomed yet is just being announced.
        if (state === 'replaced' || !session.connackSent) return;
        if (state === 'unannounced') await presence.connected(session.device);
        if (hasInboxMessages || state === 'unannounced') inbox.read(session);
      }),
    );
  }
}
