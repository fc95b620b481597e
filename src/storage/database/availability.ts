import type { Log } from '#src/foundation/log.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';

/** If a database has not responded to any operation for this long, other work no longer waits for it. */
const SILENT_MS = 100;
/** If a database has not responded for this long, a probe checks whether it is available. */
const PROBE_AFTER_MS = 1_000;
const CHECK_MS = 500;
/** A server that has not been used for this long is probed, so that the process knows of an outage before it needs it. */
const IDLE_PROBE_MS = 5_000;
/** Delays between probes of an unavailable database. Each is shortened by a random part, up to half of it. */
const RETRY_MS_MIN = 250;
const RETRY_MS_MAX = 2_000;

/** One use of a connection: a query or a transaction. */
interface Operation {
  readonly startedMs: number;
  /** Ends the operation immediately, because the database does not respond. */
  readonly abort: (error: Unavailable) => void;
}

/**
 * A circuit breaker for one database server. After a failed or slow operation, a probe on a new connection decides
 * whether the server is available. While it is not, operations fail immediately, so that they do not occupy resources
 * that the work of other databases needs. Probes continue until the server is available again.
 */
export class Availability {
  readonly #probe: () => Promise<void>;
  readonly #log: Log;
  readonly #server: string;
  /** In the order in which they started. */
  readonly #operations = new Set<Operation>();
  #lastResponseMs = performance.now();
  readonly #timer = setInterval(() => this.#check(), CHECK_MS).unref();
  #lastCheckMs = performance.now();
  /** The last time at which this process could not run timers for a while. */
  #blockedMs = 0;
  #isProbing = false;
  #isAvailable = true;
  #retryMs = RETRY_MS_MIN;
  #closed = false;

  /** `probe` resolves if the server responds. `server` is its name in the log. */
  constructor(options: { probe: () => Promise<void>; server: string; log: Log }) {
    this.#probe = options.probe;
    this.#server = options.server;
    this.#log = options.log;
  }

  /** False after a failed probe, until a probe succeeds. */
  get isAvailable(): boolean {
    return this.#isAvailable;
  }

  /** True if operations wait and none has had a response for a moment. The database may only be slow. */
  get isSilent(): boolean {
    return !this.#isAvailable || this.#silentMs() >= SILENT_MS;
  }

  /** Registers an operation. Throws if the server is unavailable. */
  begin(abort: Operation['abort']): Operation {
    if (!this.#isAvailable) throw new Unavailable('PostgreSQL cannot be reached. It is tried again every few seconds.');
    const operation = { startedMs: performance.now(), abort };
    this.#operations.add(operation);
    return operation;
  }

  recordResponse(): void {
    this.#lastResponseMs = performance.now();
  }

  /** Ends an operation. `failed` means that its connection failed, so that the server may be unavailable. */
  end(operation: Operation, failed: boolean): void {
    this.#operations.delete(operation);
    if (failed) void this.#checkServer();
    else this.recordResponse();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
  }

  #silentMs(): number {
    const [oldest] = this.#operations;
    return oldest ? performance.now() - Math.max(oldest.startedMs, this.#lastResponseMs) : 0;
  }

  #check(): void {
    const now = performance.now();
    if (now - this.#lastCheckMs >= 2 * CHECK_MS) this.#blockedMs = now;
    this.#lastCheckMs = now;
    const idleMs = this.#operations.size > 0 ? 0 : performance.now() - this.#lastResponseMs;
    if (this.#silentMs() >= PROBE_AFTER_MS || idleMs >= IDLE_PROBE_MS) void this.#checkServer();
  }

  async #checkServer(): Promise<void> {
    if (this.#isProbing || this.#closed || !this.#isAvailable) return;
    this.#isProbing = true;
    try {
      await this.#probeUnblocked();
      this.recordResponse();
    } catch (cause) {
      this.#trip(cause);
    } finally {
      this.#isProbing = false;
    }
  }

  /**
   * Probes the server. If this process was blocked during the probe, a timeout says nothing about the server, so the
   * probe is repeated once.
   */
  async #probeUnblocked(): Promise<void> {
    const startedMs = performance.now();
    try {
      await this.#probe();
    } catch (error) {
      if (this.#blockedMs < startedMs) throw error;
      await this.#probe();
    }
  }

  #trip(cause: unknown): void {
    if (this.#closed) return;
    this.#isAvailable = false;
    this.#log.warn('database-unavailable', { server: this.#server, error: cause });
    const error = new Unavailable('PostgreSQL stopped responding.', { cause });
    for (const { abort } of this.#operations) abort(error);
    this.#retryMs = RETRY_MS_MIN;
    this.#retryLater();
  }

  #retryLater(): void {
    const delayMs = this.#retryMs * (1 - Math.random() / 2);
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MS_MAX);
    setTimeout(() => void this.#retry(), delayMs).unref();
  }

  async #retry(): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#probe();
      this.recordResponse();
      this.#isAvailable = true;
      this.#log.info('database-available', { server: this.#server });
    } catch {
      this.#retryLater();
    }
  }
}
