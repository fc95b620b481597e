import { counter } from '#src/foundation/metrics.ts';

export const receiptMetrics = {
  received: counter({
    name: 'carillon_received_total',
    help: 'Receipts that were written down, by channel. One that is told twice counts twice here, and once in the statistics.',
    troubleshooting:
      'None of a vendor that has callbacks: is the address saved there still ours, and can it be reached from outside? APNs and FCM have none; devices report for them.',
    labels: ['channel'],
  }),
} as const;
