/**
 * Seeds that violated an invariant, each with the bug it showed. A seed is a schedule of the current simulator. After a
 * change of the simulator the same number is another schedule, and only the description remains.
 */
export const regressionSeeds: readonly (readonly [seed: number, found: string])[] = [
  [
    582,
    'a hand-over failed while others were still being written, and its promise was not awaited, which would have ended the worker',
  ],
  [28, 'a worker that paused after its intent called the vendor although its lease had ended'],
  [3, 'a worker that paused before its call sent after not_after'],
  [
    114,
    'a vendor accepted a notification and the worker got the response, but its lease had ended and the place never counted as sent',
  ],
  [5, 'a worker that paused after its claim asked a gateway to write although its lease had ended'],
  [744, 'a worker whose lease had ended put a message into an inbox that a cancel had cleared in between'],
  [10929, 'two messages waited for one device, its gateway did not respond, and only one of them was requested again'],
];
