import { Unavailable } from '#src/foundation/unavailable.ts';
import { isTransientError } from '#src/storage/database/database.ts';
import type { Failure } from '#src/storage/ledger/failed-work.ts';
import type { WorkerContext } from '../context.ts';

/**
 * The pauses after the failures of a row that was processed alone, about seven minutes in total. They give an operator
 * time to fix a cause that affects many rows. The fifth failure quarantines the row.
 */
const PAUSES_SECONDS = [5, 20, 80, 320];
/** Maximum length of a stored error. */
const ERROR_LENGTH_MAX = 500;
/** A text that can be a token or key. Errors should not contain secrets, so this is a second line of defense. */
const POSSIBLE_SECRET = /[\w+/=-]{32,}/g;

/**
 * Returns whether work failed for its own reason. Unavailable dependencies, timeouts and lock conflicts affect any work,
 * so they say nothing about this work.
 */
export function isOwnFailure(error: unknown): boolean {
  return !(error instanceof Unavailable) && !isTransientError(error);
}

/**
 * Records that a row failed while it was processed alone. The row becomes due after a pause, or is quarantined after too
 * many failures. `record` returns the number of failures, or undefined if this worker no longer holds the row.
 */
export async function recordFailure(
  { log }: WorkerContext,
  row: Readonly<Record<string, unknown>>,
  error: unknown,
  record: (failure: Failure) => Promise<number | undefined>,
): Promise<void> {
  const failures = await record({ error: errorText(error), pausesSeconds: PAUSES_SECONDS });
  if (failures !== undefined && failures > PAUSES_SECONDS.length) log.error('work-quarantined', { ...row, error });
  else log.warn('work-failed', { ...row, failures, error });
}

export function errorText(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll(POSSIBLE_SECRET, '[…]').slice(0, ERROR_LENGTH_MAX);
}
