import { Type } from 'typebox';

export const workerSettings = Type.Object({
  CARILLON_WORKER_SLOTS: Type.Integer({
    default: 8,
    minimum: 2,
    maximum: 256,
    description:
      'Number of groups of batches that one worker processes at the same time. Half of them are for the lane `prompt`, half for the lane `bulk`.',
  }),
  CARILLON_LEASE_SECONDS: Type.Integer({
    default: 30,
    minimum: 3,
    description:
      'Seconds for which a worker holds claimed work. If the worker crashes, other workers take over its work after this time. Must be at least `CARILLON_VENDOR_DEADLINE_SECONDS` + 4.',
  }),
  CARILLON_ACKNOWLEDGE_SECONDS: Type.Integer({
    default: 5,
    minimum: 1,
    description:
      'Seconds in which a connected device must acknowledge a notification. After that, Carillon falls back to the next channel of the device.',
  }),
  CARILLON_BREAKER_PROBE_SECONDS: Type.Integer({
    default: 10,
    minimum: 1,
    description:
      'Seconds between two probes of a paused channel. A channel is paused while its vendor is unavailable or rejects the credentials of the app. Carillon then sends one notification per interval as a probe, until a probe succeeds.',
  }),
  CARILLON_SINGLE_EXPANSION_DEVICES_MAX: Type.Integer({
    default: 10_000,
    minimum: 0,
    maximum: 100_000,
    description:
      'Maximum number of devices that one worker expands in one step, for a notification to all devices or to tags. Larger audiences are divided into ranges, which all workers share.',
  }),
  CARILLON_INBOX_SECONDS: Type.Integer({
    default: 86_400,
    minimum: 60,
    description:
      'Maximum time in seconds that a notification waits in the inbox of a device, counted from the time at which it was due.',
  }),
  CARILLON_RETENTION_DAYS: Type.Integer({
    default: 93,
    // A task can be open for 61 days: scheduled 30 days ahead, shown for 30 days, and one more day.
    minimum: 62,
    maximum: 3_650,
    description:
      'Number of days for which complete tasks are kept. After that, Carillon deletes all tasks of a day and keeps only their counters. If a task of the day is unfinished, Carillon keeps the day and logs `day-not-dropped`.',
  }),
  CARILLON_COUNTS_DAYS: Type.Integer({
    default: 730,
    // Idempotency keys are kept for 90 days, and a repeated request must still find its task.
    minimum: 93,
    maximum: 36_500,
    description:
      'Number of days for which `/push/task/detail` returns the counters of a task, counted from its acceptance. Counters are kept at least as long as the task.',
  }),
});
