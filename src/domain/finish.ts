/** The progress of a task in one database. */
export interface ExpansionProgress {
  /** Number of finished expansions in this database. */
  readonly expansionsDone: number;
  /** Whether this database has an open slice of the task. */
  readonly hasOpenSlice: boolean;
}

/**
 * Returns whether a planned task is finished: all expansions are done and no slice is open. Slices are created only by
 * unfinished expansions and open slices of the same database, so the databases can be queried one after the other.
 */
export function isFinished(expansions: number, progress: readonly ExpansionProgress[]): boolean {
  return (
    progress.reduce((sum, { expansionsDone }) => sum + expansionsDone, 0) === expansions &&
    !progress.some(({ hasOpenSlice }) => hasOpenSlice)
  );
}
