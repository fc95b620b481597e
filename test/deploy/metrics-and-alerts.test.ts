import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { everyMetric } from '#src/bin/metrics.ts';
import { type MetricRow, metricRow } from '#src/foundation/metrics.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { findPromtool } from '../../scripts/stack/programs.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../support/carillon.ts';
import { connectDevice, connectSilentDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const declared = new Map<string, MetricRow>(
  Object.values(everyMetric)
    .flatMap((metrics) => Object.values(metrics))
    .map((metric) => [metricRow(metric).name, metricRow(metric)]),
);

interface Alert {
  readonly name: string;
  readonly text: string;
  readonly expr: string;
}

/**
 * Alerts, extracted by the indentation of the file. Each alert starts with its name, and its expression ends before
 * `for`.
 */
const alerts: readonly Alert[] = read('deploy/prometheus/alerts.yml')
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((body) => ({
    name: /^\w+/.exec(body)?.[0] ?? '',
    text: body,
    expr: /^ {8}expr: (.*?)^ {8}for:/ms.exec(body)?.[1] ?? '',
  }));

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly description?: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const panels: readonly Panel[] = globSync('deploy/grafana/dashboards/*.json', { cwd: root })
  .flatMap((file) => (JSON.parse(read(file)) as { panels: Panel[] }).panels)
  .filter(({ type }) => type !== 'row');

/** All Prometheus queries, each with the alert or panel that contains it. */
const queries: readonly (readonly [where: string, expr: string])[] = [
  ...alerts.map(({ name, expr }) => [name, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

const namesIn = (expr: string): string[] =>
  [...expr.matchAll(/\b(?:carillon|nodejs|process)_\w+/g)].map(([name]) => name);
/** Returns the name of the metric. Histograms are queried by the names of their parts. */
const baseOf = (name: string): string => (declared.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));

describe('metrics after four notifications: acknowledged, sent through a vendor, sent through a vendor after a missing acknowledgement, and delivered from the inbox', () => {
  let carillon: Carillon;
  /** Metrics text of each role after the notifications. */
  const metricsByRole = new Map<string, string>();

  before(async () => {
    carillon = await startCarillon({ settings: { CARILLON_ACKNOWLEDGE_SECONDS: '2' } });
    const [gateway] = carillon.gateways as [RoleProcess];
    const online = await newPhone('online');
    await using device = await connectDevice(gateway, online.login);
    const offline = await newPhone('offline', 'live-offline');
    await arrives([online, offline], { nativepush: [1, 1, 1], apns: [1, 1, 0] });
    assert.equal(device.received.length, 1);

    const silent = await newPhone('silent', 'live-silent');
    using _ = await connectSilentDevice(gateway, silent.login);
    await arrives([silent], { nativepush: [1, 1, 0], apns: [1, 1, 0] });

    const dead = await newPhone('dead', 'dead-token');
    const taskId = await arrives([dead], { nativepush: [1, 0, 0], apns: [1, 0, 0] });
    await using late = await connectDevice(gateway, dead.login);
    await countersBecome(taskId, { nativepush: [1, 1, 1], apns: [1, 0, 0] });
    assert.equal(late.received.length, 1);

    await carillon.tryPost('/push/notify', { audience: 'nobody', message: { body: 'hello?' } });
    // Slices are closed a moment after their last receipt.
    await eventually(async () => {
      for (const { role, healthUrl } of [...carillon.apis, ...carillon.gateways, ...carillon.workers])
        metricsByRole.set(role, await (await fetch(`${healthUrl}/metrics`)).text());
      assert.match(
        metricsByRole.get('worker') ?? '',
        /^carillon_ended_total\{channel="nativepush",status="sent"\} 2$/m,
      );
    });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  interface Phone {
    readonly user: TestUser;
    readonly login: Login;
  }

  async function newPhone(name: string, apnsToken?: string): Promise<Phone> {
    const user = await carillon.createUser(name);
    const login = await carillon.logIn(user, `phone-of-${name}`);
    if (apnsToken !== undefined) {
      const binding = { provider: 1, token: apnsToken, environment: 1 };
      await carillon.post('/device/bind', binding, { token: login.token });
    }
    return { user, login };
  }

  const countersBecome = (taskId: bigint, wanted: Record<string, [number, number, number]>) =>
    eventually(async () => assert.deepEqual(await carillon.counters(taskId), wanted));

  async function arrives(phones: readonly Phone[], wanted: Record<string, [number, number, number]>): Promise<bigint> {
    const userIds = phones.map(({ user }) => user.userId);
    const taskId = await carillon.notify({ user_id: userIds }, { body: 'is it seen?' });
    await countersBecome(taskId, wanted);
    return taskId;
  }

  const stages: readonly (readonly [role: string, line: string])[] = [
    ['api', 'carillon_tasks_accepted_total{lane="prompt",repeated="false"} 3'],
    ['api', 'carillon_calls_refused_total{problem="bad-parameter"} 1'],
    ['api', 'carillon_accept_seconds_count 3'],
    ['worker', 'carillon_queue_seconds_count{lane="prompt"} 3'],
    ['worker', 'carillon_expand_seconds_count{lane="prompt"} 3'],
    ['worker', 'carillon_expanded_total{channel="nativepush"} 2'],
    ['worker', 'carillon_expanded_total{channel="apns"} 2'],
    ['worker', 'carillon_gateway_request_seconds_count 2'],
    ['worker', 'carillon_sent_total{channel="nativepush",outcome="written"} 2'],
    ['worker', 'carillon_sent_total{channel="apns",outcome="accepted"} 2'],
    ['worker', 'carillon_sent_total{channel="apns",outcome="token-dead"} 1'],
    ['worker', 'carillon_vendor_request_seconds_count{channel="apns"} 3'],
    ['worker', 'carillon_send_latency_seconds_count{channel="nativepush"} 2'],
    ['worker', 'carillon_send_latency_seconds_count{channel="apns"} 2'],
    ['worker', 'carillon_handed_over_total{channel="nativepush",to="apns"} 1'],
    ['worker', 'carillon_handed_over_total{channel="apns",to="nativepush"} 1'],
    ['worker', 'carillon_ended_total{channel="nativepush",status="fellBack"} 1'],
    ['worker', 'carillon_ended_total{channel="apns",status="sent"} 2'],
    ['worker', 'carillon_ended_total{channel="apns",status="dead"} 1'],
    ['worker', 'carillon_breakers_tripped{channel="apns",reason="locked-out"} 0'],
    ['worker', 'carillon_quotas_exhausted{channel="vivo"} 0'],
    ['worker', 'carillon_certificates_expiring{within="14d"} 0'],
    ['gateway', 'carillon_receipt_seconds_count 1'],
    ['gateway', 'carillon_end_to_end_seconds_count 1'],
    ['gateway', 'carillon_inbox_delivered_total 1'],
    ['gateway', 'carillon_received_total{channel="nativepush"} 2'],
  ];
  for (const [role, line] of stages)
    test(`${role} reports ${line}`, () => {
      assert.ok(metricsByRole.get(role)?.split('\n').includes(line), missingLineMessage(metricsByRole.get(role), line));
    });

  test('worker reports the backlog age of each lane', () => {
    for (const lane of ['prompt', 'bulk'])
      assert.match(
        metricsByRole.get('worker') ?? '',
        new RegExp(`^carillon_backlog_seconds\\{lane="${lane}"\\} [\\d.]+$`, 'm'),
      );
  });

  for (const role of ['api', 'gateway', 'worker'])
    test(`${role} reports every declared metric and no other Carillon metric, in a format that promtool accepts`, async () => {
      const lines = (metricsByRole.get(role) ?? '').split('\n');
      const typed = lines.flatMap((line) => /^# TYPE (carillon_\w+) (\w+)$/.exec(line)?.slice(1).join(' ') ?? []);
      assert.deepEqual(typed.sort(), [...declared.values()].map(({ name, type }) => `${name} ${type}`).sort());
      for (const name of ['carillon_ready', 'carillon_nats_connected', `carillon_role{role="${role}"}`])
        assert.ok(lines.includes(`${name} 1`), name);
      assert.ok(lines.some((line) => /^carillon_database_query_seconds_count\{database="home"\} [1-9]/.test(line)));
      // The names of Node's own metrics are not chosen by Carillon.
      const ours = lines.filter((line) => /^(# (HELP|TYPE) )?carillon_/.test(line)).join('\n');
      assert.deepEqual(await promtool(['check', 'metrics'], `${ours}\n`), { code: 0, out: '' });
    });

  test('every metric in an alert or a dashboard is reported by a role', () => {
    const declaredNames = new Set(
      [...metricsByRole.values()].flatMap((text) => [...text.matchAll(/^(?:# TYPE )?(\w+)/gm)].map(([, name]) => name)),
    );
    assert.ok(queries.length > 50, `${queries.length} queries`);
    const missing = queries.flatMap(([where, expr]) =>
      namesIn(expr)
        .filter((name) => !declaredNames.has(name) && !declaredNames.has(baseOf(name)))
        .map((name) => `${where}: ${name}`),
    );
    assert.deepEqual(missing, []);
  });
});

const missingLineMessage = (text = '', line: string): string => {
  const [name] = line.split(/[{ ]/);
  return `there is only:\n${text
    .split('\n')
    .filter((other) => other.startsWith(name as string))
    .join('\n')}`;
};

describe('alerts', () => {
  test('pass promtool check rules', async () => {
    const checked = await promtool(['check', 'rules', 'deploy/prometheus/alerts.yml']);
    assert.equal(checked.code, 0, checked.out);
    assert.match(checked.out, new RegExp(`SUCCESS: ${alerts.length} rules found`));
  });

  test('are loaded by a Prometheus configuration that passes promtool check config', async () => {
    const checked = await promtool(['check', 'config', 'deploy/prometheus/prometheus.yml']);
    assert.equal(checked.code, 0, checked.out);
  });

  test('fire under the conditions in alerts.test.yml, and only then', async () => {
    const tested = await promtool(['test', 'rules', 'deploy/prometheus/alerts.test.yml']);
    assert.equal(tested.code, 0, tested.out);
  });

  test('have a summary, a description, a first step and a runbook section that names them', () => {
    const sections = new Map(
      read('docs/operate/alerts.md')
        .split(/^## /m)
        .slice(1)
        .map((section) => [anchorOf(section.split('\n')[0] as string), section]),
    );
    const wrong = alerts.filter(({ name, text: body }) => {
      const anchor = /^ {10}runbook: .{20,} docs\/operate\/alerts\.md#([\w-]+)$/m.exec(body)?.[1] ?? '';
      const isDescribed = ['summary', 'description'].every((key) =>
        new RegExp(`^ {10}${key}: .{20,}$`, 'm').test(body),
      );
      return !isDescribed || !sections.get(anchor)?.includes(`\`${name}\``);
    });
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    );
    const named = [...read('docs/operate/alerts.md').matchAll(/`(Carillon\w+)`/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(named)].sort(), alerts.map(({ name }) => name).sort());
  });

  test('are listed with their severity in docs/operate/monitoring.md', () => {
    const listed = [...read('docs/operate/monitoring.md').matchAll(/^\| `(Carillon\w+)` \| (\w+) \|/gm)];
    assert.deepEqual(
      listed.map(([, name, severity]) => `${name}: ${severity}`).sort(),
      alerts.map(({ name, text: body }) => `${name}: ${/severity: (\w+)/.exec(body)?.[1]}`).sort(),
    );
  });

  const anchorOf = (title: string): string =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-');
});

describe('Prometheus queries', () => {
  test('use only labels that the metrics have', () => {
    const always = ['job', 'instance', 'le'];
    const wrong = queries.flatMap(([where, expr]) => {
      const labels = new Set([...always, ...namesIn(expr).flatMap((name) => declared.get(baseOf(name))?.labels ?? [])]);
      return labelsIn(expr)
        .filter((label) => !labels.has(label))
        .map((label) => `${where}: ${label}`);
    });
    assert.deepEqual(wrong, []);
  });

  test('every panel has a description', () => {
    assert.ok(panels.length > 25, `${panels.length} panels`);
    assert.deepEqual(
      panels.filter(({ description = '' }) => description.length < 5).map(({ title }) => title),
      [],
    );
  });

  function labelsIn(expr: string): string[] {
    const matched = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner]) =>
      [...(inner as string).matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label as string),
    );
    const grouped = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, inner]) =>
      (inner as string).split(', '),
    );
    return [...matched, ...grouped];
  }
});

const PROMTOOL_MS_MAX = 60_000;

async function promtool(args: readonly string[], input = ''): Promise<{ code: number; out: string }> {
  const child = spawn(findPromtool(), args, { cwd: root, timeout: PROMTOOL_MS_MAX });
  child.stdin.end(input);
  const [out, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number, out: out + complaints };
}
