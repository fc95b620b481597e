import type { VendorEntry } from '../../sdk/src/index.ts';
import type { Finding } from '../doctor/finding.ts';

/** The vendor that is checked. */
export interface ProbedVendor extends VendorEntry {
  readonly provider: number;
  readonly environment: 0 | 1;
}

/** The device that receives the notification: a new device with a vendor token, or an existing device. */
export type ProbedDevice =
  | { readonly kind: 'new'; readonly vendorToken: string }
  | { readonly kind: 'existing'; readonly pushToken: string };

export const stepNames = ['credentials', 'devices', 'notification', 'bad token', 'receipt', 'clean-up'] as const;
export type StepName = (typeof stepNames)[number];

/** A result of the vendor, with the detail in the vendor's words after redaction. */
export interface VendorResult {
  readonly code: string;
  readonly detail: string | null;
}

/** The result of one step. */
export interface Step extends Finding {
  readonly check: StepName;
  readonly seconds: number;
  readonly taskId?: bigint;
  readonly results: readonly VendorResult[];
}

export type StepResult = Omit<Step, 'check' | 'seconds' | 'results'> & Partial<Pick<Step, 'results'>>;
