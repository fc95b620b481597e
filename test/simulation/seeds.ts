/**
 * Seeds that violated an invariant, each with the bug that it revealed. A seed determines a schedule only for the
 * current version of the simulator. After a change to the simulator, the same seed produces another schedule, and only
 * the description remains valid.
 */
export const regressionSeeds: readonly (readonly [seed: number, found: string])[] = [
  [
    582,
    'a hand-over failed while others were still being written, and its promise was not awaited, which would have crashed the worker',
  ],
  [28, 'a worker that paused after committing its intent called the vendor although its lease had expired'],
  [3, 'a worker that paused before its call sent a notification after not_after'],
  [
    114,
    'a vendor accepted a notification and the worker got the response, but its lease had expired and the place was never counted as sent',
  ],
  [5, 'a worker that paused after its claim sent a request to a gateway although its lease had expired'],
  [744, 'a worker whose lease had expired put a message into an inbox that a cancel had just cleared'],
  [10929, 'two messages waited for one device, its gateway did not respond, and only one of them was requested again'],
];
