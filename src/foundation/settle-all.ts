import { Unavailable } from './unavailable.ts';

/** Waits until all promises are settled. Returns their values, or throws the first failure. */
export async function settleAll<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** Waits until all promises are settled. Returns the values of those whose dependency is available. */
export async function settleAvailable<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return [result.value];
    if (result.reason instanceof Unavailable) return [];
    throw result.reason;
  });
}

/** The values of the promises that were fulfilled. */
export interface Settled<T> {
  readonly values: readonly T[];
  /** Throws the first failure, if there is one. */
  readonly throwFailure: () => void;
}

/** Waits until all promises are settled, so that the caller can continue with the values before it throws a failure. */
export async function settleEach<T>(promises: readonly Promise<T>[]): Promise<Settled<T>> {
  const results = await Promise.allSettled(promises);
  return {
    values: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    throwFailure: () => {
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
  };
}
