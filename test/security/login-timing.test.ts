import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Carillon, startCarillon } from '../support/carillon.ts';

const SAMPLES = 500;
const DIFFERENCE_MAX = 0.05;
const ROUNDS_MAX = 3;

describe('login with an unknown user or a wrong password', () => {
  let carillon: Carillon;

  before(async () => {
    const settings = { CARILLON_LOGIN_FAILURES_PER_ADDRESS: '1000000' };
    carillon = await startCarillon({ apis: 1, gateways: 0, workers: 0, settings });
    // All users share one real hash, because computing 500 hashes would take too long.
    await carillon.createUser('known-0');
    await carillon.storage.home.query(
      `insert into users (app_id, user_id, name, password_hash)
       select app_id, nextval('user_numbers'), 'known-' || i, password_hash
         from users, generate_series(1, $1::int) as i`,
      [SAMPLES - 1],
    );
  });
  after(() => carillon[Symbol.asyncDispose]());

  async function timeLogin(name: string): Promise<{ ms: number; answer: string }> {
    const start = performance.now();
    const { status, code, message } = await carillon.tryPost(
      '/token/user',
      { name, password: 'wrong' },
      { token: null },
    );
    return { ms: performance.now() - start, answer: `${status} ${code} ${message}` };
  }

  test('returns the same response, and the median times of 500 interleaved samples of each differ by at most 5 %', async (t) => {
    // Other load on the machine can only increase the difference, so one successful round is enough.
    for (let round = 1; ; round++) {
      const [knownMs, unknownMs] = await measure();
      const difference = Math.abs(knownMs - unknownMs) / Math.max(knownMs, unknownMs);
      t.diagnostic(
        `wrong password ${knownMs.toFixed(2)} ms, unknown user ${unknownMs.toFixed(2)} ms: ${(difference * 100).toFixed(2)} % apart`,
      );
      if (difference <= DIFFERENCE_MAX) return;
      assert.ok(round < ROUNDS_MAX, `${(difference * 100).toFixed(2)} % apart in round ${round}`);
    }
  });

  /** Returns the median times of both kinds of rejection. Each round resets the counters of failed logins. */
  async function measure(): Promise<[knownMs: number, unknownMs: number]> {
    await carillon.storage.home.query('delete from limit_points');
    const knownTimes: number[] = [];
    const unknown: number[] = [];
    const answers = new Set<string>();
    for (let i = 0; i < SAMPLES; i++) {
      // The order alternates, so that it does not affect the result.
      const pair = i % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
      for (const kind of pair) {
        const { ms, answer } = await timeLogin(kind === 'known' ? `known-${i}` : `unknown-${i}`);
        (kind === 'known' ? knownTimes : unknown).push(ms);
        answers.add(answer);
      }
    }
    assert.equal(answers.size, 1, [...answers].join(' | '));
    return [median(knownTimes), median(unknown)];
  }
});

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
