import { gauge } from '#src/foundation/metrics.ts';

export const signalsMetrics = {
  connected: gauge({
    name: 'carillon_nats_connected',
    help: '1 if this process is connected to NATS, otherwise 0.',
    troubleshooting:
      '0: check NATS. No notification is lost, but workers find new work up to one second later. Notifications to connected devices use a vendor or wait in the inbox.',
  }),
} as const;
