/**
 * Seeds that broke a law, each with what it showed and what was done about it. A seed is a schedule of the simulator as
 * it is: after a change of the simulator the same number plays another one, and what stays is the sentence.
 */
export const regressionSeeds: readonly (readonly [seed: number, found: string])[] = [
  [
    582,
    'a hand-over failed while others were still being written, and nobody waited for it: the worker would have ended',
  ],
  [28, 'a worker that stood still after its intent called the vendor although its lease was over'],
  [3, 'a worker that stood still before its call sent after not_after'],
  [114, 'a vendor took it and a worker heard so, but its lease was over and the place never counted as sent'],
  [5, 'a worker that stood still after its claim asked a gateway to write although its lease was over'],
  [744, 'a worker whose lease was over laid a message into an inbox that a cancel had cleared meanwhile'],
  [10929, 'two messages waited for one device, its gateway did not answer, and only one of them was asked for again'],
];
