import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { notificationsRefreshMs, traceRefreshMs } from '../../console/src/pages/find/refresh.ts';
import { reasonsOf } from '../../console/src/pages/tasks/failure-reasons.ts';
import {
  funnelRows,
  isUnreported,
  obstaclesOf,
  percentOf,
  totalOf,
} from '../../console/src/pages/tasks/funnel-rows.ts';
import { countersRefreshMs, stateRefreshMs } from '../../console/src/pages/tasks/refresh.ts';
import { rateOf } from '../../console/src/pages/tasks/sending-rate.ts';
import { CSV_CALLS_MAX, CSV_TASKS_MAX, listTasks } from '../../console/src/pages/tasks/task-csv.ts';
import { adjustClock, serverNow } from '../../console/src/shared/server-clock.ts';
import { Carillon, type Channel, type PushStatistics, type PushTaskReportResponse } from '../../sdk/src/index.ts';

const NOW_MS = 1_800_000_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;

describe('the page of a task', () => {
  test('group the failures of a task by reason, with the most frequent first', () => {
    const failure = (code: string, detail: string | null, count: bigint, push_token: string | null = null) => ({
      ...{ code, detail, count, push_token },
    });
    const channels = [
      { channel: 'oppo', failures: [failure('locked-out', '11', 100n)] },
      { channel: 'fcm', failures: [failure('token-dead', 'UNREGISTERED', 60n, 'p0')] },
      { channel: 'apns', failures: [failure('token-dead', 'Unregistered', 92n), failure('expired', null, 1n)] },
    ] as unknown as PushTaskReportResponse['channels'];
    assert.deepEqual(reasonsOf(channels), [
      {
        code: 'token-dead',
        count: 152n,
        channels: [
          { channel: 'apns', detail: 'Unregistered', count: 92n, example: null },
          { channel: 'fcm', detail: 'UNREGISTERED', count: 60n, example: 'p0' },
        ],
      },
      { code: 'locked-out', count: 100n, channels: [{ channel: 'oppo', detail: '11', count: 100n, example: null }] },
      { code: 'expired', count: 1n, channels: [{ channel: 'apns', detail: null, count: 1n, example: null }] },
    ]);
  });

  test('name a paused channel or a used-up quota on the bar of the channel', () => {
    const channels = [
      { provider: 1, environment: 1, open: true, spent: [] },
      // Pushes of production do not use these credentials.
      { provider: 1, environment: 0, open: false, spent: [] },
      { provider: 5, environment: 1, open: true, spent: [{}] },
      { provider: 8, environment: 0, open: false, spent: [{}] },
    ] as unknown as Channel[];
    assert.deepEqual(
      [...obstaclesOf(channels)],
      [
        ['vivo', 'quota'],
        ['honor', 'paused'],
      ],
    );
  });

  test('combine live counters with the report, which has more channels', () => {
    const statistics = { apns_target: 5n, apns_sent: 4n, apns_received: 1n, fcm_target: 0n } as PushStatistics;
    const channels = [
      { channel: 'apns', target: 5n, sent: 2n, received: 0n, clicked: 1n },
      { channel: 'harmony', target: 7n, sent: 7n, received: 6n, clicked: 0n },
    ];
    const rows = funnelRows(statistics, { channels } as unknown as PushTaskReportResponse);
    assert.deepEqual(rows, [channels[1], { channel: 'apns', target: 5n, sent: 4n, received: 1n, clicked: 1n }]);
    assert.deepEqual(totalOf(rows), { target: 12n, sent: 11n, received: 7n });
    assert.equal(percentOf(1n, 3n), 33.3);
    assert.equal(percentOf(0n, 0n), 0);
  });

  test('load a task every second only shortly before it starts and while it is sent', () => {
    const inMs = (ms: number) => BigInt(NOW_MS + ms);
    const held = (dueInMs: number) => stateRefreshMs({ state: 'held', due_at: inMs(dueInMs) }, NOW_MS);
    assert.deepEqual([30_000, 7 * DAY_MS].map(held), [1_000, 5_000]);
    assert.equal(stateRefreshMs({ state: 'sending', due_at: inMs(-1) }, NOW_MS), 5_000);
    assert.equal(stateRefreshMs({ state: 'finished', due_at: inMs(-1) }, NOW_MS), false);

    const started = { due_at: inMs(-60_000), cancelled_at: null };
    const progress = { sent: 9n, received: 4n, isWaiting: false };
    const refresh = (task: Partial<Parameters<typeof countersRefreshMs>[0]>, changed: Partial<typeof progress> = {}) =>
      countersRefreshMs({ state: 'finished', ...started, ...task }, { ...progress, ...changed }, NOW_MS);
    assert.equal(refresh({ state: 'sending' }), 1_000);
    assert.equal(refresh({ state: 'sending' }, { isWaiting: true }), 5_000);
    assert.equal(refresh({ state: 'held', due_at: inMs(DAY_MS) }), false);
    // Vendors send receipts after the end.
    assert.equal(refresh({}), 5_000);
    assert.equal(refresh({}, { received: 9n }), false);
    assert.equal(refresh({ due_at: inMs(-2 * DAY_MS) }), false);
    // Requests in progress still count for a few seconds.
    const cancelled = (ms: number) => refresh({ state: 'cancelled', cancelled_at: inMs(-ms) }, { sent: 4n });
    assert.deepEqual([5_000, 600_000].map(cancelled), [5_000, false]);
  });

  test('load the deliveries to a device more slowly when nothing happens, and not after a day', () => {
    const refresh = (state: 'open' | 'sent' | 'acknowledged', ...agesMs: number[]) =>
      traceRefreshMs([{ state, attempts: agesMs.map((ms) => ({ at: BigInt(NOW_MS - ms) })) }], NOW_MS);
    assert.equal(refresh('open'), 2_000);
    assert.equal(refresh('open', 2 * DAY_MS, 5_000), 2_000);
    // The notification waits in the inbox.
    assert.equal(refresh('open', 2 * DAY_MS), 10_000);
    assert.equal(refresh('sent', 5_000), 10_000);
    assert.equal(refresh('sent', 2 * DAY_MS), false);
    assert.equal(refresh('acknowledged', 5_000), false);
    assert.equal(traceRefreshMs([], NOW_MS), false);

    const list = (state: 'open' | 'sent' | 'ended', ageMs: number, isFirstPage = true) =>
      notificationsRefreshMs([{ state, accepted_at: BigInt(NOW_MS - ageMs) }], isFirstPage, NOW_MS);
    assert.deepEqual([list('open', 2 * DAY_MS), list('sent', 5_000, false)], [10_000, 10_000]);
    // A new notification can appear on the first page.
    assert.deepEqual([list('sent', 2 * DAY_MS), list('ended', 5_000)], [60_000, 60_000]);
    assert.deepEqual([list('sent', 2 * DAY_MS, false), list('ended', 5_000, false)], [false, false]);
  });

  test('load the tasks of a file with a limited number of calls, and know whether it is complete', async () => {
    const load = async (perCall: number, pages: number) => {
      let calls = 0;
      const reported: number[] = [];
      const api = new Carillon({
        url: 'http://carillon.example',
        appId: 'bells',
        token: 'ca_test',
        fetch: async () => {
          const next = ++calls < pages ? calls : null;
          const data = { list: Array.from({ length: perCall }, () => ({})), next };
          return Response.json({ code: 200, message: null, data });
        },
      });
      const { tasks, isIncomplete } = await listTasks(api, {}, (rows) => reported.push(rows));
      return { calls, tasks: tasks.length, isIncomplete, reported: reported.at(-1) };
    };
    assert.deepEqual(await load(500, 2), { calls: 2, tasks: 1_000, isIncomplete: false, reported: 1_000 });
    const full = { calls: 20, tasks: CSV_TASKS_MAX, reported: CSV_TASKS_MAX };
    assert.deepEqual(await load(500, 20), { ...full, isIncomplete: false });
    assert.deepEqual(await load(500, 99), { ...full, isIncomplete: true });
    // Few tasks match the filters, so a call can return none.
    assert.deepEqual(await load(0, 99), { calls: CSV_CALLS_MAX, tasks: 0, isIncomplete: true, reported: 0 });
  });

  test('show no number of receipts if neither the vendor nor the app sends any', () => {
    const row = { sent: 5n, received: 0n };
    const channels = ['nativepush', 'apns', 'fcm', 'webpush', 'huawei', 'harmony'] as const;
    const unreported = channels.filter((channel) => isUnreported({ ...row, channel }));
    assert.deepEqual(unreported, ['apns', 'fcm', 'webpush']);
    assert.ok(!isUnreported({ ...row, channel: 'apns', received: 1n }));
    assert.ok(!isUnreported({ ...row, channel: 'apns', sent: 0n }));
  });

  test('use the clock of the server if that of the browser is wrong', () => {
    const aheadSeconds = () => Math.round((serverNow() - Date.now()) / 1_000);
    const adjust = (seconds: number) => adjustClock(new Date(Date.now() + seconds * 1_000).toUTCString());
    adjust(-1);
    adjustClock(null);
    assert.equal(aheadSeconds(), 0);
    adjust(600);
    assert.ok(Math.abs(aheadSeconds() - 600) <= 1);
    adjust(601);
    assert.ok(Math.abs(aheadSeconds() - 600) <= 1);
    // The operator corrects the clock of the browser.
    adjust(0);
    assert.ok(Math.abs(aheadSeconds()) <= 1);
  });

  test('measure the rate from the first and the last sample', () => {
    assert.equal(rateOf([{ atMs: 1000, sent: 0n }]), undefined);
    assert.equal(
      rateOf([
        { atMs: 1000, sent: 10n },
        { atMs: 3000, sent: 10n },
      ]),
      undefined,
    );
    assert.equal(
      rateOf([
        { atMs: 1000, sent: 10n },
        { atMs: 3000, sent: 50n },
      ]),
      20,
    );
  });
});
