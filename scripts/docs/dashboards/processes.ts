import type { Dashboard } from './panel.ts';
import { JOB_FILTER, quantiles, rate } from './queries.ts';

export const processesDashboard: Dashboard = {
  uid: 'carillon-processes',
  title: 'Carillon: processes',
  description: 'Processes and their dependencies: devices, event loop, memory, PostgreSQL and NATS.',
  rows: [
    {
      title: 'Processes',
      panels: [
        {
          title: 'Processes by role',
          description: 'Number of processes per role.',
          type: 'stat',
          unit: 'short',
          targets: [{ expr: `sum by (role) (carillon_role{${JOB_FILTER}})`, legend: '{{role}}' }],
        },
        {
          title: 'Ready',
          description: '1 if `/readyz` of the process returns 200.',
          unit: 'short',
          targets: [{ expr: `carillon_ready{${JOB_FILTER}}`, legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Uptime',
          description: 'Time since the process started. A drop to zero is a restart.',
          unit: 's',
          targets: [{ expr: `time() - process_start_time_seconds{${JOB_FILTER}}`, legend: '{{job}} {{instance}}' }],
        },
      ],
    },
    {
      title: 'Resource usage',
      panels: [
        {
          title: 'Longest event-loop delay',
          description:
            'Longest delay of the event loop in the last minute. A delay above 0.1 s is noticeable to devices and callers.',
          unit: 's',
          targets: [{ expr: `carillon_event_loop_delay_seconds{${JOB_FILTER}}`, legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'CPU',
          description:
            'Cores in use. A process uses one core for its work, and slightly more for garbage collection and password hashing.',
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
          description: 'Resident memory. A gateway needs a few kilobytes per device.',
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
          description: 'Connected devices, by gateway.',
          unit: 'short',
          targets: [{ expr: `carillon_gateway_sessions{${JOB_FILTER}} > 0`, legend: '{{instance}}' }],
        },
        {
          title: 'Rejected connections',
          description: 'Connections per second that gateways rejected, by reason.',
          unit: 'ops',
          targets: [rate('carillon_gateway_refused_total', 'reason')],
        },
        {
          title: 'Gateway TLS certificate',
          description:
            'Remaining validity of the TLS certificate of each gateway. Gateways without a certificate are not shown.',
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
          title: 'Database queries',
          description: 'Queries per second, by kind of database.',
          unit: 'ops',
          width: 6,
          targets: [rate('carillon_database_query_seconds_count', 'database')],
        },
        {
          title: 'Database query time',
          description: 'Query time as measured by the processes, including the network.',
          unit: 's',
          width: 6,
          targets: quantiles('carillon_database_query_seconds', 'database'),
        },
        {
          title: 'Database errors',
          description:
            'Failed queries. `busy` and `refused` can occur in normal operation; `unavailable` and `failed` should not.',
          unit: 'ops',
          width: 6,
          targets: [rate('carillon_database_errors_total', 'reason')],
        },
        {
          title: 'NATS connection',
          description: '1 if the process is connected to NATS. Without NATS, workers poll PostgreSQL.',
          unit: 'short',
          width: 6,
          targets: [{ expr: `carillon_nats_connected{${JOB_FILTER}}`, legend: '{{job}} {{instance}}' }],
        },
      ],
    },
  ],
};
