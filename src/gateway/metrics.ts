import { counter, gauge, histogram, LONG_BUCKETS_SECONDS, SHORT_BUCKETS_SECONDS } from '#src/foundation/metrics.ts';

export const gatewayMetrics = {
  sessions: gauge({
    name: 'carillon_gateway_sessions',
    help: 'Devices connected to this gateway.',
    troubleshooting:
      'Sharp drop: a gateway stopped, or the network path to it failed. Devices reconnect automatically, and notifications sent in the meantime wait.',
  }),
  refused: counter({
    name: 'carillon_gateway_refused_total',
    help: 'Rejected connections, by reason.',
    troubleshooting:
      'Many bad credentials: an app uses old tokens. Limits reached: a load balancer in front hides the addresses, see `CARILLON_GATEWAY_PENDING_CONNECTIONS_PER_ADDRESS_MAX`.',
    labels: ['reason'],
  }),
  certificateExpiry: gauge({
    name: 'carillon_gateway_certificate_expiry_timestamp_seconds',
    help: 'Expiry time of the TLS certificate for devices, in seconds since 1970. 0 without a certificate.',
    troubleshooting: 'Expires soon: replace the files. They are reloaded automatically.',
  }),
  inboxDelivered: counter({
    name: 'carillon_inbox_delivered_total',
    help: 'Notifications written to their devices after waiting in an inbox.',
    troubleshooting: 'A peak follows a mass reconnect.',
  }),
  receiptSeconds: histogram(
    {
      name: 'carillon_receipt_seconds',
      help: 'Carillon channel: time from writing a notification until its device acknowledges it. One device per slice per gateway is measured.',
      troubleshooting:
        'Mainly depends on the network of the devices. If it is high for all devices, check `nodejs_eventloop_lag_p99_seconds` of the gateway.',
    },
    SHORT_BUCKETS_SECONDS,
  ),
  endToEndSeconds: histogram(
    {
      name: 'carillon_end_to_end_seconds',
      help: 'Carillon channel: time from the due time of a notification until its device acknowledges it, without notifications that waited in an inbox. Measured like `carillon_receipt_seconds`.',
      troubleshooting:
        'Check the stages: accept, queue, expand, gateway request, receipt. Vendors do not report this time; for them see `carillon_send_latency_seconds`.',
    },
    LONG_BUCKETS_SECONDS,
  ),
} as const;
