import type { VendorOutcome } from '../vendor.ts';

/**
 * The outcomes of one answer. If the vendor accepts nobody, tokens that it calls dead may as well be those of another app,
 * package or region: they are doubtful then. One that is accepted shows that it knows the app.
 */
export function markSuspectTokens(outcomes: readonly VendorOutcome[]): readonly VendorOutcome[] {
  if (outcomes.some(({ kind }) => kind === 'accepted')) return outcomes;
  return outcomes.map((outcome) => (outcome.kind === 'token-dead' ? { ...outcome, suspect: true } : outcome));
}
