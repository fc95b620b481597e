import type { Reason } from './responses.ts';

/** Which of them still let the push arrive: see the table in the README. */
export const faultKinds = ['outage', 'throttle', 'wrong-credentials', 'goaway', 'reset', 'stall', 'truncate'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The faults that are an answer like any other. */
export const reasonOfFault: Partial<Record<FaultKind, Reason>> = {
  outage: 'ServiceUnavailable',
  throttle: 'TooManyRequests',
  'wrong-credentials': 'InvalidProviderToken',
};
