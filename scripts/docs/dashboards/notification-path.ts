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
  title: 'Carillon: the path of a notification',
  description: 'From the call that is accepted to the device that acknowledges, in order.',
  rows: [
    {
      title: 'Along the path',
      panels: [
        {
          title: 'Rates along the path',
          description:
            'Tasks a second, then devices a second. The lines keep their distances while everything is well; one that falls alone names the stage that stopped.',
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
            'How long the oldest work that nobody has taken has been due. The prompt lane should stay at zero; the bulk lane rises during a notification to everyone.',
          unit: 's',
          width: 6,
          targets: [maxOf('carillon_backlog_seconds', 'lane')],
        },
        {
          title: 'Calls refused',
          description: 'By problem. `internal-error` and `service-unavailable` are ours, the rest is the callers’.',
          unit: 'reqps',
          width: 6,
          targets: [rate('carillon_calls_refused_total', 'problem')],
        },
      ],
    },
    {
      title: 'How long each stage takes',
      panels: [
        stage('Accept', 'carillon_accept_seconds', 'From a notify call’s first bytes until its task is committed.'),
        stage('Queue', 'carillon_queue_seconds', 'From when a task was due until a worker took it.', 'lane'),
        stage('Expand', 'carillon_expand_seconds', 'Finding the devices and writing them down.', 'lane'),
        stage('Vendor request', 'carillon_vendor_request_seconds', 'How long vendors take to answer.', 'channel'),
        stage('Gateway request', 'carillon_gateway_request_seconds', 'How long gateways take to write and answer.'),
        stage('Receipt', 'carillon_receipt_seconds', 'Own channel: from writing until the device acknowledges.'),
        stage(
          'Taken by a channel',
          'carillon_send_latency_seconds',
          'From due until the vendor accepted, or it was written to a session.',
          'channel',
        ),
        stage('The whole way', 'carillon_end_to_end_seconds', 'Own channel: from due until the device acknowledges.'),
      ],
    },
    {
      title: 'What came of it',
      panels: [
        {
          title: 'Sent, by channel',
          description: 'Devices a second that a vendor accepted, or that it was written to.',
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
          description: 'Attempts that did not succeed at once. Throttled and unreachable ones are tried again.',
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
          description: 'Receipts a second. APNs and FCM tell none; devices report for them.',
          unit: 'ops',
          width: 8,
          targets: [rate('carillon_received_total', 'channel')],
        },
        {
          title: 'Planned, by first channel',
          description: 'Devices a second by the channel they are tried on first; none: no channel reaches them.',
          unit: 'ops',
          width: 8,
          targets: [rate('carillon_expanded_total', 'channel')],
        },
        {
          title: 'Handed over',
          description: 'Devices that went on to their next channel.',
          unit: 'ops',
          width: 8,
          targets: [rate('carillon_handed_over_total', 'channel, to')],
        },
        {
          title: 'How it ended',
          description: 'Devices that nothing more is done for, by how it ended on that channel.',
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
          title: 'Gates closed',
          description:
            'Accounts that are not called at present. locked-out: a person must save a good certificate. unreachable: it heals by itself.',
          unit: 'short',
          width: 6,
          targets: nonZero('carillon_breakers_tripped', 'channel, reason'),
        },
        {
          title: 'Allowances spent',
          description: 'Daily allowances of apps at vendors that are spent now.',
          unit: 'short',
          width: 6,
          targets: nonZero('carillon_quotas_exhausted', 'channel'),
        },
        {
          title: 'Held back by rates',
          description: 'How often notifications waited because an account may not be quicker.',
          unit: 'ops',
          width: 6,
          targets: [rate('carillon_vendor_rate_limited_total', 'channel')],
        },
        {
          title: 'Certificates that expire',
          description: 'Vendor certificates that expire within so many days, those that have expired included.',
          unit: 'short',
          width: 6,
          targets: [maxOf('carillon_certificates_expiring', 'within')],
        },
        {
          title: 'In inboxes',
          description: 'About how many notifications wait for a device to come.',
          unit: 'short',
          width: 12,
          targets: [{ expr: `max(carillon_inbox_messages{${JOB_FILTER}})`, legend: 'waiting' }],
        },
        {
          title: 'Brought from inboxes',
          description: 'Notifications a second that had waited and were written to their device.',
          unit: 'ops',
          width: 12,
          targets: [
            { expr: `sum(rate(carillon_inbox_delivered_total{${JOB_FILTER}}[$__rate_interval]))`, legend: 'brought' },
          ],
        },
      ],
    },
  ],
};
