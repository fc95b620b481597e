import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type BatchOutcome, sendInParts } from './send-in-parts.ts';

const REQUESTS_MAX = 64;
const accepted = { kind: 'accepted', channelMessageId: '' } as const;
const dead = { kind: 'token-dead', reason: 'malformed', suspect: true } as const;
const tokensOf = (count: number) => Array.from({ length: count }, (_, i) => `t${i}`);

/** A vendor that rejects every request with a bad token. */
function newVendor(bad: ReadonlySet<string>) {
  const requests: (readonly string[])[] = [];
  const send = async (part: readonly string[]): Promise<BatchOutcome[]> => {
    requests.push(part);
    if (!part.some((token) => bad.has(token))) return part.map(() => accepted);
    return part.length === 1 ? [dead] : part.map(() => ({ kind: 'batch-rejected' }));
  };
  return { requests, send };
}

describe('a batch that a vendor rejects because of a token', () => {
  for (const position of [0, 255, 511])
    test(`reaches all other tokens once: token ${position} is malformed`, async () => {
      const tokens = tokensOf(512);
      const { requests, send } = newVendor(new Set([`t${position}`]));
      const outcomes = await sendInParts(tokens, send);
      assert.deepEqual(
        outcomes,
        tokens.map((_, i) => (i === position ? dead : accepted)),
      );
      assert.equal(requests.length, 19);
    });

  test('is divided into a limited number of requests, and the rest is tried again later', async () => {
    const tokens = tokensOf(512);
    const { requests, send } = newVendor(new Set(tokens));
    const outcomes = await sendInParts(tokens, send);
    assert.equal(outcomes.length, tokens.length);
    assert.equal(requests.length, REQUESTS_MAX);
    const byKind = Object.groupBy(outcomes, ({ kind }) => kind);
    assert.ok((byKind['token-dead']?.length ?? 0) > 20, 'some malformed tokens are found each time');
    assert.equal(outcomes.length, (byKind['token-dead']?.length ?? 0) + (byKind.throttled?.length ?? 0));
  });
});

test('a batch without a clear response is not sent again', async () => {
  let requests = 0;
  const unclear = { kind: 'unreachable', reason: 'no response' } as const;
  const outcomes = await sendInParts(tokensOf(3), async (part) => {
    requests++;
    return part.map(() => unclear);
  });
  assert.deepEqual(outcomes, [unclear, unclear, unclear]);
  assert.equal(requests, 1);
});

test('a part without a clear response is not sent again, and the other part is sent', async () => {
  const requests: (readonly string[])[] = [];
  const unclear = { kind: 'unreachable', reason: 'no response' } as const;
  const outcomes = await sendInParts(tokensOf(4), async (part) => {
    requests.push(part);
    if (part.length === 4) return part.map(() => ({ kind: 'batch-rejected' }));
    return part.map(() => (part.includes('t0') ? unclear : accepted));
  });
  assert.deepEqual(outcomes, [unclear, unclear, accepted, accepted]);
  assert.deepEqual(requests.slice(1), [
    ['t0', 't1'],
    ['t2', 't3'],
  ]);
});
