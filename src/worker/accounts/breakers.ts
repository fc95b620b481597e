import type { Outcome } from '#src/domain/outcome.ts';
import { type Gate, type GateKey, gatedInMs, judge } from '#src/domain/vendor-account/breaker.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { closeGate, findGates, openGate, takeProbe } from '#src/storage/accounts/breakers.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { withAdvice } from '#src/vendors/sender.ts';
import { workerMetrics } from '../metrics.ts';

/** A gate that another worker has closed or opened is seen within this time. */
const FRESH_MS = 1_000;
const APPS_MAX = 1_000;
const ACCOUNTS_MAX = 10_000;

/** An account and the certificate it is used with. */
export interface GatedAccount extends GateKey {
  readonly version: number;
}

/**
 * The gates of vendors. A closed one lets a single call through every few seconds, of all workers together; a clear
 * answer opens it, and so does a certificate that is saved anew.
 */
export class Gates {
  readonly #db: HomeDb;
  readonly #clock: DatabaseClock;
  readonly #log: Log;
  readonly #probeSeconds: number;
  readonly #known = new Map<string, { readonly gates: readonly Gate[]; readonly readAt: number }>();
  /** How often in a row an account was not reached. */
  readonly #unreachable = new Map<string, number>();

  constructor(options: { db: HomeDb; clock: DatabaseClock; log: Log; probeSeconds: number }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#probeSeconds = options.probeSeconds;
  }

  /** How many of so many calls an account may be given now: all, one as a probe, or none. */
  async admit(account: GatedAccount, wanted: number): Promise<{ readonly calls: number; readonly probe: boolean }> {
    const gate = await this.#gateOf(account);
    if (!gate) return { calls: wanted, probe: false };
    if (gate.probeAt > this.#clock.now()) return { calls: 0, probe: false };
    const won = await takeProbe(this.#db, account, account.version, this.#probeSeconds);
    this.#forget(account.appId);
    return { calls: won ? 1 : 0, probe: won };
  }

  /** Whether none of these accounts can be called, so that it need not be asked which one a device has. */
  async areShut(accounts: readonly GatedAccount[]): Promise<boolean> {
    for (const account of accounts) {
      const gate = await this.#gateOf(account);
      if (!gate || gate.probeAt <= this.#clock.now()) return false;
    }
    return accounts.length > 0;
  }

  /** When what is held back at these accounts is looked at again. */
  async waitMs(accounts: readonly GatedAccount[]): Promise<number> {
    const now = this.#clock.now().getTime();
    let closedForMs = 0;
    for (const account of accounts) {
      const gate = await this.#gateOf(account);
      if (gate) closedForMs = Math.max(closedForMs, now - gate.closedAt.getTime());
    }
    return gatedInMs(closedForMs, this.#probeSeconds * 1_000, Math.random);
  }

  /** What a vendor has answered an account, in order. */
  async learn(account: GatedAccount, outcomes: readonly Outcome[]): Promise<void> {
    const { appId, channel, environment, version } = account;
    const key = JSON.stringify([appId, channel, environment]);
    const verdict = judge(outcomes, this.#unreachable.get(key) ?? 0);
    this.#unreachable.delete(key);
    if (verdict.unreachable > 0 && this.#unreachable.size < ACCOUNTS_MAX)
      this.#unreachable.set(key, verdict.unreachable);
    if (verdict.gate === 'close') {
      const { why } = verdict;
      const reason = why === 'locked-out' ? withAdvice(channel, verdict.reason) : verdict.reason;
      const fresh = await closeGate(
        this.#db,
        { appId, channel, environment, version, why, reason },
        this.#probeSeconds,
      );
      this.#forget(appId);
      if (!fresh) return;
      workerMetrics.gateClosings.inc({ channel, why });
      // What a vendor is away for heals by itself; credentials do not.
      const fields = { appId, channel, environment, why, reason };
      if (why === 'locked-out') this.#log.error('gate-closed', fields);
      else this.#log.warn('gate-closed', fields);
    } else if (verdict.gate !== 'leave' && (await this.#isKnownClosed(account))) {
      const opened = await openGate(this.#db, account, version, verdict.gate);
      this.#forget(appId);
      if (opened) this.#log.info('gate-opened', { appId, channel, environment });
    }
  }

  async #gateOf({ version, ...key }: GatedAccount): Promise<Gate | undefined> {
    const gates = await this.#of(key.appId);
    return gates.find((gate) => isSame(gate, key) && gate.version === version);
  }

  /** Also under an older certificate: an answer under the new one ends that, too. */
  async #isKnownClosed(account: GatedAccount): Promise<boolean> {
    return (await this.#of(account.appId)).some((gate) => isSame(gate, account));
  }

  async #of(appId: string): Promise<readonly Gate[]> {
    const known = this.#known.get(appId);
    if (known && performance.now() - known.readAt < FRESH_MS) return known.gates;
    const fresh = { gates: await findGates(this.#db, appId), readAt: performance.now() };
    this.#known.delete(appId);
    this.#known.set(appId, fresh);
    if (this.#known.size > APPS_MAX) this.#known.delete(this.#known.keys().next().value as string);
    return fresh.gates;
  }

  #forget(appId: string): void {
    this.#known.delete(appId);
  }
}

const isSame = (gate: GateKey, { channel, environment }: Pick<GateKey, 'channel' | 'environment'>): boolean =>
  gate.channel === channel && gate.environment === environment;
