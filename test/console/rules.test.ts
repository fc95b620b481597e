import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { emptyNotification, isComplete, toRequest } from '../../console/src/pages/compose/notification.ts';
import { concernsOf } from '../../console/src/pages/overview/attention.ts';
import { countsByChannel, countsByDay } from '../../console/src/pages/overview/history/daily-counts.ts';
import { funnelRows, obstaclesOf, percentOf, totalOf } from '../../console/src/pages/tasks/funnel-rows.ts';
import { rateOf } from '../../console/src/pages/tasks/sending-rate.ts';
import { samplesOf } from '../../console/src/shared/code-samples.ts';
import { toCsv } from '../../console/src/shared/csv.ts';
import { lastDays } from '../../console/src/shared/days.ts';
import type { Channel, PushStatistics, PushTaskReportResponse } from '../../sdk/src/index.ts';

const NOW_MS = 1_800_000_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;

describe('the rules of the console', () => {
  test('list a paused channel first, then expired credentials, a used-up quota, and credentials that expire soon', () => {
    const healthy: Channel = {
      provider: 1,
      environment: 1,
      name: '',
      expire: BigInt(NOW_MS + 31 * DAY_MS),
      open: true,
      reason: '',
      closed_at: null,
      probe_at: null,
      spent: [],
      per_second: null,
      throttled_at: BigInt(NOW_MS - DAY_MS),
      last_response: null,
    };
    const channels: Channel[] = [
      healthy,
      { ...healthy, provider: 2, expire: BigInt(NOW_MS + 29 * DAY_MS) },
      { ...healthy, provider: 5, spent: [{ class: 'system', until: BigInt(NOW_MS + DAY_MS) }] },
      { ...healthy, provider: 7, expire: BigInt(NOW_MS - 1) },
      { ...healthy, provider: 3, open: false, closed_at: BigInt(NOW_MS), reason: 'HTTP 503' },
    ];
    assert.deepEqual(
      concernsOf(channels, NOW_MS).map(({ kind, channel }) => `${kind} ${channel}`),
      ['paused xiaomi', 'expired fcm', 'quota vivo', 'expires huawei'],
    );
  });

  test('name a paused channel or a used-up quota on the bar of the channel', () => {
    const channels = [
      { provider: 1, open: true, spent: [] },
      { provider: 5, open: true, spent: [{}] },
      { provider: 8, open: false, spent: [{}] },
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
      { channel: 'apns', target: 5n, sent: 2n, received: 0n },
      { channel: 'harmony', target: 7n, sent: 7n, received: 6n },
    ];
    const rows = funnelRows(statistics, { channels } as unknown as PushTaskReportResponse);
    assert.deepEqual(rows, [channels[1], { channel: 'apns', target: 5n, sent: 4n, received: 1n }]);
    assert.deepEqual(totalOf(rows), { target: 12n, sent: 11n, received: 7n });
    assert.equal(percentOf(1n, 3n), 33.3);
    assert.equal(percentOf(0n, 0n), 0);
  });

  test('count every day of a range and the channels by size', () => {
    const row = { clicked: 0n, target: 9n };
    const rows = [
      { ...row, day: '2026-02-28', channel: 'apns', sent: 2n, received: 0n },
      { ...row, day: '2026-03-02', channel: 'apns', sent: 3n, received: 0n },
      { ...row, day: '2026-03-02', channel: 'huawei', sent: 7n, received: 6n },
    ];
    assert.deepEqual(countsByDay(rows, '2026-02-28', '2026-03-02'), [
      { day: '2026-02-28', sent: 2n, received: 0n },
      { day: '2026-03-01', sent: 0n, received: 0n },
      { day: '2026-03-02', sent: 10n, received: 6n },
    ]);
    assert.deepEqual(countsByChannel(rows), [
      { channel: 'huawei', sent: 7n, received: 6n },
      { channel: 'apns', sent: 5n, received: 0n },
    ]);
    assert.deepEqual(lastDays(7, Date.parse('2026-03-02T23:59:59Z')), { from: '2026-02-24', to: '2026-03-02' });
  });

  test('write CSV that a spreadsheet does not run', () => {
    const rows = [
      ['=1+1', 'a "quoted", text', null],
      ['行', -5, 12345678901234567890n],
    ];
    assert.equal(
      toCsv(['a', 'b', 'c'], rows),
      '\uFEFFa,b,c\r\n\'=1+1,"a ""quoted"", text",\r\n行,-5,12345678901234567890\r\n',
    );
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

  test('build a request with exact IDs and the idempotency key', () => {
    const id = '123456789012345678';
    const notification = { ...emptyNotification, audienceKind: 'user_id', values: [id], title: ' Hello ' } as const;
    assert.deepEqual(toRequest(notification, 'key'), {
      audience: { user_id: [BigInt(id)] },
      setting: { request_id: 'key' },
      message: { title: 'Hello' },
    });
    assert.ok(isComplete(notification));
    assert.ok(!isComplete({ ...notification, values: [] }));
    assert.ok(!isComplete({ ...notification, title: ' ' }));
  });

  test('show a call as curl, TypeScript and command, without losing digits or quotes', () => {
    const call = { path: '/push/task/report', request: { task_id: 123456789012345678n } } as const;
    const samples = samplesOf(call, 'https://push.example.com', 'bells');
    assert.match(samples.curl, /-d '\{"task_id":123456789012345678\}'$/);
    assert.match(samples.TypeScript, /carillon\.push\.task\.report\(\{\n {2}task_id: 123456789012345678n\n\}\)/);
    assert.match(samples.CLI, /^carillon task report \\\n.*--request '\{"task_id":123456789012345678\}'$/s);
    const quoted = samplesOf({ path: '/push/notify', request: { title: "It's" } }, 'https://x.example', 'bells');
    assert.match(quoted.curl, /-d '\{"title":"It'\\''s"\}'/);
    assert.match(samplesOf({ path: '/admin/channel/list', request: {} }, 'u', 'a').CLI, /^carillon channel list/);
  });
});
