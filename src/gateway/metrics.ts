import { counter, gauge, histogram, LONG_BUCKETS_SECONDS, SHORT_BUCKETS_SECONDS } from '#src/foundation/metrics.ts';

export const gatewayMetrics = {
  sessions: gauge({
    name: 'carillon_gateway_sessions',
    help: 'Number of devices that are connected to this gateway.',
    troubleshooting:
      'Sharp drop: the gateway stopped, or the network path to it failed. Devices reconnect automatically. Until then, notifications use a vendor or wait in the inbox.',
  }),
  refused: counter({
    name: 'carillon_gateway_refused_total',
    help: 'Rejected connections of devices, by reason.',
    troubleshooting:
      'Many `bad-credentials`: devices use old access tokens. Many rejections by a limit per address: a load balancer hides the addresses of devices. See `CARILLON_MQTT_TRUSTED_PROXIES`.',
    labels: ['reason'],
  }),
  certificateExpiry: gauge({
    name: 'carillon_gateway_certificate_expiry_timestamp_seconds',
    help: 'Time at which the TLS certificate of the gateway expires, in Unix seconds. 0 if the gateway has no certificate.',
    troubleshooting: 'The time is near: replace the certificate files. The gateway reloads them automatically.',
  }),
  inboxDelivered: counter({
    name: 'carillon_inbox_delivered_total',
    help: 'Notifications that were written to a device after they waited in its inbox.',
    troubleshooting: 'Peak: many devices reconnected at the same time, which is normal after a restart of a gateway.',
  }),
  receiptSeconds: histogram(
    {
      name: 'carillon_receipt_seconds',
      help: 'Carillon channel: time in seconds from writing a notification until the device acknowledges it. Each gateway measures one device per batch.',
      troubleshooting:
        'High: usually caused by the networks of the devices. If it is high for all gateways, also check `carillon_event_loop_delay_seconds` of the gateways.',
    },
    SHORT_BUCKETS_SECONDS,
  ),
  endToEndSeconds: histogram(
    {
      name: 'carillon_end_to_end_seconds',
      help: 'Carillon channel: time in seconds from the due time of a notification until the device acknowledges it. Notifications that waited in an inbox are not measured. Each gateway measures one device per batch.',
      troubleshooting:
        'High: find the slow stage with the metrics for accept, queue, expand, gateway request and receipt. For vendors, see `carillon_send_latency_seconds`.',
    },
    LONG_BUCKETS_SECONDS,
  ),
} as const;
