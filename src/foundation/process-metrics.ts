import { gauge } from './metrics.ts';

export const processMetrics = {
  ready: gauge({
    name: 'carillon_ready',
    help: 'Whether the process can do its work, as `/readyz` says at the moment of the scrape: 1 or 0.',
    troubleshooting: '0: ask `/readyz`, which names the check that fails. While a process drains it is 0 on purpose.',
  }),
  role: gauge({
    name: 'carillon_role',
    help: 'The roles that this process runs: 1 each.',
    troubleshooting: 'A role that no process has is not running at all.',
    labels: ['role'],
  }),
} as const;
