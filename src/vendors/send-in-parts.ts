import assert from 'node:assert/strict';
import type { Outcome } from '#src/domain/outcome.ts';
import type { BatchRejected } from './vendor.ts';

export type BatchOutcome = Outcome | BatchRejected;

/**
 * At most this many requests per batch, because the rate limit and the deadline allow for one. To find one invalid
 * token among 512, 19 requests are needed.
 */
const REQUESTS_MAX = 64;
/** The outcome of tokens that are left over. Their next batch does not contain the invalid tokens found so far. */
const POSTPONED = { kind: 'throttled', retryAfterSeconds: 1 } as const satisfies Outcome;

/**
 * Sends a batch and returns one outcome per token, in order. If the vendor rejects the whole batch because of a token,
 * each half is sent separately, so that an invalid token does not affect the others. A batch without a clear response
 * is not sent again, because the vendor may have processed it.
 */
export async function sendInParts(
  tokens: readonly string[],
  send: (part: readonly string[]) => Promise<readonly BatchOutcome[]>,
): Promise<readonly Outcome[]> {
  let requests = 0;
  return sendPart(tokens);

  // The halves are sent one after the other. Otherwise the limit would be reached before any invalid token is found.
  async function sendPart(part: readonly string[]): Promise<readonly Outcome[]> {
    if (requests === REQUESTS_MAX) return part.map(() => POSTPONED);
    requests++;
    const outcomes = await send(part);
    if (!isRejected(outcomes)) return outcomes as readonly Outcome[];
    assert(part.length > 1, 'the rejection of a single token is an outcome of this token');
    const middle = Math.ceil(part.length / 2);
    return [...(await sendPart(part.slice(0, middle))), ...(await sendPart(part.slice(middle)))];
  }
}

const isRejected = (outcomes: readonly BatchOutcome[]): boolean =>
  outcomes.some(({ kind }) => kind === 'batch-rejected');
