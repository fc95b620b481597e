import { counter, gauge, histogram, LONG_BUCKETS_SECONDS, SHORT_BUCKETS_SECONDS } from '#src/foundation/metrics.ts';

/** The metrics of a worker: first its own work in the order of delivery, then the state that all workers share. */
export const workerMetrics = {
  queueSeconds: histogram(
    {
      name: 'carillon_queue_seconds',
      help: 'Time in seconds from the due time of a task until a worker claims it, by lane.',
      troubleshooting:
        'About 1 second: wake-up signals are lost, so check `carillon_nats_connected`. More: there are too few workers, so check `carillon_backlog_seconds`.',
      labels: ['lane'],
    },
    LONG_BUCKETS_SECONDS,
  ),
  expandSeconds: histogram(
    {
      name: 'carillon_expand_seconds',
      help: 'Time in seconds to find and store the devices of a group of tasks, by lane. For a large audience, it is the time for one bucket.',
      troubleshooting: 'High: check PostgreSQL. Several seconds are normal for a bucket with millions of devices.',
      labels: ['lane'],
    },
    LONG_BUCKETS_SECONDS,
  ),
  expanded: counter({
    name: 'carillon_expanded_total',
    help: 'Devices for which a notification was planned, by first channel. `none` means that no channel can reach the device.',
    troubleshooting:
      'Many `none`: devices have no valid vendor token, or the app has no credentials for their vendor. Register vendor tokens, and save credentials.',
    labels: ['channel'],
  }),
  sent: counter({
    name: 'carillon_sent_total',
    help: 'Attempts to reach a device, by channel and outcome. Outcomes of vendors: `accepted`, `token-dead`, `refused`, `locked-out`, `quota-spent`, `throttled`, `unreachable`. Outcomes of the Carillon channel: `written`, `queued`, `no-answer`, `absent`.',
    troubleshooting:
      '`locked-out`: save valid credentials. `refused`: the vendor rejects the message, and the trace of a task contains the reason. `unreachable`: check the network path to the vendor. Many `absent`: devices often disconnect and reconnect.',
    labels: ['channel', 'outcome'],
  }),
  gatewaySeconds: histogram(
    {
      name: 'carillon_gateway_request_seconds',
      help: 'Time in seconds from the request of a worker to a gateway until the response. The gateway responds when it has written the notifications to its connections.',
      troubleshooting:
        'About 2 seconds: a gateway does not respond, and its devices use their next channel. Otherwise, check `carillon_event_loop_delay_seconds` of the gateways.',
    },
    SHORT_BUCKETS_SECONDS,
  ),
  sendLatencySeconds: histogram(
    {
      name: 'carillon_send_latency_seconds',
      help: 'Time in seconds from the due time of a task until the vendor accepts the notification or it is written to a connection, by channel. It is recorded once for each round of sending a batch.',
      troubleshooting:
        'High for one channel: it is throttled, paused or slow. High for all channels: check `carillon_backlog_seconds`.',
      labels: ['channel'],
    },
    LONG_BUCKETS_SECONDS,
  ),
  handedOver: counter({
    name: 'carillon_handed_over_total',
    help: 'Devices that fell back from one channel to the next. `channel` is the first of the two channels, `to` is the second.',
    troubleshooting:
      'Many from `nativepush`: devices do not acknowledge in time. Many from a vendor: invalid vendor tokens, rejected messages or an exhausted quota.',
    labels: ['channel', 'to'],
  }),
  ended: counter({
    name: 'carillon_ended_total',
    help: 'Devices whose delivery through a channel has ended, by status: `sent`, `skipped`, `dead`, `fellBack`, `expired`, `failed`, `cancelled`. The value is approximate; the counters of a task are exact.',
    troubleshooting:
      'Many `expired`: notifications expired before they were sent or before the device connected. Many `failed`: no channel was left, or newer notifications filled the inbox.',
    labels: ['channel', 'status'],
  }),
  backlogSeconds: gauge({
    name: 'carillon_backlog_seconds',
    help: 'Time in seconds for which the oldest unclaimed work has been due, by lane. 0 if there is no such work. Every worker reports the same value.',
    troubleshooting:
      'Rising: there are too few workers, workers hang, or PostgreSQL is too slow. Missing: workers cannot query the databases.',
    labels: ['lane'],
  }),
  quarantinedWork: gauge({
    name: 'carillon_quarantined_work',
    help: 'Number of tasks, expansions and batches that failed repeatedly and are no longer retried, by kind (`tasks`, `expansions`, `slices`). Every worker reports the same value.',
    troubleshooting:
      'Above 0: list the tasks with `carillon task quarantined`, fix the cause of the error, then retry or cancel them.',
    labels: ['kind'],
  }),
  breakersTripped: gauge({
    name: 'carillon_breakers_tripped',
    help: 'Number of vendor accounts whose channel is paused, by channel and reason. Every worker reports the same value.',
    troubleshooting:
      '`locked-out`: save valid credentials. `unreachable`: check the vendor and the network path to it. The channel then resumes automatically.',
    labels: ['channel', 'reason'],
  }),
  breakerTrips: counter({
    name: 'carillon_breaker_trips_total',
    help: 'Number of times a vendor channel was paused, by channel and reason.',
    troubleshooting:
      'Frequent increases: the vendor is unstable. The log event `breaker-tripped` contains the app and the error message of the vendor.',
    labels: ['channel', 'reason'],
  }),
  quotasExhausted: gauge({
    name: 'carillon_quotas_exhausted',
    help: 'Number of daily quotas that are exhausted, by channel. Every worker reports the same value.',
    troubleshooting:
      'Above 0: affected notifications use the next channel until midnight in the time zone of the vendor. `/admin/channel/list` shows the quotas of an app. Ask the vendor for a higher quota, or send fewer notifications.',
    labels: ['channel'],
  }),
  rateLimited: counter({
    name: 'carillon_vendor_rate_limited_total',
    help: 'Number of times that notifications waited because of the rate limit of an account, by channel.',
    troubleshooting:
      'Increases during notifications to many devices are normal. If it increases all day, ask the vendor for a higher rate limit, or send fewer notifications.',
    labels: ['channel'],
  }),
  inboxMessages: gauge({
    name: 'carillon_inbox_messages',
    help: 'Number of notifications that wait in inboxes, estimated from the statistics of PostgreSQL. Every worker reports the same value.',
    troubleshooting:
      'Rising for days: devices do not reconnect. A notification is deleted after `CARILLON_INBOX_SECONDS`.',
  }),
  certificatesExpiring: gauge({
    name: 'carillon_certificates_expiring',
    help: 'Number of vendor credentials that expire within the number of days in `within`, including expired ones. `0d` counts only expired ones.',
    troubleshooting:
      'Above 0: the log event `certificate-expires` contains the app and the vendor. Save new credentials.',
    labels: ['within'],
  }),
  ceilingUsage: gauge({
    name: 'carillon_ceiling_usage_ratio',
    help: 'Usage of the app that is closest to its ceiling, as a part of the ceiling, by ceiling. Every worker reports the same value.',
    troubleshooting:
      'Near 1: `/admin/app/list` shows the usage and the ceilings of all apps. Raise the ceiling with `/admin/app/ceilings`, or ask the tenant to use less.',
    labels: ['ceiling'],
  }),
  appsAtCeiling: gauge({
    name: 'carillon_apps_at_ceiling',
    help: 'Number of apps that have reached a ceiling, by ceiling. Every worker reports the same value.',
    troubleshooting:
      'Above 0: the log event `app-ceiling-reached` contains the app. Its further requests of this kind are rejected.',
    labels: ['ceiling'],
  }),
} as const;
