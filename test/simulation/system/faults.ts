import type { Random } from '../environment/random.ts';

/** All injected faults. Each must occur at least once over all seeds. */
export const faultNames = [
  'worker crashed',
  'worker paused',
  'gateway crashed',
  'gateway paused',
  'api crashed mid-request',
  'statement failed',
  'statement rejected',
  'commit response lost',
  'database unavailable',
  'presence deleted',
  'NATS down',
  'wake-up lost',
  'wake-up repeated',
  'request lost',
  'reply lost',
  'vendor down',
  'vendor throttles',
  'vendor rejects message',
  'vendor silent',
  'vendor rejects credentials',
  'quota exhausted',
  'tokens of another app',
  'token dead',
  'vendor response lost',
  'vendor response late',
  'receipt early',
  'receipt repeated',
  'receipt late',
  'acknowledged late',
  'acknowledged twice',
  'device silent',
  'device went offline',
  'device came back',
  'device logged in again',
  'device logged out',
  'task cancelled',
  'certificate added',
  'certificate removed',
  'accept repeated',
] as const;

/** Effects of faults and of concurrency on rows. Each must occur at least once over all seeds. */
export const effectNames = [
  'plan repeated',
  'expansion split',
  'expansion renewed',
  'expansion lost',
  'expansion cancelled',
  'cancel marked again',
  'slice locked',
  'slice reclaimed',
  'slice renewed',
  'task reclaimed',
] as const;

export type EffectName = (typeof effectNames)[number];

export type FaultName = (typeof faultNames)[number];

/** Faults that stop or pause a worker, or that fail its statements. */
const processAndDatabaseFaults: ReadonlySet<FaultName> = new Set([
  'worker crashed',
  'worker paused',
  'statement failed',
  'statement rejected',
  'commit response lost',
  'database unavailable',
]);

/** Decides which faults happen, and counts them. */
export class Faults {
  readonly counts = new Map<string, number>();
  /** False while a simulation drains, so that no more faults happen. */
  active = true;
  readonly #random: Random;
  readonly #calm: boolean;

  constructor(random: Random, calm: boolean) {
    this.#random = random;
    this.#calm = calm;
  }

  happens(name: FaultName, probability: number): boolean {
    if (!this.active || !this.#random.chance(probability) || (this.#calm && processAndDatabaseFaults.has(name)))
      return false;
    this.count(name);
    return true;
  }

  /** Counts a fault or an effect of a fault. */
  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}
