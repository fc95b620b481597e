import type { VendorOutcome } from '../vendor.ts';

/**
 * Marks dead tokens as suspect if the vendor accepted no token of the request, because they may belong to another app,
 * package or region. An accepted token shows that the app, package and region are correct.
 */
export function markSuspectTokens(outcomes: readonly VendorOutcome[]): readonly VendorOutcome[] {
  if (outcomes.some(({ kind }) => kind === 'accepted')) return outcomes;
  return outcomes.map((outcome) => (outcome.kind === 'token-dead' ? { ...outcome, suspect: true } : outcome));
}
