import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkServerIdentity, type ConnectionOptions as TlsConnectionOptions } from 'node:tls';
import {
  type ConnectionOptions,
  connect,
  type NatsConnection,
  NoRespondersError,
  PermissionViolationError,
  type TlsOptions,
} from '@nats-io/transport-node';
import type { Log } from '#src/foundation/log.ts';
import { isLoopback } from '#src/foundation/public-address.ts';
import { signalsMetrics } from './metrics.ts';
import { Outage } from './outage.ts';
import { subjects } from './subjects.ts';

export interface SignalsSettings {
  readonly CARILLON_NATS_URLS: string;
  readonly CARILLON_NATS_USER: string;
  readonly CARILLON_NATS_PASSWORD: string;
  readonly CARILLON_NATS_PREFIX: string;
  readonly CARILLON_NATS_TLS: 'required' | 'off';
  readonly CARILLON_NATS_CA_FILE: string;
}

/** The result of a request. `timeout`: the request may have been handled. `no-responders`: it was not handled. */
export type Reply =
  | { readonly kind: 'response'; readonly text: string }
  | { readonly kind: 'no-responders' | 'timeout' };

/**
 * The connection to NATS. It only speeds up work: without it a process polls PostgreSQL. No method waits for a
 * connection, and messages published without a connection are dropped.
 */
export class Signals {
  readonly #prefix: string;
  readonly #log: Log;
  readonly #outage = new Outage();
  readonly #connecting: Promise<NatsConnection | undefined>;
  readonly #stopping = new AbortController();
  #connection: NatsConnection | undefined;
  #connected = false;

  constructor(settings: SignalsSettings, log: Log) {
    this.#prefix = settings.CARILLON_NATS_PREFIX;
    this.#log = log;
    this.#connecting = this.#connect(settings);
  }

  get connected(): boolean {
    return this.#connected;
  }

  publish(subject: string, text: string): void {
    if (!this.#connected) return;
    try {
      this.#connection?.publish(`${this.#prefix}.${subject}`, text);
    } catch {
      // The connection was just closed. The message is dropped, because every signal may be lost.
    }
  }

  async request(subject: string, text: string, timeoutMs: number): Promise<Reply> {
    if (!this.#connection || !this.#connected) return { kind: 'no-responders' };
    try {
      const reply = await this.#connection.request(`${this.#prefix}.${subject}`, text, { timeout: timeoutMs });
      return { kind: 'response', text: reply.string() };
    } catch (error) {
      if (error instanceof NoRespondersError || (error as Error).cause instanceof NoRespondersError)
        return { kind: 'no-responders' };
      return { kind: 'timeout' };
    }
  }

  /**
   * Subscribes to a subject. A string that the handler returns is sent as the reply. In a queue group, only one member
   * receives each message.
   */
  subscribe(
    subject: string,
    handler: (text: string) => string | undefined | Promise<string | undefined>,
    options: { queue?: string } = {},
  ): void {
    void this.#connecting.then((connection) =>
      connection?.subscribe(`${this.#prefix}.${subject}`, {
        ...options,
        callback: (error, message) => {
          if (error) return;
          // A message that the handler cannot parse, perhaps from a newer version, must not stop the subscription.
          const handle = async () => handler(message.string());
          handle()
            .then((response) => {
              if (response !== undefined && message.reply) message.respond(response);
            })
            .catch((cause: unknown) => this.#log.warn('nats-message-failed', { subject, error: cause }));
        },
      }),
    );
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#connection?.close();
  }

  /**
   * Retries until connected or stopped, because NATS may be unavailable or reject the credentials for any length of
   * time.
   */
  async #connect(settings: SignalsSettings): Promise<NatsConnection | undefined> {
    for (;;) {
      try {
        const connection = await connect(optionsOf(settings));
        if (this.#stopping.signal.aborted) {
          await connection.close();
          return undefined;
        }
        this.#connection = connection;
        this.#setConnected(true);
        this.#log.info('nats-connected');
        void this.#watch(connection);
        return connection;
      } catch (error) {
        const failures = this.#outage.fail(performance.now());
        if (failures !== undefined) this.#log.warn('nats-connect-failed', { failures, error });
      }
      await sleep(CONNECT_RETRY_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (this.#stopping.signal.aborted) return undefined;
    }
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'reconnecting') {
        this.#setConnected(false);
        const failures = this.#outage.fail(performance.now());
        if (failures !== undefined) this.#log.warn('nats-disconnected', { failures });
      } else if (status.type === 'reconnect') {
        this.#setConnected(true);
        this.#log.info('nats-connected');
      } else if (status.type === 'error' && status.error instanceof PermissionViolationError) {
        const { operation, subject } = status.error;
        this.#log.error('nats-permission-denied', { operation, subject });
      }
    }
    this.#setConnected(false);
    // The client reconnects without limit, so the connection should never end. If it ended unnoticed, the process would
    // not receive wake-up signals again.
    if (!this.#stopping.signal.aborted) throw new Error('The connection to NATS was closed unexpectedly.');
  }

  #setConnected(connected: boolean): void {
    this.#connected = connected;
    if (connected) this.#outage.end();
    signalsMetrics.connected.set(connected ? 1 : 0);
  }
}

const CONNECT_RETRY_MS = 1_000;

function optionsOf(settings: SignalsSettings): ConnectionOptions {
  return {
    servers: settings.CARILLON_NATS_URLS.split(','),
    ...credentialsOf(settings),
    ...tlsOf(settings),
    name: 'carillon',
    inboxPrefix: `${settings.CARILLON_NATS_PREFIX}.${subjects.replies}`,
    // By default the client gives up after 20 seconds or two rejections, and detects a frozen server only after
    // minutes.
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 2_000,
    maxPingOut: 2,
    timeout: 1_500,
    // Otherwise the client creates an error object for each request to capture a stack trace. This takes a seventh of a
    // worker's time for a single notification.
    noAsyncTraces: true,
  };
}

export const credentialsOf = (settings: SignalsSettings): ConnectionOptions =>
  settings.CARILLON_NATS_USER ? { user: settings.CARILLON_NATS_USER, pass: settings.CARILLON_NATS_PASSWORD } : {};

/**
 * Returns the TLS options. The client uses TLS for all servers or for none, so one server on another machine is
 * sufficient.
 */
export function tlsOf(settings: SignalsSettings): ConnectionOptions {
  const { CARILLON_NATS_TLS: mode, CARILLON_NATS_CA_FILE: caFile, CARILLON_NATS_URLS: urls } = settings;
  const servers = urls.split(',').map((url) => new URL(url));
  const needsTls = servers.some(
    ({ protocol, hostname }) => protocol === 'tls:' || (mode === 'required' && !isLoopback(hostname)),
  );
  if (!needsTls) return {};
  const hosts = servers.map(({ hostname }) => hostname.replace(/^\[(.*)\]$/, '$1'));
  const options: TlsOptions & Pick<TlsConnectionOptions, 'checkServerIdentity'> = {
    ...(caFile !== '' && { ca: readFileSync(caFile, 'utf8') }),
    // The client does not know the name of a server that it connects to by address, such as one that another server
    // announced. The certificate must then have one of the configured names.
    checkServerIdentity: (_host, certificate) => {
      const errors = hosts.map((host) => checkServerIdentity(host, certificate));
      return errors.includes(undefined) ? undefined : errors[0];
    },
  };
  return { tls: options };
}
