import type { PushTaskListResponse } from '../../../../sdk/src/index.ts';

/** After this many notifications, an operator knows the app without the first steps. */
export const FIRST_TASKS = 5;

/**
 * Returns whether the app has used Carillon successfully, so that vendor credentials are a choice and not a first step.
 * `latest` contains the latest tasks, up to `FIRST_TASKS`. Without counters, an earlier success is assumed.
 */
export const isStarted = (latest: readonly Pick<PushTaskListResponse['list'][number], 'received'>[]): boolean =>
  latest.length >= FIRST_TASKS || latest.some(({ received }) => received !== 0n);
