/** The progress of a task in one database. */
export interface ExpansionProgress {
  /** Whether this database has an expansion that is not done. */
  readonly hasOpenExpansion: boolean;
  /** Whether this database has an open slice of the task. */
  readonly hasOpenSlice: boolean;
}

/**
 * Returns whether a planned task is finished: no expansion and no slice is open. A task is planned when its expansions
 * exist. Slices and further expansions are created only by open expansions and open slices of the same database, so the
 * databases can be queried one after the other.
 */
export function isFinished(progress: readonly ExpansionProgress[]): boolean {
  return (
    progress.length > 0 && !progress.some(({ hasOpenExpansion, hasOpenSlice }) => hasOpenExpansion || hasOpenSlice)
  );
}
