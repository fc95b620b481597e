import { counter, gauge, histogram, LONG_BUCKETS_SECONDS, SHORT_BUCKETS_SECONDS } from '#src/foundation/metrics.ts';

export const gatewayMetrics = {
  sessions: gauge({
    name: 'carillon_gateway_sessions',
    help: 'Devices connected to this gateway.',
    troubleshooting:
      'A sharp fall: a gateway went, or the way from outside to it. They come back by themselves, and what was sent meanwhile waits.',
  }),
  refused: counter({
    name: 'carillon_gateway_refused_total',
    help: 'Connections that were turned away, by the reason.',
    troubleshooting:
      'Bad credentials in numbers: an app with old tokens. Limits: a balancer in front hides the addresses, see `CARILLON_GATEWAY_PENDING_CONNECTIONS_PER_ADDRESS_MAX`.',
    labels: ['reason'],
  }),
  certificateExpiry: gauge({
    name: 'carillon_gateway_certificate_expiry_timestamp_seconds',
    help: 'When the certificate that devices are shown expires, in seconds since 1970. 0 without one.',
    troubleshooting: 'Soon: put the new files in place of the old; they are read by themselves.',
  }),
  inboxDelivered: counter({
    name: 'carillon_inbox_delivered_total',
    help: 'Notifications that waited in an inbox and were written to their device.',
    troubleshooting: 'Many at once follow many reconnects.',
  }),
  receiptSeconds: histogram(
    {
      name: 'carillon_receipt_seconds',
      help: 'Own channel: from writing a notification until its device acknowledges it. One device of each slice and gateway is measured.',
      troubleshooting:
        'This is the devices’ network. If it is slow for all, the gateway’s `nodejs_eventloop_lag_p99_seconds` tells whether it is ours.',
    },
    SHORT_BUCKETS_SECONDS,
  ),
  endToEndSeconds: histogram(
    {
      name: 'carillon_end_to_end_seconds',
      help: 'Own channel: from when a notification was due until its device acknowledges it, without those that waited in an inbox. Measured as `carillon_receipt_seconds`.',
      troubleshooting:
        'Look at the stages: accept, queue, expand, gateway request, receipt. Vendors do not tell this; for them see `carillon_send_latency_seconds`.',
    },
    LONG_BUCKETS_SECONDS,
  ),
} as const;
