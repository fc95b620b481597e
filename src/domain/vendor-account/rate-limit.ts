/** How quick an account may be, in what the vendor counts. */
export interface RateLimit {
  readonly count: number;
  readonly unit: 'devices' | 'requests';
}

/** What was agreed with a vendor goes before what it lets everyone do, if it says that. Nothing: there is no limit. */
export function rateLimitOf(vendorLimit: RateLimit | undefined, agreedPerSecond: number | null): RateLimit | undefined {
  return agreedPerSecond === null ? vendorLimit : { count: agreedPerSecond, unit: vendorLimit?.unit ?? 'devices' };
}

/** What a vendor is asked for one slice, in what its limit counts. */
export interface RateLimitedSlice {
  readonly placeCount: number;
  /** Devices, or requests of so many devices each. */
  readonly cost: number;
}

export function costOf(placeCount: number, unit: RateLimit['unit'], tokensPerRequest: number): number {
  return unit === 'devices' ? placeCount : Math.ceil(placeCount / tokensPerRequest);
}

/** How many places of each slice may be called with these permits, the first slices first. */
export function admitPlaces(slices: readonly RateLimitedSlice[], permits: number): number[] {
  let remaining = permits;
  return slices.map(({ placeCount, cost }) => {
    const share = cost === 0 ? 1 : Math.min(remaining / cost, 1);
    remaining -= cost * share;
    return Math.floor(placeCount * share);
  });
}

const WAIT_MS_MIN = 200;
const WAIT_MS_MAX = 60_000;

/** When permits for so much more have come together, spread so that those who wait do not come back as one. */
export function rateLimitDelayMs(missingPermits: number, perSecond: number, random: () => number): number {
  const waitMs = (missingPermits / Math.max(perSecond, 0.001)) * 1_000;
  return Math.ceil(Math.min(Math.max(waitMs, WAIT_MS_MIN), WAIT_MS_MAX) * (1 + random()));
}
