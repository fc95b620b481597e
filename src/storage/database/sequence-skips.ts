import { Unavailable } from '#src/foundation/unavailable.ts';

/**
 * How far on from the next number of a sequence each try goes. Our numbers may have been taken by an app that chose some
 * itself; then others are tried, further and further on, since such an app has taken many in a row. The first try skips
 * nothing and must not set the sequence: that would take back what others have drawn from it in the same moment.
 */
export const sequenceSkips: readonly number[] = Array.from({ length: 40 }, (_, tries) =>
  tries === 0 ? 0 : 2 ** Math.min(tries, 20),
);

/** The sequence has moved on with every try, so whoever says it again goes on from there. */
export const noFreeNumberError = (): Unavailable => new Unavailable('No free number was found.');
