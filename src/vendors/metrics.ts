import { histogram } from '#src/foundation/metrics.ts';

export const vendorMetrics = {
  vendorSeconds: histogram(
    {
      name: 'carillon_vendor_request_seconds',
      help: 'Duration of vendor requests, by channel.',
      troubleshooting:
        'One vendor: the network path to it, or the vendor itself. All vendors: the network or proxy of this machine, or an overloaded worker.',
      labels: ['channel'],
    },
    [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  ),
} as const;
