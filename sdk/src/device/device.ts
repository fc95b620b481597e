import type { Carillon } from '../client.ts';
import type { DeviceAliasAnswer, DeviceTagAnswer, DeviceTagRequest } from '../generated/types.ts';
import type { DeviceCredentials } from './credentials.ts';
import { Emitter } from './emitter.ts';
import type { DeviceEvents, DeviceState } from './events.ts';
import { type NotificationHandler, Reception } from './notification-receiver.ts';
import { type DeviceStorage, loadMemory, type Memory } from './persisted-state.ts';
import { Receipts } from './receipts.ts';
import { Lifeline } from './reconnecting-connection.ts';

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
  readonly #memory: Memory;
  readonly #emitter = new Emitter<DeviceEvents>();
  readonly #lifeline: Lifeline;
  readonly #receipts: Receipts;
  #credentials: DeviceCredentials | undefined;

  /** Reads what was stored, and answers a device that is not connected yet. */
  static async open(options: DeviceOptions): Promise<CarillonDevice> {
    return new CarillonDevice(options, await loadMemory(options.storage, options.storageKey ?? 'carillon.device'));
  }

  private constructor(options: DeviceOptions, memory: Memory) {
    const onProblem = (problem: Error) => {
      if (!this.#emitter.emit('problem', problem)) console.warn(problem);
    };
    const reception = new Reception({
      memory,
      onNotification: options.onNotification,
      onBadge: (badge) => this.#emitter.emit('badge', badge),
      onProblem,
    });
    this.#carillon = options.carillon;
    this.#memory = memory;
    this.#receipts = new Receipts({ memory, onProblem });
    this.#lifeline = new Lifeline({
      gateways: checkGateways(options.gateway),
      ca: options.ca,
      keepAliveSeconds: options.keepAliveSeconds ?? KEEP_ALIVE_SECONDS_DEFAULT,
      take: (payload) => reception.take(payload),
      emitter: this.#emitter,
    });
  }

  get state(): DeviceState {
    return this.#lifeline.state;
  }

  /** The number on the app's icon, as the notifications and `setBadge` left it. */
  get badge(): number {
    return this.#memory.badge;
  }

  /** The device's own name. */
  get deviceGuid(): string {
    return this.#memory.deviceGuid;
  }

  /** Listens; answers a function that ends it. */
  on<Name extends keyof DeviceEvents>(name: Name, listener: (event: DeviceEvents[Name]) => void): () => void {
    return this.#emitter.on(name, listener);
  }

  /** Logs in by mobile number, email or user name. The answer is for `use`, if you keep it. */
  async login(person: { readonly login_name: string; readonly password: string }): Promise<DeviceCredentials> {
    const device_guid = this.#memory.deviceGuid;
    const { token, push_token } = await this.#carillon.token.login({ ...person, device_guid });
    if (push_token === undefined) throw new Error('The service answered no push token.');
    const credentials = { token, push_token, device_guid };
    await this.use(credentials);
    return credentials;
  }

  /** Takes the answer of an earlier login. Whatever was connected with another is closed. */
  async use({ token, push_token, device_guid }: DeviceCredentials): Promise<void> {
    await this.#lifeline.stop();
    this.#credentials = { token, push_token, device_guid };
    this.#memory.deviceGuid = device_guid;
    this.#receipts.use(this.#caller());
    await this.#memory.save();
  }

  /** Connects and stays connected. */
  connect(): void {
    const credentials = this.#signedIn();
    this.#receipts.use(this.#caller());
    this.#lifeline.start(credentials);
  }

  /** Cuts a pause between two attempts short, such as when the network is back. Does nothing at other times. */
  retryNow(): void {
    this.#lifeline.retryNow();
  }

  /** Ends the connection, until `connect` is called. What is sent meanwhile waits, or comes by a vendor. */
  disconnect(): Promise<void> {
    return this.#lifeline.stop();
  }

  /** Disconnects and ends the token; the badge goes with it, as at the service. */
  async logout(): Promise<void> {
    const caller = this.#caller();
    this.#credentials = undefined;
    this.#receipts.use(undefined);
    await this.#lifeline.stop();
    await this.#keepBadge(0);
    await caller.token.logout();
  }

  /** Adds and takes away tags; answers those that the device has now. */
  tag(change: Omit<DeviceTagRequest, 'push_token'>): Promise<DeviceTagAnswer> {
    return this.#caller().device.tag(change);
  }

  /** Names the device; blank: not at all. */
  alias(alias: string): Promise<DeviceAliasAnswer> {
    return this.#caller().device.alias({ alias });
  }

  /** Sets the number on the app's icon, here and where vendors count on from. */
  async setBadge(badge: number): Promise<void> {
    const answer = await this.#caller().device.badge({ badge });
    await this.#keepBadge(answer.badge);
  }

  /**
   * Tells Carillon that a notification arrived by a vendor. Resolves when that is kept; it is told soon after, and again
   * until it is taken or refused. Answers whether it is new: one that was shown already need not be shown.
   */
  async receipt({ reference, mid }: VendorArrival): Promise<boolean> {
    const isNew = mid === undefined || !this.#memory.seen.has(mid);
    if (mid !== undefined) this.#memory.seen.add(mid);
    await this.#receipts.add(reference);
    return isNew;
  }

  async #keepBadge(badge: number): Promise<void> {
    if (badge !== this.#memory.badge) {
      this.#memory.badge = badge;
      this.#emitter.emit('badge', badge);
    }
    await this.#memory.save();
  }

  #signedIn(): DeviceCredentials {
    if (!this.#credentials) throw new Error('Nobody is signed in: call login or use first.');
    return this.#credentials;
  }

  #caller(): Carillon {
    return this.#carillon.as({ token: this.#signedIn().token });
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
