import type { VendorName } from '#src/domain/channel.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { VendorSender, type VendorSettings, withAdvice } from './sender.ts';
import type { VendorAccount } from './vendor.ts';

/**
 * Whether a vendor accepts an account's credentials. `unknown` means that the vendor could not be reached or gave no
 * clear response.
 */
export type CredentialCheck =
  | { readonly kind: 'good' }
  | { readonly kind: 'refused' | 'unknown'; readonly reason: string };

/** Checks credentials with the vendor, over a separate connection and without sending to any device. */
export async function checkAccount(
  settings: VendorSettings,
  name: VendorName,
  account: VendorAccount,
  now: Date,
): Promise<CredentialCheck> {
  const sender = new VendorSender(settings);
  const outcome = await sender.check(name, account, now).finally(() => sender.close());
  if (!isFailedCheck(outcome)) return { kind: 'good' };
  if (outcome.kind === 'locked-out') return { kind: 'refused', reason: withAdvice(name, outcome.reason) };
  const reason = outcome.kind === 'unreachable' ? outcome.reason : 'The vendor is throttling requests.';
  return { kind: 'unknown', reason };
}

type FailedCheck = Extract<Outcome, { kind: 'locked-out' | 'unreachable' | 'throttled' }>;

/** Returns whether the vendor has rejected the credentials or gave no clear response. Other outcomes confirm them. */
export const isFailedCheck = (outcome: Outcome): outcome is FailedCheck =>
  outcome.kind === 'locked-out' || outcome.kind === 'unreachable' || outcome.kind === 'throttled';
