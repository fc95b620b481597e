/** How far a task has come in one database. */
export interface ExpansionProgress {
  /** Expansions that are done there. */
  readonly expansionsDone: number;
  /** A slice is still open there. */
  readonly hasOpenSlice: boolean;
}

/**
 * A planned task is finished when every one of its expansions is done and no slice is open. Slices come only of undone
 * expansions and open slices of the same database, so databases may be asked one after the other.
 */
export function isFinished(expansions: number, progress: readonly ExpansionProgress[]): boolean {
  return (
    progress.reduce((sum, { expansionsDone }) => sum + expansionsDone, 0) === expansions &&
    !progress.some(({ hasOpenSlice }) => hasOpenSlice)
  );
}
