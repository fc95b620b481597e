import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';

describe('responses to calls whose statement PostgreSQL rejects', () => {
  let carillon: Carillon;
  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 0 });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  for (const [why, sqlState, code, status] of [
    ['a full disk', '53100', 50003, 503],
    ['a lack of memory', '53200', 50003, 503],
    ['a cancelled statement', '57014', 50003, 503],
    ['an unavailable lock', '55P03', 50003, 503],
    ['a deadlock', '40P01', 50003, 503],
    ['any other error', 'XX000', 50000, 500],
  ] as const)
    test(`${why} returns ${code} and logs the reason; a retry with the same request id creates one task`, async () => {
      const { home } = carillon.storage;
      await home.query(
        `create or replace function refuse() returns trigger language plpgsql
             as $$ begin raise exception 'refused with ${sqlState}' using errcode = '${sqlState}'; end $$`,
      );
      await home.query(
        'create or replace trigger refuse before insert on tasks for each row execute function refuse()',
      );
      const body = { audience: 'all', message: { body: 'hello' }, setting: { request_id: `refused-${sqlState}` } };
      const refused = await carillon.tryPost('/push/notify', body);
      assert.deepEqual([refused.code, refused.status, refused.data], [code, status, null]);
      const requestId = String(refused.headers.get('x-request-id'));
      assert.equal(String(refused.message).endsWith(` Request ID: ${requestId}.`), code === 50000);
      await eventually(() =>
        assert.ok(
          carillon.errorLines.some(
            (line) =>
              line.includes('request-failed') && line.includes(`refused with ${sqlState}`) && line.includes(requestId),
          ),
        ),
      );

      await home.query('drop trigger refuse on tasks');
      assert.equal((await carillon.tryPost('/push/notify', body)).code, 200);
    });
});
