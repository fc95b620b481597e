/** A smaller difference can come from the resolution of the header, which is one second, or from the network. */
const TOLERANCE_MS = 2_000;

let aheadMs = 0;

/** Returns the time of the server in Unix milliseconds. The clock of the browser can be wrong by minutes. */
export const serverNow = (): number => serverTimeOf(Date.now());

/** Returns the time of the server for a time of the browser. */
export const serverTimeOf = (browserMs: number): number => browserMs + aheadMs;

/** Adjusts the time to that of a response, unless they are almost the same. The remaining time then never jumps. */
export function adjustClock(dateHeader: string | null): void {
  const differenceMs = Date.parse(dateHeader ?? '') - serverNow();
  if (Math.abs(differenceMs) > TOLERANCE_MS) aheadMs += differenceMs;
}
