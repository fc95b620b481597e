import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import type { InboxReader } from './inbox.ts';
import type { Presence } from './presence.ts';
import { reason, type Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** How many sessions one statement looks at. */
const SESSIONS_PER_READ_MAX = 500;

interface WalkOptions {
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
export class Walk {
  readonly #options: WalkOptions;
  /** Each session at most once. */
  readonly #wanted = new Set<Session>();
  #looking: Promise<void> | undefined;
  #loop: { stop(): Promise<void> } | undefined;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  /** Walks through all sessions, again and again. */
  start(everyMs: number): void {
    const { sessions, log } = this.#options;
    this.#loop = repeat({
      pauseMs: everyMs,
      work: () => this.#look(sessions.all()),
      onError: (error) => log.warn('walk-failed', { error }),
    });
  }

  /** Looks at the sessions of these devices now, as somebody has heard of them. */
  lookAt(deviceIds: readonly bigint[]): void {
    const { sessions, log } = this.#options;
    const some = deviceIds.map((deviceId) => sessions.get(deviceId)).filter((session) => session !== undefined);
    this.#look(some).catch((error: unknown) => log.warn('look-failed', { error }));
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
  }

  #look(some: Iterable<Session>): Promise<void> {
    for (const session of some) this.#wanted.add(session);
    this.#looking ??= this.#lookAtWanted().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Part by part. What fails is looked at by the next walk. */
  async #lookAtWanted(): Promise<void> {
    while (this.#wanted.size > 0) {
      const some = [...this.#wanted].slice(0, SESSIONS_PER_READ_MAX);
      for (const session of some) this.#wanted.delete(session);
      await this.#setRight(some.filter((session) => this.#options.sessions.has(session)));
    }
  }

  async #setRight(some: readonly Session[]): Promise<void> {
    const { sessions, presence, inbox } = this.#options;
    const asked = new Map(some.map((session) => [session.device.deviceId, session]));
    const states = await presence.compare(some);
    await Promise.all(
      states.map(async ({ deviceId, state, hasMail }) => {
        const session = asked.get(deviceId) as Session;
        if (!sessions.has(session)) return; // it has left, or a newer one of its device is here
        if (state === 'replaced') session.close(reason.takenOver);
        // One that is not welcomed yet is just being announced.
        if (state === 'replaced' || !session.welcomed) return;
        if (state === 'untold') await presence.connected(session.device);
        if (hasMail || state === 'untold') inbox.read(session);
      }),
    );
  }
}
