import { useRef } from 'react';

/** Length of the time over which the rate is measured. */
const WINDOW_MS = 10_000;

interface Sample {
  readonly atMs: number;
  readonly sent: bigint;
}

/** Returns the devices per second over the last seconds, or undefined while nothing changes. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.atMs <= first.atMs || last.sent <= first.sent) return undefined;
  return (Number(last.sent - first.sent) * 1000) / (last.atMs - first.atMs);
}

/** Measures the sending rate from the counters that the page has received. */
export function useSendingRate(sent: bigint, atMs: number): number | undefined {
  const samples = useRef<Sample[]>([]);
  if (atMs > 0 && samples.current.at(-1)?.atMs !== atMs) {
    samples.current = [...samples.current.filter((sample) => atMs - sample.atMs <= WINDOW_MS), { atMs, sent }];
  }
  return rateOf(samples.current);
}
