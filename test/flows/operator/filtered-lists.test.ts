import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { placeStatus } from '#src/domain/slice.ts';
import { bucketOfTask, firstTaskIdAt } from '#src/domain/task.ts';
import { ensureHomePartitions } from '#src/storage/database/partitions.ts';
import { SCANNED_ROWS_MAX } from '#src/storage/database/scanned-pages.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';

interface Page {
  readonly list: readonly Readonly<Record<string, unknown>>[];
  readonly next: number | null;
}

describe('a filtered list', () => {
  let carillon: Carillon;
  let first: bigint;
  /** One more than a call reads, so that the oldest row is on a second page. */
  const rows = SCANNED_ROWS_MAX + 1;

  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 0, checksLaws: false });
    const { storage, appId } = carillon;
    first = firstTaskIdAt(new Date(Date.now() - 60_000));
    await storage.home.query(
      `insert into tasks (task_id, app_id, author, lane, state, strategy, ospush_sequence, audience, message, due_at,
                          not_after, next_at, token_kind, token_id)
       select $1::bigint + i, $2, 'admin', 'prompt', 'finished', 'combined', '{}',
              case i when 0 then '{"kind":"tag","names":["t"]}' else '{"kind":"all"}' end, '{"title":"x"}', now(), now(), now(),
              case i when 0 then 'operator' else 'admin' end, 7
         from generate_series(0, $3::int - 1) as i`,
      [first, appId, rows],
    );
    await storage.home.query(
      `insert into audit (app_id, token_id, token_name, operation, detail, address, operator_id)
       select $1, 1, 'x', case i when 0 then '/rare' else '/frequent' end, '{}', '',
              case i when 0 then 7 end
         from generate_series(0, $2::int - 1) as i
        order by i`,
      [appId, rows],
    );
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const read = async (path: string, body: object) => (await carillon.post<Page>(path, body)).data;

  for (const [path, filter] of [
    ['/push/task/list', { audience: 'tag' }],
    ['/push/task/list', { token_kind: 'operator', token_id: 7 }],
    ['/admin/audit/list', { operation: '/rare' }],
    ['/admin/audit/list', { operator_id: 7 }],
  ] as const) {
    test(`${path} by ${Object.keys(filter)} reads a limited number of rows per call, and continues at the last of them`, async () => {
      const page = await read(path, filter);
      assert.deepEqual(page.list, []);
      assert.notEqual(page.next, null);
      const rest = await read(path, { ...filter, after: page.next });
      assert.equal(rest.list.length, 1);
      assert.equal(rest.next, null);
    });

    test(`${path} by ${Object.keys(filter)} finds the row on the first page in the other order`, async () => {
      const { list, next } = await read(path, { ...filter, order: 'oldest' });
      assert.equal(list.length, 1);
      assert.notEqual(next, null);
    });
  }

  test('contains only tasks with devices that were not reached through the channel', async () => {
    const { storage, appId } = carillon;
    const insertSlice = (taskId: bigint, channel: string, sent: string, history: readonly string[]) =>
      storage.shards.dbFor(bucketOfTask(taskId)).query(
        `insert into slices (task_id, bucket, slice, app_id, channel, lane, n, state, next_at, status, sent, received, history)
         values ($1, $2, nextval('slice_numbers'), $3, $4, 'prompt', 2, 'closed', now(), $5, $6::varbit, '00', $7)`,
        [taskId, bucketOfTask(taskId), appId, channel, Buffer.alloc(2, placeStatus.failed), sent, history],
      );
    const [refused, sent, retried, otherChannel, dead] = [10n, 20n, 30n, 40n, 50n].map((n) => first + n) as [
      ...[bigint, bigint, bigint, bigint, bigint],
    ];
    await insertSlice(refused, 'apns', '10', ['1 accepted 0\ntoken-dead 1 BadDeviceToken']);
    await insertSlice(sent, 'apns', '11', ['1 accepted 0-1']);
    await insertSlice(retried, 'apns', '11', ['1 throttled 0-1 retry after 1 s', '2 accepted 0-1']);
    await insertSlice(otherChannel, 'fcm', '10', ['1 refused 1 INVALID_ARGUMENT']);
    await insertSlice(dead, 'apns', '00', ['1 token-dead 0-1']);
    const failedTasks = async (channel: string) => {
      const tasks: unknown[] = [];
      for (let after: number | null | undefined; after !== null; ) {
        const page: Page = await read('/push/task/list', { channel_failed: channel, order: 'oldest', limit: 1, after });
        tasks.push(...page.list.map(({ task_id }) => BigInt(task_id as number)));
        after = page.next;
      }
      return tasks;
    };
    assert.deepEqual(await failedTasks('apns'), [refused, dead]);
    assert.deepEqual(await failedTasks('fcm'), [otherChannel]);
    assert.deepEqual(await failedTasks('oppo'), []);
    const withText = await read('/push/task/list', { channel_failed: 'apns', text: 'X', order: 'oldest' });
    assert.deepEqual(
      withText.list.map(({ task_id, title }) => [BigInt(task_id as number), title]),
      [
        [refused, 'x'],
        [dead, 'x'],
      ],
    );
  });

  test('continues in older days', async () => {
    const { storage, appId } = carillon;
    const now = Date.now();
    const daysAgo = (days: number) => now - days * 86_400_000;
    await ensureHomePartitions(storage.home, 20);
    const taskIds = [19, 18, 15, 9, 6].map((days) => firstTaskIdAt(new Date(daysAgo(days))));
    await storage.home.query(
      `insert into tasks (task_id, app_id, author, lane, state, strategy, ospush_sequence, audience, message, due_at,
                          not_after, next_at)
       select id, $1, 'admin', 'prompt', 'finished', 'combined', '{}', '{"kind":"all"}', '{"title":"old"}', now(), now(), now()
         from unnest($2::bigint[]) as id`,
      [appId, taskIds],
    );
    const listed = async (filter: object) => {
      const pages: bigint[][] = [];
      for (let after: number | null | undefined; after !== null; ) {
        const { list, next }: Page = await read('/push/task/list', { ...filter, limit: 3, after });
        pages.push(list.map(({ task_id }) => BigInt(task_id as number)));
        after = next;
      }
      return pages;
    };
    const [a, b, c, d, e] = taskIds;
    const range = { from: daysAgo(20), to: daysAgo(5) };
    assert.deepEqual(await listed({ ...range, order: 'newest' }), [
      [e, d, c],
      [b, a],
    ]);
    assert.deepEqual(await listed({ ...range, order: 'oldest' }), [
      [a, b, c],
      [d, e],
    ]);
  });
});
