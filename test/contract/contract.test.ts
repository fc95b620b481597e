import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { people } from './rows/fixtures.ts';
import { rowGroups } from './rows/row-groups.ts';
import { play, send } from './rows/run-case.ts';
import { type Stages, startStages } from './rows/test-services.ts';

/** Enough to keep two cores busy. Rows do not touch what others look at. */
const ROWS_AT_ONCE = 8;

let stages: Stages;
before(async () => {
  stages = await startStages();
});
after(() => stages[Symbol.asyncDispose]());

for (const { name, service, rows } of rowGroups) {
  describe(name, { concurrency: ROWS_AT_ONCE }, () => {
    for (const { rule, tries } of rows) {
      test(rule, async () => {
        for (const one of tries) await play(stages.of[service], one);
      });
    }
  });
}

describe('after all of this', () => {
  test('as many tasks are stored as were answered: what was refused left nothing', async () => {
    const { usual, images } = stages.of;
    const [stored] = await usual.truth.home.query<{ n: bigint }>('select count(*) as n from tasks');
    assert.equal(Number(stored?.n), usual.taskIds.size + images.taskIds.size);
    assert.ok(usual.taskIds.size > 300, `${usual.taskIds.size} tasks`);
  });

  test('the ids that we made stay below 2^53, for clients that round', () => {
    for (const taskId of stages.of.usual.taskIds) assert.ok(taskId > 0n && taskId < 2n ** 53n, taskId.toString());
  });

  test('a token is kept as its SHA-256 and not as it is', async () => {
    const { usual } = stages.of;
    const { name, password } = people.ann;
    const moment = { nowSeconds: 0, tasks: [], answers: [], imagesUrl: '' };
    const answer = await send(usual, { path: '/token/user', token: null, body: { name, password } }, moment);
    const { token } = answer.data as { token: string };
    const rows = await usual.truth.home.query<{ row: string }>(
      'select t::text as row from user_tokens t where token_hash = $1',
      [createHash('sha256').update(token).digest()],
    );
    assert.equal(rows.length, 1);
    assert.ok(!rows[0]?.row.includes(Buffer.from(token).toString('hex')) && !rows[0]?.row.includes(token));
  });

  test('nothing was our fault', () => {
    assert.deepEqual(
      stages.services.flatMap(({ errors }) => errors),
      [],
    );
  });
});
