import { counter, gauge, histogram, LONG_BUCKETS_SECONDS, SHORT_BUCKETS_SECONDS } from '#src/foundation/metrics.ts';

/** The metrics of a worker: first its own work in the order of delivery, then the state that all workers share. */
export const workerMetrics = {
  queueSeconds: histogram(
    {
      name: 'carillon_queue_seconds',
      help: 'Time from when a task was due until a worker claimed it, in seconds, by lane.',
      troubleshooting:
        'About 1 second: wake-up signals are lost; check `carillon_nats_connected`. Longer: there are too few workers; check `carillon_backlog_seconds`.',
      labels: ['lane'],
    },
    LONG_BUCKETS_SECONDS,
  ),
  expandSeconds: histogram(
    {
      name: 'carillon_expand_seconds',
      help: 'Time in seconds to find and store the devices of a group of tasks, or of one shard for a task to all devices, by lane.',
      troubleshooting: 'Slow: check PostgreSQL. A shard with millions of devices takes seconds, which is normal.',
      labels: ['lane'],
    },
    LONG_BUCKETS_SECONDS,
  ),
  expanded: counter({
    name: 'carillon_expanded_total',
    help: 'Devices for which a notification was planned, by first channel; `none` means that no channel reaches the device.',
    troubleshooting:
      'Many `none`: devices have no valid vendor token, or the app has no credentials. Register vendor tokens and save credentials.',
    labels: ['channel'],
  }),
  sent: counter({
    name: 'carillon_sent_total',
    help: 'Attempts to reach a device, by channel and outcome. Vendors: accepted, token-dead, refused, locked-out, quota-spent, throttled, unreachable. Carillon channel: written, queued, no-answer, absent.',
    troubleshooting:
      '`locked-out`: save valid credentials. `refused`: an error in Carillon or in the request; the trace of a task has the reason. `unreachable`: check the network path to the vendor. Many `absent`: devices disconnect and reconnect often.',
    labels: ['channel', 'outcome'],
  }),
  gatewaySeconds: histogram(
    {
      name: 'carillon_gateway_request_seconds',
      help: 'Time until a gateway has written the notifications of a request to its sessions and responded, in seconds.',
      troubleshooting:
        'About 2 seconds: a gateway is paused or down, and its devices use their next channel. Otherwise check `nodejs_eventloop_lag_p99_seconds` of the gateways.',
    },
    SHORT_BUCKETS_SECONDS,
  ),
  sendLatencySeconds: histogram(
    {
      name: 'carillon_send_latency_seconds',
      help: 'Time from when a task was due until the vendor accepted the notification or it was written to a session, in seconds, by channel. Recorded once per batch per round.',
      troubleshooting:
        'One channel only: it is throttled, paused or slow. All channels: check `carillon_backlog_seconds`.',
      labels: ['channel'],
    },
    LONG_BUCKETS_SECONDS,
  ),
  handedOver: counter({
    name: 'carillon_handed_over_total',
    help: 'Devices that fell back from one channel to the next, by both channels.',
    troubleshooting:
      'From `nativepush`: devices do not acknowledge in time. From a vendor: dead tokens, rejected messages or an exhausted quota.',
    labels: ['channel', 'to'],
  }),
  ended: counter({
    name: 'carillon_ended_total',
    help: 'Devices that are done on a channel, by final status: sent, skipped, dead, fellBack, expired, failed, cancelled. The value is approximate; the counters of a task are exact.',
    troubleshooting:
      '`expired`: the notification expired before the channel could send it or the device connected. `failed`: no channel was left, or the inbox of the device was full.',
    labels: ['channel', 'status'],
  }),
  backlogSeconds: gauge({
    name: 'carillon_backlog_seconds',
    help: 'Time for which the oldest unclaimed work has been due, in seconds, by lane; 0 if there is none. Every worker reports the same value for all databases.',
    troubleshooting:
      'Rising: there are too few workers, workers hang, or PostgreSQL is too slow. Absent: the databases cannot be queried.',
    labels: ['lane'],
  }),
  breakersTripped: gauge({
    name: 'carillon_breakers_tripped',
    help: 'Vendor accounts whose channel is paused, by channel and reason. Every worker reports the same value.',
    troubleshooting:
      '`locked-out`: save valid credentials. `unreachable`: check the vendor and the network path to it; the channel resumes automatically.',
    labels: ['channel', 'reason'],
  }),
  breakerTrips: counter({
    name: 'carillon_breaker_trips_total',
    help: 'Number of times a vendor channel was paused, by channel and reason.',
    troubleshooting:
      'Often: the vendor is unstable. The log event `breaker-tripped` has the app and the vendor’s error message.',
    labels: ['channel', 'reason'],
  }),
  quotasExhausted: gauge({
    name: 'carillon_quotas_exhausted',
    help: 'Daily quotas of apps at vendors that are exhausted now, by channel. Every worker reports the same value.',
    troubleshooting:
      'Notifications use the next channel until midnight in the vendor’s time zone. `/admin/channel/list` returns the app. Ask the vendor for a higher quota, or send less.',
    labels: ['channel'],
  }),
  rateLimited: counter({
    name: 'carillon_vendor_rate_limited_total',
    help: 'Number of times notifications waited for the rate limit of an account, by channel.',
    troubleshooting:
      'Normal during a large send. All day: the rate limit of the account is too low. Ask the vendor for a higher one, or send less.',
    labels: ['channel'],
  }),
  inboxMessages: gauge({
    name: 'carillon_inbox_messages',
    help: 'Estimated number of notifications that wait in inboxes, from PostgreSQL’s statistics. Every worker reports the same value.',
    troubleshooting:
      'Growing for days: devices do not reconnect. Each notification is deleted after `CARILLON_INBOX_SECONDS`.',
  }),
  certificatesExpiring: gauge({
    name: 'carillon_certificates_expiring',
    help: 'Vendor credentials that expire within the given number of days, including expired ones; `0d` counts only expired ones.',
    troubleshooting: 'The log event `certificate-expires` has the app and the vendor. Save new credentials.',
    labels: ['within'],
  }),
} as const;
