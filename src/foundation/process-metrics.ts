import { gauge } from './metrics.ts';

export const processMetrics = {
  ready: gauge({
    name: 'carillon_ready',
    help: 'Whether the process is ready, as returned by `/readyz` at the time of the scrape: 1 or 0.',
    troubleshooting: '0: request `/readyz`, which lists the failing check. It is 0 on purpose while a process drains.',
  }),
  role: gauge({
    name: 'carillon_role',
    help: 'Roles that this process runs: 1 for each.',
    troubleshooting: 'If no process reports a role, the role is not running.',
    labels: ['role'],
  }),
} as const;
