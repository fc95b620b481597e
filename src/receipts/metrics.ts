import { counter } from '#src/foundation/metrics.ts';

export const receiptMetrics = {
  received: counter({
    name: 'carillon_received_total',
    help: 'Receipts that were written to PostgreSQL, by channel. A repeated receipt counts again in this metric, but not in the statistics.',
    troubleshooting:
      'No increase for a vendor with callbacks: check that the vendor has the current callback URL and can reach it. APNs and FCM send no callbacks; apps report the receipts for them.',
    labels: ['channel'],
  }),
} as const;
