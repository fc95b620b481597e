/** How far a task has come in one database. */
export interface Progress {
  /** Expansions that are done there. */
  readonly done: number;
  /** A slice is still open there. */
  readonly open: boolean;
}

/**
 * A planned task is finished when every one of its expansions is done and no slice is open. Slices come only of undone
 * expansions and open slices of the same database, so databases may be asked one after the other.
 */
export function isFinished(expansions: number, progress: readonly Progress[]): boolean {
  return progress.reduce((sum, { done }) => sum + done, 0) === expansions && !progress.some(({ open }) => open);
}
