import { counter, gauge, histogram, LONG_BUCKETS_SECONDS, SHORT_BUCKETS_SECONDS } from '#src/foundation/metrics.ts';

/** The metrics of a worker: first its own work in the order of delivery, then the state that all workers share. */
export const workerMetrics = {
  queueSeconds: histogram(
    {
      name: 'carillon_queue_seconds',
      help: 'From when a task was due until a worker took it, by lane.',
      troubleshooting:
        'About a second: doorbells do not arrive, see `carillon_nats_connected`. More: too few workers, see `carillon_backlog_seconds`.',
      labels: ['lane'],
    },
    LONG_BUCKETS_SECONDS,
  ),
  expandSeconds: histogram(
    {
      name: 'carillon_expand_seconds',
      help: 'How long it takes to find the devices of a group of tasks, or of one shard of a task to everyone, and to write them down; by lane.',
      troubleshooting: 'Slow: PostgreSQL. A shard of millions of devices takes seconds and is no harm.',
      labels: ['lane'],
    },
    LONG_BUCKETS_SECONDS,
  ),
  expanded: counter({
    name: 'carillon_expanded_total',
    help: 'Devices that a notification was planned for, by their first channel; `none`: no channel reaches them.',
    troubleshooting: 'Many `none`: devices without a live token at a vendor, or an app without certificates.',
    labels: ['channel'],
  }),
  sent: counter({
    name: 'carillon_sent_total',
    help: 'Attempts to reach a device, by channel and outcome. Vendors: accepted, token-dead, refused, locked-out, quota-spent, throttled, unreachable. Own channel: written, queued, no-answer, absent.',
    troubleshooting:
      '`locked-out`: the certificate. `refused`: our mistake or the caller’s, the trace of a task tells it. `unreachable`: the way to the vendor. Many `absent`: devices go and come.',
    labels: ['channel', 'outcome'],
  }),
  gatewaySeconds: histogram(
    {
      name: 'carillon_gateway_request_seconds',
      help: 'How long a gateway takes to write a request’s notifications to its sessions and answer.',
      troubleshooting:
        'Two seconds: a gateway pauses or is gone; its devices go another way. Else look at the gateways’ `nodejs_eventloop_lag_p99_seconds`.',
    },
    SHORT_BUCKETS_SECONDS,
  ),
  sendLatencySeconds: histogram(
    {
      name: 'carillon_send_latency_seconds',
      help: 'From when a task was due until a channel took the notification: the vendor accepted it, or it was written to a session. Once for each slice and round.',
      troubleshooting: 'One channel alone: it is throttled, closed or slow. All: look at `carillon_backlog_seconds`.',
      labels: ['channel'],
    },
    LONG_BUCKETS_SECONDS,
  ),
  handedOver: counter({
    name: 'carillon_handed_over_total',
    help: 'Devices that went on from one channel to the next, by both.',
    troubleshooting:
      'From `nativepush`: devices do not acknowledge in time. From a vendor: dead tokens, refusals or a spent allowance.',
    labels: ['channel', 'to'],
  }),
  ended: counter({
    name: 'carillon_ended_total',
    help: 'Devices that nothing more is done for on a channel, by how it ended: sent, skipped, dead, fellBack, expired, failed, cancelled. The statistics are exact, this is about right.',
    troubleshooting:
      '`expired`: their time was over before the channel could be asked or the device came. `failed`: no way was left, or an inbox had no room.',
    labels: ['channel', 'status'],
  }),
  backlogSeconds: gauge({
    name: 'carillon_backlog_seconds',
    help: 'How long the oldest work that nobody has taken has been due, by lane; 0 if there is none. Every worker tells the same of all databases.',
    troubleshooting:
      'It rises: workers are too few, stand still, or PostgreSQL does not keep up. Absent: the databases cannot be asked.',
    labels: ['lane'],
  }),
  breakersTripped: gauge({
    name: 'carillon_breakers_tripped',
    help: 'Accounts of apps at vendors that are not called at present, by cause. Every worker tells the same.',
    troubleshooting:
      '`locked-out`: save a good certificate. `unreachable`: the vendor or the way to it; it opens by itself.',
    labels: ['channel', 'reason'],
  }),
  breakerTrips: counter({
    name: 'carillon_breaker_trips_total',
    help: 'How often a gate was closed, by channel and cause.',
    troubleshooting:
      'Often: a vendor that comes and goes. `breaker-tripped` in the log names the app and the vendor’s words.',
    labels: ['channel', 'reason'],
  }),
  quotasExhausted: gauge({
    name: 'carillon_quotas_exhausted',
    help: 'Daily allowances of apps at vendors that are spent now. Every worker tells the same.',
    troubleshooting:
      'Messages go to the next channel until the vendor’s midnight. `/admin/channel/list` names the app; ask the vendor for more, or send less.',
    labels: ['channel'],
  }),
  rateLimited: counter({
    name: 'carillon_vendor_rate_limited_total',
    help: 'How often notifications waited because an account may not be quicker, by channel.',
    troubleshooting: 'Usual during a large send. All day: the account’s rate is too small for what is sent.',
    labels: ['channel'],
  }),
  inboxMessages: gauge({
    name: 'carillon_inbox_messages',
    help: 'About how many notifications wait in inboxes, as PostgreSQL estimates it. Every worker tells the same.',
    troubleshooting:
      'It grows for days: devices that never come back; each notification leaves after `CARILLON_INBOX_SECONDS`.',
  }),
  certificatesExpiring: gauge({
    name: 'carillon_certificates_expiring',
    help: 'Vendor certificates that expire within so many days, those that have expired included; 0d: only these.',
    troubleshooting: '`certificate-expires` in the log names the app and the vendor; save a new one.',
    labels: ['within'],
  }),
} as const;
