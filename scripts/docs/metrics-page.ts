import { everyMetric } from '#src/bin/metrics.ts';
import { metricRow } from '#src/foundation/metrics.ts';

/** Returns `docs/metrics.md`, generated from the declarations. */
export function metricsPage(): string {
  const titles = {
    process: 'Every process',
    storage: 'PostgreSQL (every process)',
    signals: 'NATS (every process)',
    api: 'Accept (role api)',
    worker: 'Expand and send (role worker)',
    vendors: 'Vendors (role worker)',
    gateway: 'Own channel (role gateway)',
    receipts: 'Receipts (roles gateway and api)',
  } as const satisfies Record<keyof typeof everyMetric, string>;
  const sections = Object.entries(everyMetric).map(
    ([name, metrics]) => `## ${titles[name as keyof typeof titles]}\n\n${tableOf(Object.values(metrics))}\n`,
  );
  return `# Metrics

Every process tells its metrics at \`/metrics\`, on the port of \`CARILLON_HEALTH_PORT\`, in the text form of Prometheus. They are
named after the path of a notification: accepted, expanded, sent, received. A name ends in its unit; a counter ends in \`_total\`
and begins at zero when the process starts. Labels have few values: a channel, a lane, an outcome, and never an app, a person,
a device or a token. What must be exact, per app and task, is in the statistics (\`/push/task/detail\`), not here.

A process declares the metrics of every role and fills those of its own: add them up over all processes, except where it says
that every worker tells the same: there take the maximum.

The dashboards in \`deploy/grafana\` and the alerts in \`deploy/prometheus\` are made of these, together with those that Node tells
of itself (\`nodejs_eventloop_lag_p99_seconds\`: a process is held up; \`process_resident_memory_bytes\`: its memory;
\`process_start_time_seconds\`: when it started; \`process_cpu_seconds_total\`: 1 a second is a whole core). What to do when an alert
rings: [runbook.md](runbook.md). This page is made by \`npm run docs\`; a test holds it equal to the code.

${sections.join('\n')}`;
}

function tableOf(metrics: readonly object[]): string {
  const lines = metrics.map(metricRow).map(({ name, type, labels, help, troubleshooting }) => {
    const labelled = labels.map((label) => `\`${label}\``).join(' ');
    return `| \`${name}\` | ${type} | ${labelled} | ${help} | ${troubleshooting} |`;
  });
  return ['| Metric | Type | Labels | What it means | When it looks odd |', '|---|---|---|---|---|', ...lines].join(
    '\n',
  );
}
