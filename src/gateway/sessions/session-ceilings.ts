import { BoundedMap } from '#src/foundation/bounded-map.ts';
import { keyOf } from '#src/foundation/known-tokens.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import {
  type CeilingDefaults,
  isReached,
  readSessionsElsewhere,
  reportSessions,
  type SessionsElsewhere,
} from '#src/storage/accounts/ceilings.ts';
import type { HomeDb } from '#src/storage/database/database.ts';

/** Refused tokens that are remembered, and for how long. */
const REFUSED_TOKENS_MAX = 100_000;
const REFUSED_MS = 5 * 60_000;

interface SessionCeilingOptions {
  readonly db: HomeDb;
  readonly gateway: string;
  readonly defaults: CeilingDefaults;
  readonly log: Log;
}

/**
 * The ceilings of sessions per app on all gateways. Gateways exchange the numbers of their sessions regularly. An app
 * can therefore exceed its ceiling by what the other gateways accept between two exchanges.
 */
export class SessionCeilings {
  readonly #options: SessionCeilingOptions;
  #elsewhere = new Map<string, SessionsElsewhere>();
  readonly #refusedTokens = new BoundedMap<string, { readonly appId: string; readonly untilMs: number }>(
    REFUSED_TOKENS_MAX,
  );
  #exchanges: { stop(): Promise<void> } | undefined;

  constructor(options: SessionCeilingOptions) {
    this.#options = options;
  }

  /** Starts the exchange. `sessionsPerApp` are the sessions of this gateway. */
  start(sessionsPerApp: ReadonlyMap<string, number>): void {
    const { db, gateway, defaults, log } = this.#options;
    let hasReported = false;
    this.#exchanges = repeat({
      pauseMs: defaults.countSeconds * 1_000,
      work: async () => {
        if (hasReported || sessionsPerApp.size > 0) await reportSessions(db, gateway, sessionsPerApp);
        hasReported = sessionsPerApp.size > 0;
        const elsewhere = await readSessionsElsewhere(db, gateway, defaults.countSeconds);
        this.#elsewhere = new Map(elsewhere.map((app) => [app.appId, app]));
      },
      onError: (error) => log.warn('usage-exchange-failed', { error }),
    });
  }

  /** Returns whether an app with this number of sessions on this gateway has reached its ceiling. */
  isReached(appId: string, sessions: number): boolean {
    const elsewhere = this.#elsewhere.get(appId);
    const ceiling = elsewhere?.ceiling ?? this.#options.defaults.ceilings.sessions;
    return isReached(ceiling, sessions + (elsewhere?.sessions ?? 0));
  }

  /** Remembers the app of a refused token, so that its next CONNECT can be refused without asking the databases. */
  refused(token: string, appId: string): void {
    this.#refusedTokens.set(keyOf(token), { appId, untilMs: performance.now() + REFUSED_MS });
  }

  /** Returns the app of a token that was refused a moment ago. */
  appOfRefused(token: string): string | undefined {
    const refused = this.#refusedTokens.get(keyOf(token));
    return refused && performance.now() < refused.untilMs ? refused.appId : undefined;
  }

  /** Deletes the report of this gateway. The other gateways no longer count its sessions. */
  async stop(): Promise<void> {
    await this.#exchanges?.stop();
    const { db, gateway, log } = this.#options;
    await reportSessions(db, gateway, new Map()).catch((error: unknown) =>
      log.warn('usage-exchange-failed', { error }),
    );
  }
}
