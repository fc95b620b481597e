import { gauge } from '#src/foundation/metrics.ts';

export const signalsMetrics = {
  connected: gauge({
    name: 'carillon_nats_connected',
    help: 'Whether this process is connected to NATS: 1 or 0.',
    troubleshooting:
      '0: nothing is lost, but workers find work by polling, which takes up to a second, and the Carillon channel falls back to vendors or waits.',
  }),
} as const;
