import { Type } from 'typebox';

export const workerSettings = Type.Object({
  CARILLON_WORKER_SLOTS: Type.Integer({
    default: 8,
    minimum: 2,
    maximum: 256,
    description: 'Number of groups of batches that one worker processes at the same time. Each lane gets half of them.',
  }),
  CARILLON_LEASE_SECONDS: Type.Integer({
    default: 30,
    minimum: 3,
    description:
      'Seconds for which a worker holds claimed work. If a worker crashes, others take over its work after this time. Must be at least CARILLON_VENDOR_DEADLINE_SECONDS + 4.',
  }),
  CARILLON_ACKNOWLEDGE_SECONDS: Type.Integer({
    default: 5,
    minimum: 1,
    description:
      'Seconds that a connected device has to acknowledge a notification before Carillon falls back to its next channel.',
  }),
  CARILLON_BREAKER_PROBE_SECONDS: Type.Integer({
    default: 10,
    minimum: 1,
    description:
      'Seconds between probes of a paused channel. While a vendor is unavailable or rejects the credentials of an app, only one notification per interval is sent to it until one succeeds.',
  }),
  CARILLON_SINGLE_EXPANSION_DEVICES_MAX: Type.Integer({
    default: 10_000,
    minimum: 0,
    maximum: 100_000,
    description:
      'Largest number of devices for which one worker expands a notification to all devices or to tags in one step. Larger audiences are expanded shard by shard by all workers.',
  }),
  CARILLON_INBOX_SECONDS: Type.Integer({
    default: 86_400,
    minimum: 60,
    description:
      'Seconds that a notification waits for a device on the Carillon channel, counted from when it was due.',
  }),
  CARILLON_RETENTION_DAYS: Type.Integer({
    default: 93,
    // A task can be open for 61 days: scheduled 30 days ahead, shown for 30 days, and one more day.
    minimum: 62,
    maximum: 3_650,
    description:
      'Days for which tasks are kept completely. After that, all tasks of a day are dropped and only their counters are kept. A day with an unfinished task is not dropped, and `day-not-dropped` is logged.',
  }),
  CARILLON_COUNTS_DAYS: Type.Integer({
    default: 730,
    // Idempotency keys are kept for 90 days, and a repeated request must still find its task.
    minimum: 93,
    maximum: 36_500,
    description:
      'Days for which `/push/task/detail` returns the counters of a task, counted from when it was accepted. Counters are kept at least as long as the task itself.',
  }),
});
