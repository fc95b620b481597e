import { histogram } from '#src/foundation/metrics.ts';

export const vendorMetrics = {
  vendorSeconds: histogram(
    {
      name: 'carillon_vendor_request_seconds',
      help: 'How long vendors take to answer a request, by channel.',
      troubleshooting:
        'One vendor alone: the way to it, or the vendor. All of them: this machine’s network or proxy, or a worker with too much to do.',
      labels: ['channel'],
    },
    [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  ),
} as const;
