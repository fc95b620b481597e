import type { Dashboard, Panel, Target } from './panel.ts';
import { JOB_FILTER, quantiles, rate } from './queries.ts';

const maxOf = (metric: string, by: string): Target => ({
  expr: `max by (${by}) (${metric}{${JOB_FILTER}})`,
  legend: by
    .split(', ')
    .map((label) => `{{${label}}}`)
    .join(' '),
});

/** Returns queries for the nonzero series and for their sum, so that the panel is not empty while all are zero. */
function nonZero(metric: string, by: string): Target[] {
  const { expr, legend } = maxOf(metric, by);
  return [
    { expr: `${expr} > 0`, legend },
    { expr: `sum(${expr})`, legend: 'all' },
  ];
}

/** Returns a panel with the median and the 99th percentile of the duration of a stage. */
const stage = (title: string, metric: string, description: string, by?: string): Panel => ({
  title,
  description,
  unit: 's',
  width: 6,
  targets: quantiles(metric, by),
});

export const pathDashboard: Dashboard = {
  uid: 'carillon-path',
  title: 'Carillon: notification path',
  description: 'All stages in order, from the accepted call to the acknowledgement of the device.',
  rows: [
    {
      title: 'Throughput',
      panels: [
        {
          title: 'Throughput by stage',
          description:
            'Tasks per second and devices per second. In normal operation, all lines rise and fall together. If only one line drops, its stage has stopped.',
          unit: 'ops',
          width: 12,
          targets: [
            {
              expr: `sum(rate(carillon_tasks_accepted_total{${JOB_FILTER}}[$__rate_interval]))`,
              legend: 'tasks accepted',
            },
            { expr: `sum(rate(carillon_expanded_total{${JOB_FILTER}}[$__rate_interval]))`, legend: 'devices expanded' },
            {
              expr: `sum(rate(carillon_sent_total{${JOB_FILTER}, outcome=~"accepted|written"}[$__rate_interval]))`,
              legend: 'devices sent',
            },
            { expr: `sum(rate(carillon_received_total{${JOB_FILTER}}[$__rate_interval]))`, legend: 'devices received' },
          ],
        },
        {
          title: 'Backlog',
          description:
            'Age of the oldest due work that no worker has claimed. The prompt lane should stay at zero. The bulk lane rises during a notification to all devices.',
          unit: 's',
          width: 6,
          targets: [maxOf('carillon_backlog_seconds', 'lane')],
        },
        {
          title: 'Rejected calls',
          description:
            'Rejected calls per second, by error. `internal-error` and `service-unavailable` are caused by Carillon, all others by the callers.',
          unit: 'reqps',
          width: 6,
          targets: [rate('carillon_calls_refused_total', 'problem')],
        },
      ],
    },
    {
      title: 'Duration of each stage',
      panels: [
        stage(
          'Accept',
          'carillon_accept_seconds',
          'Time from the first bytes of a notify call until its task is committed.',
        ),
        stage('Queue', 'carillon_queue_seconds', 'Time from the due time of a task until a worker claimed it.', 'lane'),
        stage('Expand', 'carillon_expand_seconds', 'Time to find the devices and write them to the ledger.', 'lane'),
        stage('Vendor request', 'carillon_vendor_request_seconds', 'Response time of the vendors.', 'channel'),
        stage(
          'Gateway request',
          'carillon_gateway_request_seconds',
          'Time until a gateway has written the notifications and responded.',
        ),
        stage(
          'Receipt',
          'carillon_receipt_seconds',
          'Carillon channel: time from writing until the device acknowledges.',
        ),
        stage(
          'Send latency',
          'carillon_send_latency_seconds',
          'Time from the due time until the vendor accepted the notification or it was written to a session.',
          'channel',
        ),
        stage(
          'End to end',
          'carillon_end_to_end_seconds',
          'Carillon channel: time from the due time until the device acknowledges.',
        ),
      ],
    },
    {
      title: 'Results',
      panels: [
        {
          title: 'Sent, by channel',
          description: 'Devices per second whose notification was accepted by a vendor or written to a session.',
          unit: 'ops',
          width: 8,
          targets: [
            {
              expr: `sum by (channel) (rate(carillon_sent_total{${JOB_FILTER}, outcome=~"accepted|written"}[$__rate_interval]))`,
              legend: '{{channel}}',
            },
          ],
        },
        {
          title: 'Not sent, by channel and outcome',
          description: 'Attempts that did not succeed. Throttled and unreachable attempts are retried.',
          unit: 'ops',
          width: 8,
          targets: [
            {
              expr: `sum by (channel, outcome) (rate(carillon_sent_total{${JOB_FILTER}, outcome!~"accepted|written"}[$__rate_interval]))`,
              legend: '{{channel}} {{outcome}}',
            },
          ],
        },
        {
          title: 'Received, by channel',
          description: 'Receipts per second. APNs and FCM send no receipts, so the devices report them.',
          unit: 'ops',
          width: 8,
          targets: [rate('carillon_received_total', 'channel')],
        },
        {
          title: 'Planned, by first channel',
          description: 'Devices per second by the channel that is tried first. `none`: no channel reaches the device.',
          unit: 'ops',
          width: 8,
          targets: [rate('carillon_expanded_total', 'channel')],
        },
        {
          title: 'Fallbacks',
          description: 'Devices per second that moved to their next channel.',
          unit: 'ops',
          width: 8,
          targets: [rate('carillon_handed_over_total', 'channel, to')],
        },
        {
          title: 'Final results',
          description: 'Devices per second for which no further attempt is made, by the final status on the channel.',
          unit: 'ops',
          width: 8,
          targets: [rate('carillon_ended_total', 'status')],
        },
      ],
    },
    {
      title: 'Vendors and inboxes',
      panels: [
        {
          title: 'Paused channels',
          description:
            'Accounts whose channel is currently paused. `locked-out`: save valid credentials. `unreachable`: recovers automatically.',
          unit: 'short',
          width: 6,
          targets: nonZero('carillon_breakers_tripped', 'channel, reason'),
        },
        {
          title: 'Exhausted daily quotas',
          description: 'Daily quotas that apps have currently used up at vendors.',
          unit: 'short',
          width: 6,
          targets: nonZero('carillon_quotas_exhausted', 'channel'),
        },
        {
          title: 'Delayed by rate limits',
          description: 'Number of times per second that sending was delayed by the rate limit of an account.',
          unit: 'ops',
          width: 6,
          targets: [rate('carillon_vendor_rate_limited_total', 'channel')],
        },
        {
          title: 'Expiring credentials',
          description: 'Vendor credentials that expire within the given number of days, including expired ones.',
          unit: 'short',
          width: 6,
          targets: [maxOf('carillon_certificates_expiring', 'within')],
        },
        {
          title: 'Inbox size',
          description: 'Approximate number of notifications that wait for a device to connect.',
          unit: 'short',
          width: 12,
          targets: [{ expr: `max(carillon_inbox_messages{${JOB_FILTER}})`, legend: 'waiting' }],
        },
        {
          title: 'Delivered from inboxes',
          description: 'Notifications per second that were written to their device after waiting in an inbox.',
          unit: 'ops',
          width: 12,
          targets: [
            { expr: `sum(rate(carillon_inbox_delivered_total{${JOB_FILTER}}[$__rate_interval]))`, legend: 'delivered' },
          ],
        },
      ],
    },
  ],
};
