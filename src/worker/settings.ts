import { Type } from 'typebox';

export const workerSettings = Type.Object({
  CARILLON_WORKER_SLOTS: Type.Integer({
    default: 8,
    minimum: 2,
    maximum: 256,
    description: 'How many groups of slices one worker handles at a time.',
  }),
  CARILLON_LEASE_SECONDS: Type.Integer({
    default: 30,
    minimum: 3,
    description:
      'How long a worker holds what it claimed. After its death others take over when this has passed. At least CARILLON_VENDOR_DEADLINE_SECONDS + 4.',
  }),
  CARILLON_ACKNOWLEDGE_SECONDS: Type.Integer({
    default: 5,
    minimum: 1,
    description: 'A connected device that has not acknowledged a notification by then is reached another way.',
  }),
  CARILLON_BREAKER_PROBE_SECONDS: Type.Integer({
    default: 10,
    minimum: 1,
    description:
      'A vendor that is away, or refuses the credentials of an app, is tried with one notification this often and with no more until it answers.',
  }),
  CARILLON_SINGLE_EXPANSION_DEVICES_MAX: Type.Integer({
    default: 10_000,
    minimum: 0,
    maximum: 100_000,
    description:
      'A notification to everyone, or to tags, is expanded by one worker at once if it reaches no more devices than this, else shard by shard by all of them.',
  }),
  CARILLON_INBOX_SECONDS: Type.Integer({
    default: 86_400,
    minimum: 60,
    description: 'How long a message waits for a device on the own channel, counted from when it was due.',
  }),
  CARILLON_RETENTION_DAYS: Type.Integer({
    default: 93,
    // A task can be open for 61 days: scheduled 30 days ahead, shown for 30 days, and one more day.
    minimum: 62,
    maximum: 3_650,
    description:
      'How long tasks are kept whole. After that their day is dropped, and only their counts stay. A day with a task that is not finished is left, and `day-not-dropped` logged.',
  }),
  CARILLON_COUNTS_DAYS: Type.Integer({
    default: 730,
    // Idempotency keys are kept for 90 days, and the task that they return must still be found.
    minimum: 93,
    maximum: 36_500,
    description:
      'How long `/push/task/detail` knows the counts of a task, from when it was accepted. Not less than its day is kept.',
  }),
});
