import { type TUnsafe, Type } from 'typebox';
import { type Channel, extraChannels, specifiedChannels } from '#src/domain/channel.ts';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';

const TASKS_MAX = 500;

const SENT =
  'Number of devices to which this channel sent the notification: the vendor accepted it, or it was written to an MQTT connection.';
const RECEIVED = 'Number of devices with a receipt for this channel.';
const TARGET =
  'Number of devices that Carillon tries to reach through this channel. A device that falls back counts for each channel that is tried.';
const EXTRA = ' Only present if the app setting `extra_counters` is on.';

const countersOf = (channel: Channel, note = ''): [string, TUnsafe<bigint>][] => [
  [`${channel}_sent`, Int64({ description: SENT + note })],
  [`${channel}_received`, Int64({ description: RECEIVED + note })],
  [`${channel}_target`, Int64({ description: TARGET + note })],
];

/** The 27 counters of the specification. */
const counters = specifiedChannels.flatMap((channel) => countersOf(channel));
/** The counters of channels that the specification does not know. They follow the 27 counters. */
const extraCounters = extraChannels.flatMap((channel) => countersOf(channel, EXTRA));

const exampleRecord = Object.fromEntries(counters.map(([name]) => [name, 0]));

export const pushTaskDetail = {
  method: 'POST',
  path: '/push/task/detail',
  summary: 'Query push statistics',
  description: `Returns the counters of each task: three for each of the nine specified channels. If the app setting \`extra_counters\` is on, the counters of \`${extraChannels.join('`, `')}\` follow. Without it, devices on these channels are in no counter of this response; \`/push/task/report\` always contains them. The counters are exact at the time of the request. Task data is deleted after \`CARILLON_RETENTION_DAYS\`. After that, this call returns the final counters until \`CARILLON_COUNTS_DAYS\` have passed. Tasks that do not exist, or that the caller cannot see, are omitted. The response has the order of the request, and contains each task only once.`,
  access: 'token',
  scope: 'push',
  reads: true,
  body: Type.Object({
    list: Type.Array(Int64(), { minItems: 1, maxItems: TASKS_MAX, description: 'Task IDs, at most 500.' }),
  }),
  data: Type.Array(
    Type.Object(
      {
        task_id: Int64({ description: 'Push task ID.' }),
        ...Object.fromEntries(counters),
        ...Object.fromEntries(extraCounters.map(([name, counter]) => [name, Type.Optional(counter)])),
      },
      { description: 'Push statistics record.' },
    ),
  ),
  problems: ['list-too-long'],
  examples: [
    {
      name: 'one task',
      body: { list: [115258093993985] },
      data: [
        {
          task_id: 115258093993985,
          ...exampleRecord,
          nativepush_sent: 1,
          nativepush_received: 1,
          nativepush_target: 1,
        },
      ],
    },
  ],
} as const satisfies Operation;
