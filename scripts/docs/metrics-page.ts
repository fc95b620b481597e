import { everyMetric } from '#src/bin/metrics.ts';
import { metricRow } from '#src/foundation/metrics.ts';

/** Returns `docs/reference/metrics.md`, generated from the declarations. */
export function metricsPage(): string {
  const titles = {
    process: 'All processes',
    storage: 'PostgreSQL (all processes)',
    signals: 'NATS (all processes)',
    api: 'Accept notifications (role api)',
    worker: 'Expand and send notifications (role worker)',
    vendors: 'Vendors (role worker)',
    gateway: 'Carillon channel (role gateway)',
    receipts: 'Receipts (roles gateway and api)',
  } as const satisfies Record<keyof typeof everyMetric, string>;
  const sections = Object.entries(everyMetric).map(
    ([name, metrics]) => `## ${titles[name as keyof typeof titles]}\n\n${tableOf(Object.values(metrics))}\n`,
  );
  return `# Metrics

This page lists all metrics of Carillon, and the usual cause if a value is unusual. Every process serves its metrics in
the Prometheus text format at \`/metrics\`, on the port in \`CARILLON_HEALTH_PORT\`.

- **Names:** the names follow the path of a notification: accepted, expanded, sent, received. The name of a duration ends
  in \`_seconds\`. The name of a counter ends in \`_total\`.
- **Counters:** a counter starts at 0 when its process starts.
- **Labels:** a label has few values, such as a channel, a lane or an outcome. No label contains an app, a user, a device
  or a token. For exact numbers of a task, use [\`/push/task/detail\`](http/push.md#pushtaskdetail).
- **Roles:** every process declares all metrics, but sets only those of its roles.
- **Several processes:** add up the values of all processes. If every worker reports the same value, use the maximum
  instead.

The dashboards in \`deploy/grafana\` and the alerts in \`deploy/prometheus\` use these metrics, and the following metrics of
Node.js:

| Metric | Meaning |
|---|---|
| \`process_resident_memory_bytes\` | memory |
| \`process_start_time_seconds\` | start time of the process |
| \`process_cpu_seconds_total\` | CPU time; an increase of 1 per second is one full core |

The [alert runbook](../operate/alerts.md) explains each alert. This page is generated from the code with
\`npm run docs\`, and a test compares it with the code.

${sections.join('\n')}`;
}

function tableOf(metrics: readonly object[]): string {
  const lines = metrics.map(metricRow).map(({ name, type, labels, help, troubleshooting }) => {
    const labelled = labels.map((label) => `\`${label}\``).join(' ');
    return `| \`${name}\` | ${type} | ${labelled} | ${help} | ${troubleshooting} |`;
  });
  return ['| Metric | Type | Labels | Meaning | Troubleshooting |', '|---|---|---|---|---|', ...lines].join('\n');
}
