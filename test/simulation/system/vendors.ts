import type { VendorName } from '#src/domain/channel.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import type { VendorSend } from '#src/vendors/sender.ts';
import { currentProcess, type Scheduler } from '../environment/scheduler.ts';
import type { Phone } from './phone.ts';
import { DEADLINE_MS } from './settings.ts';
import type { SimulatedSystem } from './simulated-system.ts';

const vendorFaults = [
  'vendor down',
  'vendor throttles',
  'vendor rejects credentials',
  'quota exhausted',
  'tokens of another app',
] as const;
type VendorState = 'well' | (typeof vendorFaults)[number];
const vendorStates: readonly VendorState[] = ['well', 'well', ...vendorFaults];

const vendorsByScheduler = new WeakMap<Scheduler, Vendors>();
export const vendorsOf = (scheduler: Scheduler): Vendors => vendorsByScheduler.get(scheduler) as Vendors;

/**
 * The simulated vendors. They accept, reject and throttle notifications, become unavailable, and lose responses after
 * accepting a notification.
 */
export class Vendors {
  readonly #system: SimulatedSystem;
  readonly #states = new Map<string, VendorState>();
  readonly #phones = new Map<string, Phone>();
  readonly #dead = new Set<string>();

  constructor(system: SimulatedSystem) {
    this.#system = system;
    vendorsByScheduler.set(system.scheduler, this);
  }

  register(token: string, phone: Phone): void {
    this.#phones.set(token, phone);
  }

  /** Changes a vendor's behavior for an app. */
  changeState(appId: string, channel: VendorName): void {
    this.#states.set(`${appId} ${channel}`, this.#system.random.pick(vendorStates));
  }

  recover(): void {
    this.#states.clear();
  }

  isStalled(): boolean {
    return this.#system.faults.happens('vendor silent', 0.03);
  }

  async send(channel: VendorName, { appId }: { appId: string }, sends: readonly VendorSend[]): Promise<Outcome[]> {
    const { scheduler, faults, oracle } = this.#system;
    const process = currentProcess();
    for (const { notification } of sends) oracle.calling(process, notification);
    await scheduler.step(`calls ${channel}`);
    const outcomes = sends.map((send) => this.#outcomeOf(appId, channel, send));
    if (faults.happens('vendor response lost', 0.06)) {
      await scheduler.step(`${channel} does not respond`, DEADLINE_MS);
      return sends.map(() => ({ kind: 'unreachable', reason: 'no response' }));
    }
    const late = faults.happens('vendor response late', 0.05);
    await scheduler.step(
      `${channel}: ${outcomes.map(({ kind }) => kind).join(' ')}`,
      late ? DEADLINE_MS - 1 : undefined,
    );
    sends.forEach(({ notification }, i) => {
      if (outcomes[i]?.kind === 'accepted') oracle.confirmed(process, notification);
    });
    return outcomes;
  }

  /** Checks the credentials of an app, without a notification. */
  async check(channel: VendorName, appId: string): Promise<Outcome> {
    await this.#system.scheduler.step(`checks credentials at ${channel}`);
    return this.#faultOf(appId, channel) ?? { kind: 'token-dead', reason: 'nobody', suspect: true };
  }

  #outcomeOf(appId: string, channel: VendorName, { token, notification }: VendorSend): Outcome {
    const { faults, oracle } = this.#system;
    const fault = this.#faultOf(appId, channel);
    if (fault) return fault;
    if (faults.happens('token dead', 0.04)) this.#dead.add(token);
    if (this.#dead.has(token)) return { kind: 'token-dead', reason: 'gone' };
    if (faults.happens('vendor rejects message', 0.04)) return { kind: 'refused', reason: 'no' };
    oracle.accepted(notification);
    this.#phones.get(token)?.showFromVendor(notification.reference);
    return { kind: 'accepted', channelMessageId: '' };
  }

  /** Returns the outcome of every call in the current state of a vendor, or undefined if the vendor works. */
  #faultOf(appId: string, channel: VendorName): Outcome | undefined {
    const { faults } = this.#system;
    const state = (faults.active && this.#states.get(`${appId} ${channel}`)) || 'well';
    if (state !== 'well') faults.count(state);
    switch (state) {
      case 'vendor down':
        return { kind: 'unreachable', reason: 'unavailable' };
      case 'vendor throttles':
        return { kind: 'throttled', retryAfterSeconds: this.#system.random.between(1, 5) };
      case 'vendor rejects credentials':
        return { kind: 'locked-out', reason: 'invalid credentials' };
      case 'quota exhausted':
        return { kind: 'quota-spent', until: new Date(0) };
      case 'tokens of another app':
        return { kind: 'token-dead', reason: 'of another app', suspect: true };
      case 'well':
        return undefined;
    }
  }
}
