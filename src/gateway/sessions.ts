import { reason, type Session } from './session.ts';

/** The sessions of this gateway, one per device. */
export class Sessions {
  readonly #byDevice = new Map<bigint, Session>();

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

  /** A second connection of the same device takes over. */
  add(session: Session): void {
    this.#byDevice.get(session.device.deviceId)?.close(reason.takenOver);
    this.#byDevice.set(session.device.deviceId, session);
  }

  /** False: another connection of the device has taken over, so it is not gone. */
  remove(session: Session): boolean {
    if (!this.has(session)) return false;
    return this.#byDevice.delete(session.device.deviceId);
  }

  /** Ends the sessions that were silent for one and a half times their keep-alive [MQTT-3.1.2-24]. */
  closeSilent(): void {
    const now = performance.now();
    for (const session of this.#byDevice.values())
      if (now - session.lastHeardMs > session.keepAliveMs * 1.5) session.close(reason.keepAliveTimeout);
  }
}
