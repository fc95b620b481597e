import { hasOutcomePrefix, isUnassignedToken } from '../kit/token-outcomes.ts';
import type { Environment, Reason } from './responses.ts';

export type Device = { readonly token: string; readonly environment: Environment; readonly topic: string };

const DEVICES_MAX = 100_000; // beyond this limit, the oldest device is dropped, because a simulator may run for weeks
const TOKEN_CHARACTERS_MAX = 200; // Apple documents a maximum token length of 100 bytes, which is 200 hex digits
const HEX_BYTES = /^(?:[0-9a-f]{2})+$/i;

/**
 * Registered device tokens. An unregistered token is valid in both environments and for every app, so most tests need
 * no registration. Like a real token, a registered token is rejected with BadDeviceToken in the other environment.
 */
export class Devices {
  readonly #byToken = new Map<string, Device>();

  register(device: Device): void {
    this.#byToken.delete(device.token);
    this.#byToken.set(device.token, device);
    const [oldest] = this.#byToken.keys();
    if (this.#byToken.size > DEVICES_MAX && oldest !== undefined) this.#byToken.delete(oldest);
  }

  check(token: string, environment: Environment, topic: string): Reason | undefined {
    if (!hasTokenFormat(token) || isUnassignedToken(token)) return 'BadDeviceToken';
    const device = this.#byToken.get(token);
    if (device === undefined) return undefined;
    if (device.environment !== environment) return 'BadDeviceToken';
    return device.topic === topic ? undefined : 'DeviceTokenNotForTopic';
  }
}

export function hasTokenFormat(token: string): boolean {
  return token.length <= TOKEN_CHARACTERS_MAX && (hasOutcomePrefix(token) || HEX_BYTES.test(token));
}
