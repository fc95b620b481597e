import type { Call, Expect } from './row.ts';

/** Helpers for calls that are subject to a limit. */

export const times = <T>(n: number, item: T): T[] => new Array<T>(n).fill(item);
export const onOtherApi = (call: Call): Call => ({ ...call, onOtherApi: true });

/** Returns the expected rate limit headers of a response. */
export const limits = (limit: number, remaining: number, reset: RegExp): Expect['headers'] => ({
  'ratelimit-limit': new RegExp(`^${limit}$`),
  'ratelimit-remaining': new RegExp(`^${remaining}$`),
  'ratelimit-reset': reset,
});
export const withoutLimitHeaders: NonNullable<Expect['headers']> = {
  'ratelimit-limit': null,
  'ratelimit-remaining': null,
  'ratelimit-reset': null,
  'retry-after': null,
};
export const passes = (limit: number, remaining: number, reset: RegExp): Expect => ({
  code: 200,
  headers: { ...limits(limit, remaining, reset), 'retry-after': null },
});
export const stopped = (code: number, limit: number, reset: RegExp): Expect => ({
  code,
  headers: { ...limits(limit, 0, reset), 'retry-after': reset },
});
