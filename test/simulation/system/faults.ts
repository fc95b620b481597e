import type { Random } from '../environment/random.ts';

/** Everything that goes wrong on purpose. Each must have happened at least once over all seeds. */
export const faultNames = [
  'worker crashed',
  'worker paused',
  'gateway crashed',
  'gateway paused',
  'api crashed mid-request',
  'statement failed',
  "commit's answer lost",
  'database unavailable',
  'presence forgotten',
  'NATS down',
  'wake-up lost',
  'wake-up repeated',
  'request lost',
  'reply lost',
  'vendor down',
  'vendor throttles',
  'vendor refuses',
  'vendor silent',
  'vendor rejects credentials',
  'quota spent',
  'tokens foreign',
  'token dead',
  "vendor's answer lost",
  "vendor's answer late",
  'receipt early',
  'receipt repeated',
  'receipt late',
  'acknowledged late',
  'acknowledged twice',
  'device silent',
  'device went offline',
  'device came back',
  'device changed hands',
  'device logged out',
  'task cancelled',
  'certificate added',
  'certificate removed',
  'accept repeated',
] as const;

export type FaultName = (typeof faultNames)[number];

/** What takes a worker, or an answer, away from it. */
const processAndDatabaseFaults: ReadonlySet<FaultName> = new Set([
  'worker crashed',
  'worker paused',
  'statement failed',
  "commit's answer lost",
  'database unavailable',
]);

/** Decides what goes wrong, and counts it. */
export class Faults {
  readonly counts = new Map<string, number>();
  /** Off while a simulation drains: then everything heals. */
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

  /** Also for what the faults led to. */
  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}
