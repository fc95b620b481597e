/** How quick an account may be, in what the vendor counts. */
export interface RateLimit {
  readonly count: number;
  readonly of: 'devices' | 'requests';
}

/** What was agreed with a vendor goes before what it lets everyone do, if it says that. Nothing: there is no limit. */
export function rateLimitOf(ofVendor: RateLimit | undefined, agreed: number | null): RateLimit | undefined {
  return agreed === null ? ofVendor : { count: agreed, of: ofVendor?.of ?? 'devices' };
}

/** What a vendor is asked for one slice, in what its limit counts. */
export interface PacedSlice {
  readonly places: number;
  /** Devices, or requests of so many devices each. */
  readonly cost: number;
}

export function costOf(places: number, of: RateLimit['of'], tokensPerRequest: number): number {
  return of === 'devices' ? places : Math.ceil(places / tokensPerRequest);
}

/** How many places of each slice may be called with these permits, the first slices first. */
export function admitted(slices: readonly PacedSlice[], permits: number): number[] {
  let left = permits;
  return slices.map(({ places, cost }) => {
    const share = cost === 0 ? 1 : Math.min(left / cost, 1);
    left -= cost * share;
    return Math.floor(places * share);
  });
}

const WAIT_MS_MIN = 200;
const WAIT_MS_MAX = 60_000;

/** When permits for so much more have come together, spread so that those who wait do not come back as one. */
export function pacedInMs(missing: number, perSecond: number, random: () => number): number {
  const waitMs = (missing / Math.max(perSecond, 0.001)) * 1_000;
  return Math.ceil(Math.min(Math.max(waitMs, WAIT_MS_MIN), WAIT_MS_MAX) * (1 + random()));
}
