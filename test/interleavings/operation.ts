import assert from 'node:assert/strict';
import type { ClaimedExpansion } from '#src/storage/ledger/expansions.ts';
import type { ClaimedSlice } from '#src/storage/ledger/slices.ts';
import type { ClaimedTask } from '#src/storage/ledger/tasks.ts';
import type { Random } from '../simulation/environment/random.ts';
import type { ControlledConnection, Executed, Expectation } from './controlled-connection.ts';

export const APP = 'app';
export const LEASE_SECONDS = 30;
/** The first failure makes a row due immediately, the second one after a while, and the third one quarantines it. */
export const FAILURE = { error: 'broken', pausesSeconds: [0, 100] } as const;

/** Yields the expectation of each statement in turn, and receives the rows that it returned. */
export type Expectations = Generator<Expectation, void, Executed['rows']>;

/** A call of the product, and the expectation of each statement that it executes. */
export interface Operation {
  readonly name: string;
  run(connection: ControlledConnection): Promise<void>;
  expects(): Expectations;
}

/** The rows of a schedule, and the claims that its workers hold. Some of the claims are outdated. */
export interface Work {
  /** Planned, with a slice of the Carillon channel, two slices of a vendor, and a range that is not expanded yet. */
  readonly plannedTaskId: bigint;
  /** Accepted, without expansions. */
  readonly acceptedTaskId: bigint;
  /** A list without expansions. */
  readonly listTaskId: bigint;
  readonly taskRange: readonly [bigint, bigint];
  /** The slices of the planned task, for receipts. */
  readonly firstSlices: readonly ClaimedSlice[];
  readonly slices: ClaimedSlice[];
  readonly expansions: ClaimedExpansion[];
  readonly tasks: ClaimedTask[];
}

/** Creates an operation with random arguments, or returns undefined if it needs a claim and none is held. */
export type CreateOperation = (random: Random, work: Work) => Operation | undefined;

/** Takes a random claim out of a list, because a claim has one holder. */
export function take<T>(random: Random, claims: T[]): T | undefined {
  return claims.splice(random.below(Math.max(1, claims.length)), 1)[0];
}

/** Compares the given columns of rows in any order. */
export function assertSame(
  actual: readonly object[],
  expected: readonly object[],
  columns: readonly string[],
  what: string,
): void {
  const select = (rows: readonly object[]) =>
    rows
      .map((row) => columns.map((column) => (row as Record<string, unknown>)[column]))
      .sort((a, b) => (`${a}` < `${b}` ? -1 : 1));
  assert.deepEqual(select(actual), select(expected), what);
}

/** Checks that a claim returned as many rows as possible, and only rows that were due and not locked. */
export function assertClaimable(
  claimed: readonly string[],
  due: readonly string[],
  locked: ReadonlySet<string>,
  limit: number,
): void {
  const claimable = new Set(due.filter((key) => !locked.has(key)));
  const others = claimed.filter((key) => !claimable.has(key));
  assert.deepEqual(others, [], 'rows were claimed although they were locked or not due');
  assert.equal(claimed.length, Math.min(limit, claimable.size), 'the number of claimed rows');
}
