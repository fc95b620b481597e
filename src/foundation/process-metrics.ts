import { gauge } from './metrics.ts';

export const processMetrics = {
  ready: gauge({
    name: 'carillon_ready',
    help: '1 if the process is ready, otherwise 0. It is the result of `/readyz` at the time of the scrape.',
    troubleshooting: '0: request `/readyz`, which lists the failing check. While a process shuts down, 0 is normal.',
  }),
  role: gauge({
    name: 'carillon_role',
    help: '1 for each role that this process runs.',
    troubleshooting: 'No process reports a role: the role is not running.',
    labels: ['role'],
  }),
} as const;
