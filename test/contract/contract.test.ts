import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { users } from './rows/fixtures.ts';
import { rowGroups } from './rows/row-groups.ts';
import { runCase, send } from './rows/run-case.ts';
import { startTestServices, type TestServices } from './rows/test-services.ts';

/**
 * Maximum number of rows that run at the same time, which is enough to keep two cores busy. Rows do not read data that
 * other rows change.
 */
const ROWS_AT_ONCE = 8;

let stages: TestServices;
before(async () => {
  stages = await startTestServices();
});
after(() => stages[Symbol.asyncDispose]());

for (const { name, service, rows } of rowGroups) {
  describe(name, { concurrency: ROWS_AT_ONCE }, () => {
    for (const { rule, cases } of rows) {
      test(rule, async () => {
        for (const one of cases) await runCase(stages.byName[service], one);
      });
    }
  });
}

describe('state after all rows', () => {
  test('stores only the tasks whose IDs were returned, and none for rejected requests', async () => {
    const { usual, images } = stages.byName;
    const [stored] = await usual.storage.home.query<{ n: bigint }>('select count(*) as n from tasks');
    assert.equal(Number(stored?.n), usual.taskIds.size + images.taskIds.size);
    assert.ok(usual.taskIds.size > 300, `${usual.taskIds.size} tasks`);
  });

  test('generates task ids below 2^53, so that clients do not round them', () => {
    for (const taskId of stages.byName.usual.taskIds) assert.ok(taskId > 0n && taskId < 2n ** 53n, taskId.toString());
  });

  test('stores only the SHA-256 hash of a token', async () => {
    const { usual } = stages.byName;
    const { name, password } = users.ann;
    const caseContext = { nowSeconds: 0, tasks: [], responses: [], imagesUrl: '' };
    const answer = await send(usual, { path: '/token/user', token: null, body: { name, password } }, caseContext);
    const { token } = answer.data as { token: string };
    const rows = await usual.storage.home.query<{ row: string }>(
      'select t::text as row from user_tokens t where token_hash = $1',
      [createHash('sha256').update(token).digest()],
    );
    assert.equal(rows.length, 1);
    assert.ok(!rows[0]?.row.includes(Buffer.from(token).toString('hex')) && !rows[0]?.row.includes(token));
  });

  test('logs no errors', () => {
    assert.deepEqual(
      stages.services.flatMap(({ errorLines }) => errorLines),
      [],
    );
  });
});
