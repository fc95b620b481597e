import type { Reason } from './responses.ts';

/** Kinds of faults. The README lists the kinds for which the push is still delivered. */
export const faultKinds = ['outage', 'throttle', 'wrong-credentials', 'goaway', 'reset', 'stall', 'truncate'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Reasons of the faults that return an ordinary error response. */
export const reasonOfFault: Partial<Record<FaultKind, Reason>> = {
  outage: 'ServiceUnavailable',
  throttle: 'TooManyRequests',
  'wrong-credentials': 'InvalidProviderToken',
};
