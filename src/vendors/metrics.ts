import { histogram } from '#src/foundation/metrics.ts';

export const vendorMetrics = {
  vendorSeconds: histogram(
    {
      name: 'carillon_vendor_request_seconds',
      help: 'Duration of requests to vendors in seconds, by channel.',
      troubleshooting:
        'High for one vendor: check the vendor and the network path to it. High for all vendors: check the network, the proxy and the load of the workers.',
      labels: ['channel'],
    },
    [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  ),
} as const;
