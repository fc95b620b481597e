import type { Carillon } from '../client.ts';
import type {
  DeviceAliasResponse,
  DeviceStateRequest,
  DeviceTagRequest,
  DeviceTagResponse,
} from '../generated/types.ts';
import type { DeviceCredentials } from './credentials.ts';
import { Emitter } from './emitter.ts';
import type { DeviceEvents, DeviceState } from './events.ts';
import { type NotificationHandler, NotificationReceiver } from './notification-receiver.ts';
import { type DeviceStorage, loadPersistedState, type PersistedState } from './persisted-state.ts';
import { ReceiptSender } from './receipts.ts';
import { ReconnectingConnection } from './reconnecting-connection.ts';

export interface DeviceOptions {
  /** The client for the device's API calls; it needs no token. */
  readonly carillon: Carillon;
  /**
   * Gateway URLs: `mqtt://`, `mqtts://`, `ws://` or `wss://`; browsers support only the last two. A WeChat mini program
   * uses `wxs://`, and an Alipay mini program `alis://`, for the WebSocket of its platform. If there are several, the
   * device connects to one of them.
   */
  readonly gateway: string | readonly string[];
  /**
   * Shows a notification. The notification counts as received when the handler has returned or resolved, but not if it
   * throws.
   */
  readonly onNotification: NotificationHandler;
  /** Storage that survives a reload, such as `localStorage`. Without it, every start creates a new device. */
  readonly storage?: DeviceStorage | undefined;
  /** Key in the storage; `carillon.device` by default. Two devices need two keys. */
  readonly storageKey?: string | undefined;
  /** CA certificates to trust instead of the system's, as PEM, for a gateway with a private CA. Node only. */
  readonly ca?: string | undefined;
  /** Keep-alive interval of an idle connection in seconds; 60 by default. */
  readonly keepAliveSeconds?: number | undefined;
}

/** Fields from the data of a notification that the app received through a vendor. */
export interface VendorArrival {
  readonly reference: string;
  /** The message id. It identifies a repeated notification, which is not shown again. */
  readonly mid?: string | undefined;
}

const KEEP_ALIVE_SECONDS_DEFAULT = 60;
const GATEWAY_URL = /^(mqtts?|wss?|wxs|alis):\/\/[^/]/;

/**
 * A device on the Carillon channel, for Node and browsers. It stays connected, shows each notification once, and
 * acknowledges it after it was shown.
 *
 *   ```ts
 *   const device = await CarillonDevice.open({ carillon, gateway: 'wss://push.example.com/mqtt', storage: localStorage, onNotification });
 *   await device.login({ login_name: 'ada@example.com', password });
 *   device.connect();
 *   ```
 */
export class CarillonDevice {
  readonly #carillon: Carillon;
  readonly #persisted: PersistedState;
  readonly #emitter = new Emitter<DeviceEvents>();
  readonly #connection: ReconnectingConnection;
  readonly #receipts: ReceiptSender;
  readonly #clicks: ReceiptSender;
  #credentials: DeviceCredentials | undefined;

  /** Loads the stored state and returns a device that is not connected yet. */
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
      onRecall: (recall) => this.#emitter.emit('recall', recall),
      onBadge: (badge) => this.#emitter.emit('badge', badge),
      onProblem,
    });
    this.#carillon = options.carillon;
    this.#persisted = persisted;
    this.#receipts = new ReceiptSender({ persisted, list: 'receipts', onProblem });
    this.#clicks = new ReceiptSender({ persisted, list: 'clicks', onProblem });
    this.#connection = new ReconnectingConnection({
      gateways: checkGateways(options.gateway),
      ca: options.ca,
      keepAliveSeconds: options.keepAliveSeconds ?? KEEP_ALIVE_SECONDS_DEFAULT,
      onMessage: (payload) => receiver.receive(payload),
      onRecall: (payload) => receiver.recall(payload),
      emitter: this.#emitter,
    });
  }

  get state(): DeviceState {
    return this.#connection.state;
  }

  /** The number on the app's icon, as last set by a notification or `setBadge`. */
  get badge(): number {
    return this.#persisted.badge;
  }

  /** Identifies the installation. */
  get deviceGuid(): string {
    return this.#persisted.deviceGuid;
  }

  /** Adds a listener and returns a function that removes it. */
  on<Name extends keyof DeviceEvents>(name: Name, listener: (event: DeviceEvents[Name]) => void): () => void {
    return this.#emitter.on(name, listener);
  }

  /** Logs in by mobile number, email or user name. Returns credentials that you can keep and pass to `use`. */
  async login(user: { readonly login_name: string; readonly password: string }): Promise<DeviceCredentials> {
    const device_guid = this.#persisted.deviceGuid;
    const { token, push_token } = await this.#carillon.token.login({ ...user, device_guid });
    if (push_token === undefined) throw new Error('The login response contains no push token.');
    const credentials = { token, push_token, device_guid };
    await this.use(credentials);
    return credentials;
  }

  /**
   * Uses the credentials of an earlier login: `token` and `push_token` of its response, and the `device_guid` of its
   * request. Closes an existing connection.
   */
  async use({ token, push_token, device_guid }: DeviceCredentials): Promise<void> {
    // The type requires all three, but a program in JavaScript may pass the response of a login, without device_guid.
    for (const [name, value] of Object.entries({ token, push_token, device_guid }))
      if (!value) throw new TypeError(`use() requires ${name}. Pass the result of login(), or see DeviceCredentials.`);
    await this.#connection.stop();
    this.#credentials = { token, push_token, device_guid };
    this.#persisted.deviceGuid = device_guid;
    this.#setReportingClient(this.#authenticatedClient());
    await this.#persisted.save();
  }

  /** Connects, and reconnects when the connection is lost. */
  connect(): void {
    const credentials = this.#requireCredentials();
    this.#setReportingClient(this.#authenticatedClient());
    this.#connection.start(credentials);
  }

  /**
   * Ends the delay before the next attempt, for example when the network is available again. Does nothing at other
   * times.
   */
  retryNow(): void {
    this.#connection.retryNow();
  }

  /**
   * Closes the connection until `connect` is called. Notifications sent while it is closed are kept or sent through a
   * vendor.
   */
  disconnect(): Promise<void> {
    return this.#connection.stop();
  }

  /** Disconnects and revokes the token. Also resets the badge, as the service does. */
  async logout(): Promise<void> {
    const client = this.#authenticatedClient();
    this.#credentials = undefined;
    this.#setReportingClient(undefined);
    await this.#connection.stop();
    await this.#saveBadge(0);
    await client.token.logout();
  }

  /** Adds and removes tags. Returns the current tags of the device. */
  tag(change: Omit<DeviceTagRequest, 'push_token'>): Promise<DeviceTagResponse> {
    return this.#authenticatedClient().device.tag(change);
  }

  /** Sets the alias of the device. A blank alias removes it. */
  alias(alias: string): Promise<DeviceAliasResponse> {
    return this.#authenticatedClient().device.alias({ alias });
  }

  /**
   * Sets the number on the app's icon, on this device and in the service. Later notifications that add to the badge
   * start from this number.
   */
  async setBadge(badge: number): Promise<void> {
    const response = await this.#authenticatedClient().device.badge({ badge });
    await this.#saveBadge(response.badge);
  }

  /**
   * Reports whether the app may display notifications, and why a vendor issued no vendor token. The explanations of
   * missing notifications then contain it. Replaces the earlier report.
   */
  async reportState(state: Omit<DeviceStateRequest, 'push_token'>): Promise<void> {
    await this.#authenticatedClient().device.state(state);
  }

  /**
   * Reports that a notification was received through a vendor. Resolves when the receipt is stored. The receipt is sent
   * soon after, and retried until the service accepts or rejects it. Returns false if the notification was already
   * shown. In that case, do not show it again.
   */
  async receipt({ reference, mid }: VendorArrival): Promise<boolean> {
    const isNew = mid === undefined || !this.#persisted.seen.has(mid);
    if (mid !== undefined) this.#persisted.seen.add(mid);
    if (reference !== '') await this.#receipts.add(reference);
    else await this.#persisted.save();
    return isNew;
  }

  /**
   * Reports that the user clicked a notification, which also counts as received. Resolves when the click is stored. It is
   * sent like a receipt. With `mid`, a copy that arrives later on another channel is not shown.
   */
  async click({ reference, mid }: VendorArrival): Promise<void> {
    if (mid !== undefined) this.#persisted.seen.add(mid);
    if (reference !== '') await this.#clicks.add(reference);
    else await this.#persisted.save();
  }

  #setReportingClient(client: Carillon | undefined): void {
    this.#receipts.setClient(client);
    this.#clicks.setClient(client);
  }

  async #saveBadge(badge: number): Promise<void> {
    if (badge !== this.#persisted.badge) {
      this.#persisted.badge = badge;
      this.#emitter.emit('badge', badge);
    }
    await this.#persisted.save();
  }

  #requireCredentials(): DeviceCredentials {
    if (!this.#credentials) throw new Error('No user is signed in. Call login() or use() first.');
    return this.#credentials;
  }

  #authenticatedClient(): Carillon {
    return this.#carillon.as({ token: this.#requireCredentials().token });
  }
}

function checkGateways(gateway: string | readonly string[]): readonly string[] {
  const gateways = typeof gateway === 'string' ? [gateway] : gateway;
  if (gateways.length === 0) throw new TypeError('gateway is empty. Pass at least one gateway URL.');
  for (const url of gateways)
    if (!GATEWAY_URL.test(url))
      throw new TypeError(`gateway must be a URL with the protocol mqtt, mqtts, ws, wss, wxs or alis (${url}).`);
  return gateways;
}
