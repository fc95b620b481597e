import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isForBrowsers, wordsOf } from '../../cli/program.ts';
import { browserName } from '../../console/src/pages/account/browser-name.ts';
import { countFilters, toAuditRequest, toAuditSearch } from '../../console/src/pages/audit/audit-search.ts';
import { detailText } from '../../console/src/pages/audit/detail-text.ts';
import { mergeResults } from '../../console/src/pages/audit/merge-results.ts';
import { isUrgent, orderCredentials } from '../../console/src/pages/credentials/credential-order.ts';
import { concernsOf, keyOf } from '../../console/src/pages/overview/attention.ts';
import { channelsToCheck, failuresIn, loadReports } from '../../console/src/pages/overview/failed-notifications.ts';
import { areOutdated, countsByChannel, countsByDay } from '../../console/src/pages/overview/history/daily-counts.ts';
import { isStarted } from '../../console/src/pages/overview/is-started.ts';
import { isFiltered, toListRequest, toTaskSearch } from '../../console/src/pages/tasks/task-search.ts';
import { commandOf, samplesOf } from '../../console/src/shared/code-samples.ts';
import { toCsv } from '../../console/src/shared/csv.ts';
import { lastDays, localDayOf, startOfDay } from '../../console/src/shared/days.ts';
import { partsOf } from '../../console/src/shared/explanation-parts.ts';
import { relativeTimeIn } from '../../console/src/shared/relative-time.ts';
import { onTick } from '../../console/src/shared/tick.ts';
import {
  Carillon,
  type Certificate,
  type Channel,
  operations,
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
  usage: [],
  resets_at: null,
  per_second: null,
  throttled_at: BigInt(NOW_MS - DAY_MS),
  last_response: null,
  last_receipt_at: null,
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

  test('separate the concerns of production and development, and of the quotas of vivo', () => {
    const until = BigInt(NOW_MS + DAY_MS);
    const development = { ...healthy, environment: 0 };
    const spent = ['system', 'operational'].map((messageClass) => ({ class: messageClass, until }));
    const concerns = concernsOf(
      [
        { ...healthy, provider: 5, spent },
        { ...development, provider: 5, spent },
        { ...healthy, provider: 7, expire: BigInt(NOW_MS) },
        { ...development, provider: 7, expire: BigInt(NOW_MS) },
        { ...development, provider: 3, open: false, closed_at: BigInt(NOW_MS) },
      ],
      NOW_MS,
    );
    assert.equal(new Set(concerns.map(keyOf)).size, 7);
    assert.deepEqual(concerns.filter(({ channel }) => channel !== 'vivo').map(keyOf), [
      'paused xiaomi 0',
      'expired fcm 1',
      'expired fcm 0',
    ]);
    assert.deepEqual(
      concerns.find(({ kind }) => kind === 'quota'),
      {
        ...{ kind: 'quota', channel: 'vivo', environment: 1, messageClass: 'system', atMs: until },
      },
    );
  });

  test('list the failures of a channel whose development credentials alone are paused', () => {
    const failures = [{ kind: 'failures', channel: 'oppo', target: 500n, failed: 500n }] as const;
    const production = { ...healthy, provider: 6 };
    const paused = { open: false, closed_at: BigInt(NOW_MS) };
    const kindsOf = (channels: readonly Channel[]) => concernsOf(channels, NOW_MS, failures).map(({ kind }) => kind);
    assert.deepEqual(kindsOf([production, { ...production, ...paused, environment: 0 }]), ['paused', 'failures']);
    assert.deepEqual(
      kindsOf([
        { ...production, ...paused },
        { ...production, environment: 0 },
      ]),
      ['paused'],
    );
    assert.deepEqual(kindsOf([{ ...production, ...paused, environment: 0 }]), ['paused']);
  });

  test('check the tasks of a vendor channel with many notifications that were not sent in two days', () => {
    const count = (channel: string, target: bigint, sent: bigint) => ({ channel, target, sent });
    const counts = [
      count('huawei', 60n, 40n),
      count('huawei', 60n, 50n),
      count('fcm', 1_000n, 801n),
      count('vivo', 99n, 0n),
      count('nativepush', 500n, 0n),
    ];
    assert.deepEqual([...channelsToCheck(counts)], ['huawei']);
  });

  test('list a channel with many failures, not with notifications that wait or were cancelled', () => {
    const task = (channel: string, target: bigint, failures: Readonly<Record<string, bigint>> = {}) => ({
      channels: [
        { channel, target, failures: Object.entries(failures).map(([code, count]) => ({ code, detail: null, count })) },
      ],
    });
    const reports = [
      task('huawei', 100n, { refused: 15n, 'token-dead': 10n }),
      task('huawei', 20n),
      // Few of the notifications have failed. The others were not tried yet, or will be tried again.
      task('fcm', 10_000n, { 'token-dead': 150n, throttled: 5_000n }),
      task('honor', 10_000n, { refused: 10n, cancelled: 9_000n }),
      task('oppo', 500n, { expired: 500n }),
      // The counters contain no sign of a problem on this channel.
      task('vivo', 100n, { refused: 100n }),
    ] as unknown as PushTaskReportResponse[];
    const failures = failuresIn(new Set(['huawei', 'fcm', 'honor', 'oppo', 'xiaomi']), reports);
    assert.deepEqual(failures, [
      { kind: 'failures', channel: 'huawei', target: 120n, failed: 25n },
      { kind: 'failures', channel: 'oppo', target: 500n, failed: 500n },
    ]);
    const paused = { ...healthy, provider: 6, open: false, closed_at: BigInt(NOW_MS) };
    assert.deepEqual(
      concernsOf([healthy, paused], NOW_MS, failures).map(({ kind, channel }) => `${kind} ${channel}`),
      ['paused oppo', 'failures huawei'],
    );
  });

  test('load the reports of the tasks with the most unsent notifications', async () => {
    const calls: unknown[] = [];
    const list = Array.from({ length: 12 }, (_, index) => ({ task_id: index, target: index, sent: 0 }));
    list.push({ task_id: 99, target: 500, sent: 500 });
    const api = new Carillon({
      url: 'http://carillon.example',
      appId: 'bells',
      token: 'ca_test',
      fetch: async (url, init) => {
        const body = JSON.parse(String(init?.body)) as { task_id?: number };
        calls.push(body);
        const data = String(url).endsWith('/push/task/list') ? { list, next: null } : body;
        return Response.json({ code: 200, message: null, data });
      },
    });
    await loadReports(api, '2026-11-18');
    assert.deepEqual(calls, [
      { from: Date.UTC(2026, 10, 18), limit: 500, counts: true },
      ...[11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((task_id) => ({ task_id })),
    ]);
  });

  test('end the first steps without vendor credentials after a notification was received', () => {
    const waiting = { received: 0n };
    assert.ok(!isStarted([]));
    assert.ok(!isStarted([waiting, waiting, waiting, waiting]));
    assert.ok(isStarted([waiting, { received: 1n }]));
    // Older notifications are not in the list.
    assert.ok(isStarted([waiting, waiting, waiting, waiting, waiting]));
    // A database is unavailable.
    assert.ok(isStarted([{ received: null }]));
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
    assert.deepEqual(toAuditSearch({ installation: 'yes' }), {});
    assert.deepEqual(toAuditRequest(toAuditSearch({ installation: 'true' })), { installation: true });
    const oldest = toAuditSearch({ order: 'oldest', from: '102026-11-01' });
    assert.deepEqual([toAuditRequest(oldest), countFilters(oldest)], [{ order: 'oldest' }, 0]);
    assert.deepEqual(toAuditSearch({ order: 'newest' }), {});
  });

  test('read the filters and the order of the task list from the address', () => {
    const search = toTaskSearch({ order: 'oldest', state: 'held', audience: 'some', after: '7' });
    assert.deepEqual(search, { order: 'oldest', state: 'held', after: '7' });
    assert.deepEqual(toListRequest(search), { counts: true, order: 'oldest', state: 'held', after: 7n });
    assert.deepEqual(toListRequest(toTaskSearch({ order: 'newest' })), { counts: true });
    assert.deepEqual([search, { order: 'oldest', after: '7' } as const].map(isFiltered), [true, false]);
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

  test('report outdated counters, but not in an app that has nothing to count', () => {
    const counts = (counted_at: bigint | null, rows = 0) => ({ list: Array<unknown>(rows), counted_at });
    const old = BigInt(NOW_MS - 301_000);
    assert.deepEqual(
      [counts(null), counts(old)].flatMap((one) => [areOutdated(one, true, NOW_MS), areOutdated(one, false, NOW_MS)]),
      [true, false, true, false],
    );
    // The content of the tasks was deleted, but not their counters.
    assert.ok(areOutdated(counts(old, 1), false, NOW_MS));
    assert.ok(!areOutdated(counts(BigInt(NOW_MS - 299_000), 1), true, NOW_MS));
  });

  test('show the time since an event in its largest unit, and days as a number', () => {
    const [english, chinese] = [relativeTimeIn('en'), relativeTimeIn('zh')];
    const hours = (number: number) => NOW_MS - number * 60 * 60 * 1000;
    assert.deepEqual(
      [NOW_MS, NOW_MS - 59_999, hours(1), hours(47), hours(71), hours(-30)].map((ms) => english(ms, NOW_MS)),
      ['now', '59 seconds ago', '1 hour ago', '1 day ago', '2 days ago', 'in 1 day'],
    );
    assert.deepEqual(
      [hours(47), hours(71)].map((ms) => chinese(BigInt(ms), NOW_MS)),
      ['1天前', '2天前'],
    );
  });

  test('update relative times every 30 seconds with one timer, and only while they are shown', ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] });
    const calls: string[] = [];
    const ends = ['first', 'second'].map((name) => onTick(() => calls.push(name)));
    mock.timers.tick(30_000);
    assert.deepEqual(calls, ['first', 'second']);
    ends[0]?.();
    mock.timers.tick(30_000);
    ends[1]?.();
    mock.timers.tick(30_000);
    assert.deepEqual(calls, ['first', 'second', 'second']);
    // The first timer has ended, so the next one starts with its listener.
    mock.timers.tick(10_000);
    const end = onTick(() => calls.push('third'));
    mock.timers.tick(29_999);
    assert.equal(calls.at(-1), 'second');
    mock.timers.tick(1);
    end();
    assert.equal(calls.at(-1), 'third');
  });

  test('show the day of the time zone in which a day in UTC starts', () => {
    const { TZ } = process.env;
    try {
      for (const [zone, day] of [
        ['America/Los_Angeles', '2026-03-01'],
        ['Etc/UTC', '2026-03-02'],
        ['Asia/Shanghai', '2026-03-02'],
      ] as const) {
        process.env.TZ = zone;
        const ms = Date.parse('2026-03-02');
        assert.equal(localDayOf(ms), day);
        assert.ok(startOfDay(day) <= ms && ms < startOfDay(day, 1), zone);
      }
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
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
