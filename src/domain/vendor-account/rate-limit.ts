/** The rate limit of an account, in the unit that the vendor counts. */
export interface RateLimit {
  readonly count: number;
  readonly unit: 'devices' | 'requests';
}

/**
 * Returns the rate limit of an account. A limit agreed with the vendor replaces its published one. Returns undefined if
 * there is no limit.
 */
export function rateLimitOf(vendorLimit: RateLimit | undefined, agreedPerSecond: number | null): RateLimit | undefined {
  return agreedPerSecond === null ? vendorLimit : { count: agreedPerSecond, unit: vendorLimit?.unit ?? 'devices' };
}

/** A slice that needs permits of a rate limit. */
export interface RateLimitedSlice {
  readonly placeCount: number;
  /** Number of permits that the slice needs: its devices or its requests, depending on the unit of the limit. */
  readonly cost: number;
}

export function costOf(placeCount: number, unit: RateLimit['unit'], tokensPerRequest: number): number {
  return unit === 'devices' ? placeCount : Math.ceil(placeCount / tokensPerRequest);
}

/** Returns the number of places of each slice that the permits allow, in the order of the slices. */
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

/**
 * Returns the delay until the missing permits are available, with jitter, so that delayed slices are not retried
 * together.
 */
export function rateLimitDelayMs(missingPermits: number, perSecond: number, random: () => number): number {
  const waitMs = (missingPermits / Math.max(perSecond, 0.001)) * 1_000;
  return Math.ceil(Math.min(Math.max(waitMs, WAIT_MS_MIN), WAIT_MS_MAX) * (1 + random()));
}
