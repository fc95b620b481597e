import { type Again, pauseBefore } from './backoff.ts';
import { type Connection, openConnection } from './connection.ts';
import type { DeviceCredentials } from './credentials.ts';
import { verdictOf } from './disconnect-action.ts';
import type { Emitter } from './emitter.ts';
import type { DeviceEvents, DeviceState, Ending } from './events.ts';

interface LifelineOptions {
  readonly gateways: readonly string[];
  readonly ca: string | undefined;
  readonly keepAliveSeconds: number;
  readonly take: (payload: Uint8Array) => Promise<number>;
  readonly emitter: Emitter<DeviceEvents>;
}

/** A connection that lasted this long has shown that all is well. */
const STABLE_MS = 30_000;

/** Keeps a device connected to one gateway or another. */
export class Lifeline {
  readonly #options: LifelineOptions;
  #state: DeviceState = 'offline';
  #connection: Connection | undefined;
  /** Where the next attempt goes; the first one anywhere, so that devices spread. */
  #gateway: number;
  /** Attempts in a row that came to nothing lasting. */
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Set during a pause between two attempts: what the next one is made with. */
  #waiting: DeviceCredentials | undefined;

  constructor(options: LifelineOptions) {
    this.#options = options;
    this.#gateway = Math.floor(Math.random() * options.gateways.length);
  }

  get state(): DeviceState {
    return this.#state;
  }

  /** Connects, during a pause at once; does nothing while a connection is up or being made. */
  start(credentials: DeviceCredentials): void {
    if (this.#connection) return;
    clearTimeout(this.#timer);
    this.#waiting = undefined;
    const { gateways, ca, keepAliveSeconds, take, emitter } = this.#options;
    const gateway = gateways[this.#gateway++ % gateways.length] as string;
    this.#connection = openConnection({
      gateway,
      credentials,
      ca,
      keepAliveSeconds,
      take,
      onOpen: () => {
        this.#state = 'online';
        this.#timer = setTimeout(() => {
          this.#failures = 0;
        }, STABLE_MS);
        emitter.emit('online', { gateway });
      },
      onEnd: (ending) => this.#ended(ending, credentials),
    });
    this.#state = 'connecting';
    emitter.emit('connecting', { gateway });
  }

  /** Ends a pause. */
  retryNow(): void {
    if (this.#waiting) this.start(this.#waiting);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#waiting = undefined;
    const connection = this.#connection;
    this.#connection = undefined;
    this.#failures = 0;
    await connection?.close();
    if (this.#connection || this.#state === 'offline') return;
    this.#state = 'offline';
    this.#options.emitter.emit('offline', { reason: 'It was closed.', reasonCode: undefined, retryMs: undefined });
  }

  #ended(ending: Ending, credentials: DeviceCredentials): void {
    clearTimeout(this.#timer);
    this.#connection = undefined;
    this.#state = 'offline';
    const { emitter } = this.#options;
    const verdict = verdictOf(ending.reasonCode);
    if (verdict === 'signed-out' || verdict === 'taken-over') {
      this.#failures = 0;
      emitter.emit('offline', { ...ending, retryMs: undefined });
      emitter.emit(verdict, ending);
    } else this.#retry(verdict, ending, credentials);
  }

  #retry(again: Again, ending: Ending, credentials: DeviceCredentials): void {
    this.#failures++;
    const retryMs = pauseBefore(again, this.#failures);
    this.#waiting = credentials;
    this.#timer = setTimeout(() => this.start(credentials), retryMs);
    this.#options.emitter.emit('offline', { ...ending, retryMs });
  }
}
