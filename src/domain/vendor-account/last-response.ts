import type { Outcome } from '../outcome.ts';
import type { AccountKey } from './breaker.ts';

/** How a vendor answered the last call of an account. It contains no content of a notification. */
export interface LastResponse extends AccountKey {
  /** Version of the credentials that were used. */
  readonly version: number;
  readonly kind: Outcome['kind'];
  /** The vendor's error. Empty if it has none. */
  readonly reason: string;
  readonly at: Date;
}

/** The kinds of outcomes, from the one that says most about an account to the one that says least. */
export const outcomeKinds = [
  'locked-out',
  'quota-spent',
  'throttled',
  'accepted',
  'refused',
  'token-dead',
  'unreachable',
] as const satisfies readonly Outcome['kind'][];

/** At most this many characters of a vendor's error are stored, because it is shown in one line. */
const REASON_CHARACTERS_MAX = 256;

/**
 * Returns the outcome that represents the outcomes of one round. Without an order of kinds, a round with some invalid
 * tokens would look like a rejected account. Returns undefined if there are no outcomes.
 */
export function representativeOf(
  outcomes: readonly Outcome[],
): { readonly kind: Outcome['kind']; readonly reason: string } | undefined {
  const [first] = outcomes.toSorted((a, b) => outcomeKinds.indexOf(a.kind) - outcomeKinds.indexOf(b.kind));
  if (!first) return undefined;
  const reason = 'reason' in first ? first.reason : '';
  return { kind: first.kind, reason: reason.slice(0, REASON_CHARACTERS_MAX).replaceAll('\0', '').toWellFormed() };
}

/** A response that was written before, with the time of the write. */
export interface WrittenResponse {
  readonly version: number;
  readonly kind: Outcome['kind'];
  readonly writtenAtMs: number;
}

const REPEATED_MS = 60_000;
/** At most one write per second for kinds that alternate, such as accepted and invalid tokens. */
const CHANGED_MS = 1_000;

/** Returns whether a response must be written: once a minute, or earlier if its kind differs from the last one. */
export function isWriteDue(
  written: WrittenResponse | undefined,
  { kind, version }: Pick<LastResponse, 'kind' | 'version'>,
  nowMs: number,
): boolean {
  if (!written || written.version !== version) return true;
  const elapsedMs = nowMs - written.writtenAtMs;
  if (written.kind === kind) return elapsedMs >= REPEATED_MS;
  // Rejected credentials pause the account, so there may be no later call that reports them.
  return kind === 'locked-out' || elapsedMs >= CHANGED_MS;
}
