import type { Carillon } from '../client.ts';
import type { DeviceAliasResponse, DeviceTagRequest, DeviceTagResponse } from '../generated/types.ts';
import type { DeviceCredentials } from './credentials.ts';
import { Emitter } from './emitter.ts';
import type { DeviceEvents, DeviceState } from './events.ts';
import { type NotificationHandler, NotificationReceiver } from './notification-receiver.ts';
import { type DeviceStorage, loadPersistedState, type PersistedState } from './persisted-state.ts';
import { ReceiptSender } from './receipts.ts';
import { ReconnectingConnection } from './reconnecting-connection.ts';

export interface DeviceOptions {
  /** The client that the device calls with; it needs no token. */
  readonly carillon: Carillon;
  /** Where gateways are: `mqtt://`, `mqtts://`, `ws://` or `wss://`, in browsers the last two. Of several it takes one. */
  readonly gateway: string | readonly string[];
  /** Shows a notification. It counts as received when this has returned or resolved; what throws is not received. */
  readonly onNotification: NotificationHandler;
  /** What survives a reload, such as `localStorage`. Without it a device is a new one each time. */
  readonly storage?: DeviceStorage | undefined;
  /** Under which name it is stored; `carillon.device` by default. Two devices need two. */
  readonly storageKey?: string | undefined;
  /** Certificates to trust instead of the system's, as PEM, for a gateway that has its own. Node only. */
  readonly ca?: string | undefined;
  /** How often a quiet connection says that it is there; 60 seconds by default. */
  readonly keepAliveSeconds?: number | undefined;
}

/** What came with a notification by a vendor, in the data that the app is handed. */
export interface VendorArrival {
  readonly reference: string;
  /** The message id. With it the notification is known to have been shown, should it come again. */
  readonly mid?: string | undefined;
}

const KEEP_ALIVE_SECONDS_DEFAULT = 60;
const PROTOCOLS = ['mqtt:', 'mqtts:', 'ws:', 'wss:'];

/**
 * A device of Carillon's own channel, for Node and browsers: it stays connected, shows each notification once, and
 * acknowledges it when it was shown.
 *
 * ```ts
 * const device = await CarillonDevice.open({ carillon, gateway: 'wss://push.example.com/mqtt', storage: localStorage, onNotification });
 * await device.login({ login_name: 'ada@example.com', password });
 * device.connect();
 * ```
 */
export class CarillonDevice {
  readonly #carillon: Carillon;
  readonly #persisted: PersistedState;
  readonly #emitter = new Emitter<DeviceEvents>();
  readonly #connection: ReconnectingConnection;
  readonly #receipts: ReceiptSender;
  #credentials: DeviceCredentials | undefined;

  /** Reads what was stored, and answers a device that is not connected yet. */
  static async open(options: DeviceOptions): Promise<CarillonDevice> {
    return new CarillonDevice(
      options,
      await loadPersistedState(options.storage, options.storageKey ?? 'carillon.device'),
    );
  }

  private constructor(options: DeviceOptions, persisted: PersistedState) {
    const onProblem = (problem: Error) => {
      if (!this.#emitter.emit('problem', problem)) console.warn(problem);
    };
    const receiver = new NotificationReceiver({
      persisted,
      onNotification: options.onNotification,
      onBadge: (badge) => this.#emitter.emit('badge', badge),
      onProblem,
    });
    this.#carillon = options.carillon;
    this.#persisted = persisted;
    this.#receipts = new ReceiptSender({ persisted, onProblem });
    this.#connection = new ReconnectingConnection({
      gateways: checkGateways(options.gateway),
      ca: options.ca,
      keepAliveSeconds: options.keepAliveSeconds ?? KEEP_ALIVE_SECONDS_DEFAULT,
      onMessage: (payload) => receiver.receive(payload),
      emitter: this.#emitter,
    });
  }

  get state(): DeviceState {
    return this.#connection.state;
  }

  /** The number on the app's icon, as the notifications and `setBadge` left it. */
  get badge(): number {
    return this.#persisted.badge;
  }

  /** The device's own name. */
  get deviceGuid(): string {
    return this.#persisted.deviceGuid;
  }

  /** Listens; answers a function that ends it. */
  on<Name extends keyof DeviceEvents>(name: Name, listener: (event: DeviceEvents[Name]) => void): () => void {
    return this.#emitter.on(name, listener);
  }

  /** Logs in by mobile number, email or user name. The answer is for `use`, if you keep it. */
  async login(user: { readonly login_name: string; readonly password: string }): Promise<DeviceCredentials> {
    const device_guid = this.#persisted.deviceGuid;
    const { token, push_token } = await this.#carillon.token.login({ ...user, device_guid });
    if (push_token === undefined) throw new Error('The service answered no push token.');
    const credentials = { token, push_token, device_guid };
    await this.use(credentials);
    return credentials;
  }

  /** Takes the answer of an earlier login. Whatever was connected with another is closed. */
  async use({ token, push_token, device_guid }: DeviceCredentials): Promise<void> {
    await this.#connection.stop();
    this.#credentials = { token, push_token, device_guid };
    this.#persisted.deviceGuid = device_guid;
    this.#receipts.setClient(this.#authenticatedClient());
    await this.#persisted.save();
  }

  /** Connects and stays connected. */
  connect(): void {
    const credentials = this.#requireCredentials();
    this.#receipts.setClient(this.#authenticatedClient());
    this.#connection.start(credentials);
  }

  /** Cuts a pause between two attempts short, such as when the network is back. Does nothing at other times. */
  retryNow(): void {
    this.#connection.retryNow();
  }

  /** Ends the connection, until `connect` is called. What is sent meanwhile waits, or comes by a vendor. */
  disconnect(): Promise<void> {
    return this.#connection.stop();
  }

  /** Disconnects and ends the token; the badge goes with it, as at the service. */
  async logout(): Promise<void> {
    const client = this.#authenticatedClient();
    this.#credentials = undefined;
    this.#receipts.setClient(undefined);
    await this.#connection.stop();
    await this.#saveBadge(0);
    await client.token.logout();
  }

  /** Adds and takes away tags; answers those that the device has now. */
  tag(change: Omit<DeviceTagRequest, 'push_token'>): Promise<DeviceTagResponse> {
    return this.#authenticatedClient().device.tag(change);
  }

  /** Names the device; blank: not at all. */
  alias(alias: string): Promise<DeviceAliasResponse> {
    return this.#authenticatedClient().device.alias({ alias });
  }

  /** Sets the number on the app's icon, here and where vendors count on from. */
  async setBadge(badge: number): Promise<void> {
    const response = await this.#authenticatedClient().device.badge({ badge });
    await this.#saveBadge(response.badge);
  }

  /**
   * Tells Carillon that a notification arrived by a vendor. Resolves when that is kept; it is told soon after, and again
   * until it is taken or refused. Answers whether it is new: one that was shown already need not be shown.
   */
  async receipt({ reference, mid }: VendorArrival): Promise<boolean> {
    const isNew = mid === undefined || !this.#persisted.seen.has(mid);
    if (mid !== undefined) this.#persisted.seen.add(mid);
    await this.#receipts.add(reference);
    return isNew;
  }

  async #saveBadge(badge: number): Promise<void> {
    if (badge !== this.#persisted.badge) {
      this.#persisted.badge = badge;
      this.#emitter.emit('badge', badge);
    }
    await this.#persisted.save();
  }

  #requireCredentials(): DeviceCredentials {
    if (!this.#credentials) throw new Error('Nobody is signed in: call login or use first.');
    return this.#credentials;
  }

  #authenticatedClient(): Carillon {
    return this.#carillon.as({ token: this.#requireCredentials().token });
  }
}

function checkGateways(gateway: string | readonly string[]): readonly string[] {
  const gateways = typeof gateway === 'string' ? [gateway] : gateway;
  if (gateways.length === 0) throw new TypeError('A device needs a gateway.');
  for (const url of gateways)
    if (!PROTOCOLS.includes(new URL(url).protocol))
      throw new TypeError(`A gateway's address begins with mqtt, mqtts, ws or wss: ${url}`);
  return gateways;
}
