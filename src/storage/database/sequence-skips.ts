import { Unavailable } from '#src/foundation/unavailable.ts';

/**
 * The number of values that each attempt skips in a sequence. An app that chooses its own IDs may have used many in a
 * row, so each attempt skips further. The first attempt skips nothing and must not set the sequence, because that could
 * undo the progress of concurrent requests.
 */
export const sequenceSkips: readonly number[] = Array.from({ length: 40 }, (_, tries) =>
  tries === 0 ? 0 : 2 ** Math.min(tries, 20),
);

/**
 * Returns the error for a search that found no free ID. Every attempt has advanced the sequence, so a repeated request
 * continues from the new position.
 */
export const noFreeNumberError = (): Unavailable => new Unavailable('No free ID was found. Retry the request.');
