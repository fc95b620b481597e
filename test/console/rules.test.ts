import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isForBrowsers, wordsOf } from '../../cli/program.ts';
import { browserName } from '../../console/src/pages/account/browser-name.ts';
import { toAuditRequest, toAuditSearch } from '../../console/src/pages/audit/audit-search.ts';
import { detailText } from '../../console/src/pages/audit/detail-text.ts';
import { mergeResults } from '../../console/src/pages/audit/merge-results.ts';
import {
  emptyNotification,
  isComplete,
  isMessageJson,
  toRequest,
} from '../../console/src/pages/compose/notification.ts';
import { isUrgent, orderCredentials } from '../../console/src/pages/credentials/credential-order.ts';
import { concernsOf } from '../../console/src/pages/overview/attention.ts';
import { countsByChannel, countsByDay } from '../../console/src/pages/overview/history/daily-counts.ts';
import { reasonsOf } from '../../console/src/pages/tasks/failure-reasons.ts';
import { funnelRows, obstaclesOf, percentOf, totalOf } from '../../console/src/pages/tasks/funnel-rows.ts';
import { rateOf } from '../../console/src/pages/tasks/sending-rate.ts';
import { commandOf, samplesOf } from '../../console/src/shared/code-samples.ts';
import { toCsv } from '../../console/src/shared/csv.ts';
import { lastDays } from '../../console/src/shared/days.ts';
import { partsOf } from '../../console/src/shared/explanation-parts.ts';
import {
  Carillon,
  type Certificate,
  type Channel,
  operations,
  type PushStatistics,
  type PushTaskReportResponse,
} from '../../sdk/src/index.ts';

const NOW_MS = 1_800_000_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A channel on which nothing has to be done. */
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

describe('the rules of the console', () => {
  test('list a paused channel first, then expired credentials, a used-up quota, and credentials that expire soon', () => {
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

  test('list a vendor channel with many failures in two days, unless it is paused', () => {
    const count = (channel: string, target: bigint, sent: bigint) => ({ channel, target, sent });
    const counts = [
      count('huawei', 60n, 40n),
      count('huawei', 60n, 50n),
      count('fcm', 1_000n, 801n),
      count('vivo', 99n, 0n),
      count('oppo', 500n, 0n),
      count('nativepush', 500n, 0n),
    ];
    const paused = { ...healthy, provider: 6, open: false, closed_at: BigInt(NOW_MS) };
    assert.deepEqual(concernsOf([healthy, paused], NOW_MS, counts).slice(1), [
      { kind: 'failures', channel: 'huawei', target: 120n, failed: 30n },
    ]);
    assert.equal(concernsOf([healthy, paused], NOW_MS, counts)[0]?.kind, 'paused');
  });

  test('show a call that creates an object as one entry of the audit log', () => {
    const entry = (audit_id: bigint, result_of: bigint | null, detail: string) => ({ audit_id, result_of, detail });
    const rows = [
      entry(9n, 8n, '{"name":"a","token_id":3}'),
      entry(8n, null, '{"name":"a"}'),
      entry(7n, null, '{}'),
      // The call of this result is on the next page.
      entry(6n, 5n, '{"group_id":2}'),
    ];
    assert.deepEqual(mergeResults(rows), [entry(8n, null, '{"name":"a","token_id":3}'), rows[2], rows[3]]);
  });

  test('read the filters of the audit log from the address, with whole days', () => {
    const search = toAuditSearch({ operation: '/admin/', text: '', from: '2026-11-01', to: 'today', after: '7' });
    assert.deepEqual(search, { operation: '/admin/', from: '2026-11-01', after: '7' });
    assert.deepEqual(toAuditRequest({ ...search, to: '2026-11-01' }), {
      operation: '/admin/',
      from: BigInt(new Date(2026, 10, 1).getTime()),
      to: BigInt(new Date(2026, 10, 2).getTime()),
      after: 7n,
    });
  });

  test('group the failures of a task by reason, with the most frequent first', () => {
    const failure = (code: string, detail: string | null, count: bigint) => ({ code, detail, count });
    const channels = [
      { channel: 'oppo', failures: [failure('locked-out', '11', 100n)] },
      { channel: 'fcm', failures: [failure('token-dead', 'UNREGISTERED', 60n)] },
      { channel: 'apns', failures: [failure('token-dead', 'Unregistered', 92n), failure('expired', null, 1n)] },
    ] as unknown as PushTaskReportResponse['channels'];
    assert.deepEqual(reasonsOf(channels), [
      {
        code: 'token-dead',
        count: 152n,
        channels: [
          { channel: 'apns', detail: 'Unregistered', count: 92n },
          { channel: 'fcm', detail: 'UNREGISTERED', count: 60n },
        ],
      },
      { code: 'locked-out', count: 100n, channels: [{ channel: 'oppo', detail: '11', count: 100n }] },
      { code: 'expired', count: 1n, channels: [{ channel: 'apns', detail: null, count: 1n }] },
    ]);
  });

  test('find the names and the times in an explanation', () => {
    const text = 'FCM accepted it at 2026-11-18T09:00:01.5Z. Call `/device/bind`';
    assert.deepEqual(partsOf(text), [
      { kind: 'text', text: 'FCM accepted it at ' },
      { kind: 'time', text: '2026-11-18T09:00:01.5Z' },
      { kind: 'text', text: '. Call ' },
      { kind: 'code', text: '/device/bind' },
    ]);
    assert.deepEqual(partsOf('OPPO'), [{ kind: 'text', text: 'OPPO' }]);
  });

  test('order credentials by urgency in each environment, and keep the order of the others', () => {
    const channels: Channel[] = [
      { ...healthy, provider: 7, throttled_at: BigInt(NOW_MS) },
      { ...healthy, provider: 2, expire: BigInt(NOW_MS + DAY_MS) },
      { ...healthy, provider: 3, open: false, closed_at: BigInt(NOW_MS) },
      { ...healthy, provider: 1, environment: 0 },
      { ...healthy, provider: 7, environment: 0, expire: BigInt(NOW_MS - 1) },
    ];
    const certificates = [{ ...healthy, provider: 8 }, ...channels] as unknown as Certificate[];
    const { production, development } = orderCredentials(certificates, channels, NOW_MS);
    const shown = (list: typeof production) =>
      list.map((credential) => `${credential.certificate.provider}${isUrgent(credential) ? '!' : ''}`);
    assert.deepEqual(shown(production), ['3!', '2!', '8', '7']);
    assert.deepEqual(shown(development), ['7!', '1']);
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

  test('name the browser and the system of a user agent', () => {
    const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
    const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
    const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
    const names = {
      [`${windows} ${webkit} Chrome/142.0.0.0 Safari/537.36`]: 'Chrome on Windows',
      [`${windows} ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`]: 'Edge on Windows',
      'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0': 'Firefox on Linux',
      [`${iphone} Version/18.1 Mobile/15E148 Safari/604.1`]: 'Safari on iPhone',
      [`${iphone} CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1`]: 'Chrome on iPhone',
      [`${iphone} Mobile/15E148 MicroMessenger/8.0.50 NetType/WIFI Language/zh_CN`]: 'WeChat on iPhone',
      [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`]: 'Chrome on Android',
      [`Mozilla/5.0 (Phone; OpenHarmony 5.0) ${webkit} Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1 HuaweiBrowser/5.1`]:
        'Huawei Browser on HarmonyOS',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15':
        'Safari on macOS',
      'carillon-cli': 'carillon CLI on undefined',
      node: 'Node.js on undefined',
      'Something/1.0': 'undefined on undefined',
    };
    for (const [userAgent, name] of Object.entries(names)) {
      const { browser, system } = browserName(userAgent);
      assert.equal(`${browser} on ${system}`, name);
    }
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

  test('build a request with an image, an expiry, and fields that are entered as JSON', () => {
    const notification = {
      ...emptyNotification,
      title: 'Hello',
      badge: '+2',
      imageUrl: 'https://example.com/a.png ',
      end: '2026-11-20T10:00',
      more: '{"ext": {"order": 123456789012345678}, "android": {"channel_id": "orders"}}',
    };
    assert.deepEqual(toRequest(notification).message, {
      title: 'Hello',
      type: 'image',
      attachment_url: 'https://example.com/a.png',
      badge: '+2',
      show_end_time: BigInt(new Date(2026, 10, 20, 10).getTime() / 1000),
      ext: { order: 123456789012345678n },
      android: { channel_id: 'orders' },
    });
    assert.deepEqual(['', ' ', '{}', '[]', '{', '1', 'null'].filter(isMessageJson), ['', ' ', '{}']);
  });

  test('show the recorded fields of a call without the syntax of JSON', () => {
    assert.equal(
      detailText('{"name":"orders","scopes":["push","manage"],"id":123456789012345678,"days":null}'),
      'name: orders · scopes: push, manage · id: 123456789012345678 · days: null',
    );
    assert.equal(detailText('{}'), '');
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

  test('name an existing command and an existing method of the SDK for every call of a program', () => {
    const calls = Object.values(operations).filter((operation) => !isForBrowsers(operation));
    assert.ok(calls.length > 50);
    const client: unknown = new Carillon({ url: 'http://localhost', appId: 'demo' });
    for (const operation of calls) {
      assert.equal(commandOf(operation.path), wordsOf(operation).join(' '));
      const [, method = ''] = /await carillon\.([\w.]+)\(/.exec(
        samplesOf({ path: operation.path, request: {} }, 'u', 'a').TypeScript,
      ) as unknown as string[];
      const found = method.split('.').reduce((at, name) => (at as Record<string, unknown>)[name], client);
      assert.equal(typeof found, 'function', method);
    }
  });
});
