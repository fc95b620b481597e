import { reason } from '../reason-codes.ts';
import type { ConnectedDevice, Session } from './session.ts';

interface SessionLimits {
  readonly total: number;
  readonly perApp: number;
  readonly isAtCeiling: (appId: string, sessions: number) => boolean;
}

const NO_LIMITS: SessionLimits = {
  total: Number.POSITIVE_INFINITY,
  perApp: Number.POSITIVE_INFINITY,
  isAtCeiling: () => false,
};

/** The sessions of this gateway, one per device. */
export class Sessions {
  readonly #byDevice = new Map<bigint, Session>();
  readonly #perApp = new Map<string, number>();
  readonly #limits: SessionLimits;

  constructor(limits: SessionLimits = NO_LIMITS) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#byDevice.size;
  }

  get(deviceId: bigint): Session | undefined {
    return this.#byDevice.get(deviceId);
  }

  has(session: Session): boolean {
    return this.#byDevice.get(session.device.deviceId) === session;
  }

  all(): IterableIterator<Session> {
    return this.#byDevice.values();
  }

  /** The number of sessions of each app that has any. */
  get perApp(): ReadonlyMap<string, number> {
    return this.#perApp;
  }

  /** Returns the limit that a new session would exceed. A takeover does not add a session. */
  exceededLimit(device: ConnectedDevice): 'busy' | 'app-quota' | 'app-ceiling' | undefined {
    const { appId, deviceId, isTakeover } = device;
    if (this.#byDevice.has(deviceId)) return undefined;
    if (this.size >= this.#limits.total) return 'busy';
    if ((this.#perApp.get(appId) ?? 0) >= this.#limits.perApp) return 'app-quota';
    // The takeover ends the session on the other gateway.
    return !isTakeover && this.isAtCeiling(appId) ? 'app-ceiling' : undefined;
  }

  /** Returns whether the app has reached its ceiling of sessions on all gateways. */
  isAtCeiling(appId: string): boolean {
    return this.#limits.isAtCeiling(appId, this.#perApp.get(appId) ?? 0);
  }

  /** Adds a session. A previous session of the same device is closed. */
  add(session: Session): void {
    const previous = this.#byDevice.get(session.device.deviceId);
    if (previous) this.#count(previous, -1);
    previous?.close(reason.takenOver);
    this.#byDevice.set(session.device.deviceId, session);
    this.#count(session, 1);
  }

  /**
   * Removes a session. Returns false if it was already removed, or if another connection of the device has taken over
   * and the device is still connected.
   */
  remove(session: Session): boolean {
    if (!this.has(session)) return false;
    this.#count(session, -1);
    return this.#byDevice.delete(session.device.deviceId);
  }

  /**
   * Closes sessions whose access token has expired, and sessions that have been silent for one and a half times their
   * keep-alive [MQTT-3.1.2-24].
   */
  closeEnded(): void {
    const now = performance.now();
    for (const session of this.#byDevice.values())
      if (now >= session.device.tokenExpiresAtMs) session.close(reason.notAuthorised);
      else if (now - session.lastPacketMs > session.keepAliveMs * 1.5) session.close(reason.keepAliveTimeout);
  }

  #count({ device: { appId } }: Session, change: 1 | -1): void {
    const count = (this.#perApp.get(appId) ?? 0) + change;
    if (count > 0) this.#perApp.set(appId, count);
    else this.#perApp.delete(appId);
  }
}
