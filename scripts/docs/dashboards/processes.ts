import type { Dashboard } from './panel.ts';
import { JOB_FILTER, quantiles, rate } from './queries.ts';

export const processesDashboard: Dashboard = {
  uid: 'carillon-processes',
  title: 'Carillon: processes',
  description: 'What each process does and what it stands on: devices, event loop, memory, PostgreSQL, NATS.',
  rows: [
    {
      title: 'Processes',
      panels: [
        {
          title: 'Processes by role',
          description: 'How many processes have each role.',
          type: 'stat',
          unit: 'short',
          targets: [{ expr: `sum by (role) (carillon_role{${JOB_FILTER}})`, legend: '{{role}}' }],
        },
        {
          title: 'Ready',
          description: '1: it can do its work, as its `/readyz` says.',
          unit: 'short',
          targets: [{ expr: `carillon_ready{${JOB_FILTER}}`, legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Running since',
          description: 'A line that falls to zero is a process that was started anew.',
          unit: 's',
          targets: [{ expr: `time() - process_start_time_seconds{${JOB_FILTER}}`, legend: '{{job}} {{instance}}' }],
        },
      ],
    },
    {
      title: 'What they use',
      panels: [
        {
          title: 'Event-loop delay, 99th percentile',
          description:
            'How late a process comes to what it has to do. Above a tenth of a second devices and callers notice.',
          unit: 's',
          targets: [{ expr: `nodejs_eventloop_lag_p99_seconds{${JOB_FILTER}}`, legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Processor',
          description: 'Cores in use. A process has one for its work, and a little more for memory and passwords.',
          unit: 'short',
          targets: [
            {
              expr: `rate(process_cpu_seconds_total{${JOB_FILTER}}[$__rate_interval])`,
              legend: '{{job}} {{instance}}',
            },
          ],
        },
        {
          title: 'Memory',
          description: 'Resident memory. A gateway needs some kilobytes for each device.',
          unit: 'bytes',
          targets: [{ expr: `process_resident_memory_bytes{${JOB_FILTER}}`, legend: '{{job}} {{instance}}' }],
        },
      ],
    },
    {
      title: 'Devices',
      panels: [
        {
          title: 'Sessions',
          description: 'Devices connected, by gateway.',
          unit: 'short',
          targets: [{ expr: `carillon_gateway_sessions{${JOB_FILTER}} > 0`, legend: '{{instance}}' }],
        },
        {
          title: 'Connections turned away',
          description: 'By the reason.',
          unit: 'ops',
          targets: [rate('carillon_gateway_refused_total', 'reason')],
        },
        {
          title: 'Gateway certificate',
          description: 'How long the certificate that devices are shown is still good. Empty without one.',
          unit: 's',
          targets: [
            {
              expr: `(carillon_gateway_certificate_expiry_timestamp_seconds{${JOB_FILTER}} > 0) - time()`,
              legend: '{{instance}}',
            },
          ],
        },
      ],
    },
    {
      title: 'PostgreSQL and NATS',
      panels: [
        {
          title: 'Database questions',
          description: 'A second, by what the database holds.',
          unit: 'ops',
          width: 6,
          targets: [rate('carillon_database_query_seconds_count', 'database')],
        },
        {
          title: 'Time of a database question',
          description: 'As the processes see it, on the way there and back included.',
          unit: 's',
          width: 6,
          targets: quantiles('carillon_database_query_seconds', 'database'),
        },
        {
          title: 'Database errors',
          description:
            'Questions without an answer. `busy` and `refused` happen; `unavailable` and `failed` should not.',
          unit: 'ops',
          width: 6,
          targets: [rate('carillon_database_errors_total', 'reason')],
        },
        {
          title: 'Connected to NATS',
          description: '1: connected. Without it work is found by looking.',
          unit: 'short',
          width: 6,
          targets: [{ expr: `carillon_nats_connected{${JOB_FILTER}}`, legend: '{{job}} {{instance}}' }],
        },
      ],
    },
  ],
};
