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
  readonly onRecall: (payload: Uint8Array) => Promise<void>;
  readonly emitter: Emitter<DeviceEvents>;
}

/** A connection that lasts this long is stable, and resets the number of failures. */
const STABLE_MS = 30_000;

/** Keeps a device connected to one of the gateways. */
export class ReconnectingConnection {
  readonly #options: ReconnectingConnectionOptions;
  #state: DeviceState = 'offline';
  #connection: Connection | undefined;
  /** Index of the next gateway. The first one is random, so that devices spread over the gateways. */
  #gatewayIndex: number;
  /** Consecutive attempts without a stable connection. */
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Credentials for the next attempt. Set only during the delay before that attempt. */
  #retryCredentials: DeviceCredentials | undefined;

  constructor(options: ReconnectingConnectionOptions) {
    this.#options = options;
    this.#gatewayIndex = Math.floor(Math.random() * options.gateways.length);
  }

  get state(): DeviceState {
    return this.#state;
  }

  /**
   * Connects immediately, even during a delay before the next attempt. Does nothing while a connection is open or being
   * opened.
   */
  start(credentials: DeviceCredentials): void {
    if (this.#connection) return;
    clearTimeout(this.#timer);
    this.#retryCredentials = undefined;
    const { gateways, ca, keepAliveSeconds, onMessage, onRecall, emitter } = this.#options;
    const gateway = gateways[this.#gatewayIndex++ % gateways.length] as string;
    this.#connection = openConnection({
      gateway,
      credentials,
      ca,
      keepAliveSeconds,
      onMessage,
      onRecall,
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

  /** Ends the delay before the next attempt. */
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
    this.#options.emitter.emit('offline', {
      reason: 'The connection was closed by this device.',
      reasonCode: undefined,
      retryMs: undefined,
    });
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
