import { counter } from '#src/foundation/metrics.ts';

export const receiptMetrics = {
  received: counter({
    name: 'carillon_received_total',
    help: 'Receipts written to PostgreSQL, by channel. A repeated receipt counts again in this metric, but only once in the statistics.',
    troubleshooting:
      'No receipts from a vendor with callbacks: check that the callback URL saved at the vendor is current and reachable from outside. APNs and FCM have no callbacks; devices report for them.',
    labels: ['channel'],
  }),
} as const;
