import type { Reason } from './responses.ts';

/** The README lists the faults that still deliver the push. */
export const faultKinds = ['outage', 'throttle', 'wrong-credentials', 'goaway', 'reset', 'stall', 'truncate'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The faults that are ordinary error responses. */
export const reasonOfFault: Partial<Record<FaultKind, Reason>> = {
  outage: 'ServiceUnavailable',
  throttle: 'TooManyRequests',
  'wrong-credentials': 'InvalidProviderToken',
};
