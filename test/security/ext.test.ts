import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '#src/foundation/json.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';

describe('message.ext', () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon({ apis: 1, gateways: 0, workers: 0 });
  });
  after(() => carillon[Symbol.asyncDispose]());

  /** Sends `ext` as raw text, because JSON.stringify would change some of the tested values. */
  async function notify(extText: string): Promise<{ code: number; stored?: unknown }> {
    const response = await fetch(`${carillon.apis[0]?.apiUrl}/push/notify`, {
      method: 'POST',
      headers: {
        app_id: carillon.appId,
        'access-token': carillon.adminToken,
        'content-type': 'application/json',
      },
      body: `{"audience":{"user_id":[1]},"message":{"body":"x","ext":${extText}}}`,
    });
    const { code, data } = (await response.json()) as { code: number; data: { task_id: number } | null };
    if (code !== 200) return { code };
    const [row] = await carillon.storage.home.query<{ message: string }>(
      'select message from tasks where task_id = $1',
      [BigInt((data as { task_id: number }).task_id)],
    );
    return { code, stored: (parseJson(row?.message ?? '{}') as { ext: unknown }).ext };
  }

  const nested = (depth: number): string => (depth === 0 ? '1' : `{"a":${nested(depth - 1)}}`);

  const rows: [name: string, ext: string, code: number][] = [
    ['a key __proto__', '{"__proto__":{"polluted":1}}', 10002],
    ['a nested key __proto__', '{"a":[{"__proto__":{"polluted":1}}]}', 10002],
    ['an escaped key __proto__', '{"\\u005f_proto__":{"polluted":1}}', 10002],
    ['constructor with a prototype', '{"constructor":{"prototype":{"polluted":1}}}', 10002],
    ['eight levels', nested(8), 200],
    ['nine levels', nested(9), 12009],
    ['a thousand levels', nested(1_000), 12009],
    ['4096 bytes', `{"a":"${'x'.repeat(4096 - 8)}"}`, 200],
    ['4097 bytes', `{"a":"${'x'.repeat(4097 - 8)}"}`, 12009],
    ['4097 bytes with fewer characters', `{"a":"${'界'.repeat(1364)}"}`, 12009],
    ['names of built-in object properties', '{"toString":1,"hasOwnProperty":2,"constructor":3,"valueOf":{"x":1}}', 200],
    ['a number outside the range of a double', '{"n":1e400}', 10002],
    ['integers beyond 2^53', '{"n":9007199254740993,"m":[-9223372036854775808,12345678901234567890]}', 200],
  ];

  for (const [name, ext, code] of rows)
    test(`${name}: ${code === 200 ? 'stored unchanged' : `rejected with ${code}`}`, async () => {
      const answer = await notify(ext);
      assert.equal(answer.code, code);
      if (code === 200) assert.deepEqual(answer.stored, parseJson(ext));
      assert.equal(({} as Record<string, unknown>).polluted, undefined);
    });

  test('stores every accepted JSON object unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }), async (ext) => {
        const text = JSON.stringify(ext);
        const { code, stored } = await notify(text);
        if (code !== 200) return;
        const blank = Object.keys(ext).length === 0;
        assert.deepEqual(stored, blank ? undefined : parseJson(text));
      }),
      { numRuns: 200 },
    );
  });
});
