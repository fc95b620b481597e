import { type RetryPace, retryDelayMs } from './backoff.ts';
import { type Connection, openConnection } from './connection.ts';
import type { DeviceCredentials } from './credentials.ts';
import { disconnectActionOf } from './disconnect-action.ts';
import type { Emitter } from './emitter.ts';
import type { DeviceEvents, DeviceState, DisconnectInfo } from './events.ts';

interface ReconnectingConnectionOptions {
  readonly gateways: readonly string[];
  readonly ca: string | undefined;
  readonly keepAliveSeconds: number;
  readonly onMessage: (payload: Uint8Array) => Promise<number>;
  readonly emitter: Emitter<DeviceEvents>;
}

/** A connection that lasted this long has shown that all is well. */
const STABLE_MS = 30_000;

/** Keeps a device connected to one gateway or another. */
export class ReconnectingConnection {
  readonly #options: ReconnectingConnectionOptions;
  #state: DeviceState = 'offline';
  #connection: Connection | undefined;
  /** Where the next attempt goes; the first one anywhere, so that devices spread. */
  #gatewayIndex: number;
  /** Attempts in a row that came to nothing lasting. */
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Set during a pause between two attempts: what the next one is made with. */
  #retryCredentials: DeviceCredentials | undefined;

  constructor(options: ReconnectingConnectionOptions) {
    this.#options = options;
    this.#gatewayIndex = Math.floor(Math.random() * options.gateways.length);
  }

  get state(): DeviceState {
    return this.#state;
  }

  /** Connects, during a pause at once; does nothing while a connection is up or being made. */
  start(credentials: DeviceCredentials): void {
    if (this.#connection) return;
    clearTimeout(this.#timer);
    this.#retryCredentials = undefined;
    const { gateways, ca, keepAliveSeconds, onMessage, emitter } = this.#options;
    const gateway = gateways[this.#gatewayIndex++ % gateways.length] as string;
    this.#connection = openConnection({
      gateway,
      credentials,
      ca,
      keepAliveSeconds,
      onMessage,
      onOpen: () => {
        this.#state = 'online';
        this.#timer = setTimeout(() => {
          this.#failures = 0;
        }, STABLE_MS);
        emitter.emit('online', { gateway });
      },
      onEnd: (ending) => this.#handleEnd(ending, credentials),
    });
    this.#state = 'connecting';
    emitter.emit('connecting', { gateway });
  }

  /** Ends a pause. */
  retryNow(): void {
    if (this.#retryCredentials) this.start(this.#retryCredentials);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#retryCredentials = undefined;
    const connection = this.#connection;
    this.#connection = undefined;
    this.#failures = 0;
    await connection?.close();
    if (this.#connection || this.#state === 'offline') return;
    this.#state = 'offline';
    this.#options.emitter.emit('offline', { reason: 'It was closed.', reasonCode: undefined, retryMs: undefined });
  }

  #handleEnd(info: DisconnectInfo, credentials: DeviceCredentials): void {
    clearTimeout(this.#timer);
    this.#connection = undefined;
    this.#state = 'offline';
    const { emitter } = this.#options;
    const action = disconnectActionOf(info.reasonCode);
    if (action === 'signed-out' || action === 'taken-over') {
      this.#failures = 0;
      emitter.emit('offline', { ...info, retryMs: undefined });
      emitter.emit(action, info);
    } else this.#scheduleRetry(action, info, credentials);
  }

  #scheduleRetry(pace: RetryPace, info: DisconnectInfo, credentials: DeviceCredentials): void {
    this.#failures++;
    const retryMs = retryDelayMs(pace, this.#failures);
    this.#retryCredentials = credentials;
    this.#timer = setTimeout(() => this.start(credentials), retryMs);
    this.#options.emitter.emit('offline', { ...info, retryMs });
  }
}
