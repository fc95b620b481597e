import type { Vendor } from '#src/domain/channel.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import type { Attempt } from '#src/vendors/sender.ts';
import { type Scheduler, thisProcess } from '../environment/scheduler.ts';
import type { Phone } from './phone.ts';
import { DEADLINE_MS } from './settings.ts';
import type { World } from './simulated-system.ts';

const troubles = ['vendor down', 'vendor throttles', 'vendor locks out', 'quota spent', 'tokens foreign'] as const;
type Mood = 'well' | (typeof troubles)[number];
const moods: readonly Mood[] = ['well', 'well', ...troubles];

const known = new WeakMap<Scheduler, Vendors>();
export const vendorsOf = (scheduler: Scheduler): Vendors => known.get(scheduler) as Vendors;

/** The vendors: they accept, refuse, throttle, are away, and lose their answers after accepting. */
export class Vendors {
  readonly #world: World;
  readonly #moods = new Map<string, Mood>();
  readonly #phones = new Map<string, Phone>();
  readonly #dead = new Set<string>();

  constructor(world: World) {
    this.#world = world;
    known.set(world.scheduler, this);
  }

  register(token: string, phone: Phone): void {
    this.#phones.set(token, phone);
  }

  /** From now on an app is treated like this at one of its vendors. */
  changeMood(appId: string, channel: Vendor): void {
    this.#moods.set(`${appId} ${channel}`, this.#world.random.pick(moods));
  }

  recover(): void {
    this.#moods.clear();
  }

  isSilent(): boolean {
    return this.#world.faults.strikes('vendor silent', 0.03);
  }

  async send(channel: Vendor, { appId }: { appId: string }, attempts: readonly Attempt[]): Promise<Outcome[]> {
    const { scheduler, faults, oracle } = this.#world;
    const process = thisProcess();
    for (const { notification } of attempts) oracle.calling(process, notification);
    await scheduler.step(`calls ${channel}`);
    const outcomes = attempts.map((attempt) => this.#answer(appId, channel, attempt));
    if (faults.strikes("vendor's answer lost", 0.06)) {
      await scheduler.step(`${channel} is silent`, DEADLINE_MS);
      return attempts.map(() => ({ kind: 'unreachable', reason: 'no answer' }));
    }
    const late = faults.strikes("vendor's answer late", 0.05);
    await scheduler.step(
      `${channel}: ${outcomes.map(({ kind }) => kind).join(' ')}`,
      late ? DEADLINE_MS - 1 : undefined,
    );
    attempts.forEach(({ notification }, i) => {
      if (outcomes[i]?.kind === 'accepted') oracle.learned(process, notification);
    });
    return outcomes;
  }

  #answer(appId: string, channel: Vendor, { token, notification }: Attempt): Outcome {
    const { faults, oracle } = this.#world;
    const mood = (faults.active && this.#moods.get(`${appId} ${channel}`)) || 'well';
    if (mood !== 'well') faults.count(mood);
    switch (mood) {
      case 'vendor down':
        return { kind: 'unreachable', reason: 'away' };
      case 'vendor throttles':
        return { kind: 'throttled', retryAfterSeconds: this.#world.random.between(1, 5) };
      case 'vendor locks out':
        return { kind: 'locked-out', reason: 'who are you' };
      case 'quota spent':
        return { kind: 'quota-spent', until: new Date(0) };
      case 'tokens foreign':
        return { kind: 'token-dead', reason: 'of another app', doubtful: true };
    }
    if (faults.strikes('token dead', 0.04)) this.#dead.add(token);
    if (this.#dead.has(token)) return { kind: 'token-dead', reason: 'gone' };
    if (faults.strikes('vendor refuses', 0.04)) return { kind: 'refused', reason: 'no' };
    oracle.accepted(notification);
    this.#phones.get(token)?.showFromVendor(notification.reference);
    return { kind: 'accepted', channelMessageId: '' };
  }
}
