import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gauge } from './metrics.ts';

export const processMetrics = {
  ready: gauge({
    name: 'carillon_ready',
    help: '1 if the process is ready, otherwise 0. It is the result of `/readyz` at the time of the scrape.',
    troubleshooting: '0: request `/readyz`, which lists the failing check. While a process shuts down, 0 is normal.',
  }),
  role: gauge({
    name: 'carillon_role',
    help: '1 for each role that this process runs.',
    troubleshooting: 'No process reports a role: the role is not running.',
    labels: ['role'],
  }),
  eventLoopDelay: gauge({
    name: 'carillon_event_loop_delay_seconds',
    help: 'Longest delay of the event loop in seconds since the last scrape, and at least in the last minute. Several servers can scrape the process: a server that scrapes at least once a minute misses no delay.',
    troubleshooting:
      'High: the process needs more than one CPU core, or one step took too long. Start another process of the same role.',
  }),
} as const;

const RESOLUTION_MS = 10;
const PART_MS = 5_000;
const KEPT_MS = 60_000;

/** Measures delays of the event loop. A delay is reported until a scrape has reported it, and for at least a minute. */
export class EventLoopDelays {
  readonly #takeLongest: () => number;
  /** The longest delay of each of the last parts of the last minute. */
  #parts: { readonly endMs: number; readonly seconds: number }[] = [];
  /** The longest delay before these parts that no scrape has reported. */
  #unreportedSeconds = 0;
  #reportedUntilMs = Number.NEGATIVE_INFINITY;

  /** `takeLongest` returns the longest delay in seconds since its last call. */
  constructor(takeLongest: () => number) {
    this.#takeLongest = takeLongest;
  }

  /** Starts the measurement. It does not keep the process running. */
  static start(): EventLoopDelays {
    const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    histogram.enable();
    let afterResetMs = 0;
    const delays = new EventLoopDelays(() => {
      // The histogram contains the time between two timers, of which the resolution is not a delay.
      const longestMs = Math.max(0, histogram.max / 1e6 - RESOLUTION_MS, afterResetMs);
      afterResetMs = 0;
      histogram.reset();
      const resetMs = performance.now();
      // The histogram does not contain a delay between a reset and its next timer.
      setTimeout(() => {
        afterResetMs = Math.max(afterResetMs, performance.now() - resetMs - RESOLUTION_MS);
      }, RESOLUTION_MS).unref();
      return longestMs / 1_000;
    });
    setInterval(() => delays.endPart(), PART_MS).unref();
    return delays;
  }

  /** Ends the current part. Must be called every few seconds, so that the number of parts is bounded. */
  endPart(nowMs = performance.now()): void {
    this.#parts.push({ endMs: nowMs, seconds: this.#takeLongest() });
    for (let [first] = this.#parts; first && first.endMs < nowMs - KEPT_MS; [first] = this.#parts) {
      if (first.endMs > this.#reportedUntilMs)
        this.#unreportedSeconds = Math.max(this.#unreportedSeconds, first.seconds);
      this.#parts.shift();
    }
  }

  /** Returns the longest delay in seconds for a scrape. */
  report(nowMs = performance.now()): number {
    this.endPart(nowMs);
    const longest = Math.max(this.#unreportedSeconds, ...this.#parts.map(({ seconds }) => seconds));
    this.#unreportedSeconds = 0;
    this.#reportedUntilMs = nowMs;
    return longest;
  }
}
