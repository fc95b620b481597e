import { Type } from 'typebox';
import { channels } from '#src/domain/channel.ts';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { choiceField, NullableInt64 } from '../../schemas/fields.ts';

/** Maximum number of days per call. */
export const DAYS_MAX = 92;

const dayField = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description });

export const pushStatisticsDaily = {
  method: 'POST',
  path: '/push/statistics/daily',
  summary: 'Query push statistics by day and channel',
  description:
    'Returns the counters of all tasks of the app, added up by day and channel. A task belongs to the day in UTC on which it was accepted. The counters are stored sums, which a worker refreshes about once a minute. Only days and channels with at least one device are in the list. Counters are kept for `CARILLON_COUNTS_DAYS`.',
  access: 'admin',
  scope: 'push',
  reads: true,
  body: Type.Object({
    from: dayField('First day, such as `2026-11-01`.'),
    to: dayField(`Last day. The range can have at most ${DAYS_MAX} days.`),
    channel: choiceField(channels, { description: 'Only this channel.' }),
  }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        day: Type.String({ description: 'Day in UTC, such as `2026-11-01`.' }),
        channel: Type.String({ description: 'Name of the channel, such as `apns`.' }),
        target: Int64({ description: 'Sum of the `target` counters of the tasks.' }),
        sent: Int64({ description: 'Sum of the `sent` counters of the tasks.' }),
        received: Int64({ description: 'Sum of the `received` counters of the tasks.' }),
        clicked: Int64({ description: 'Number of devices on which users opened the notifications.' }),
      }),
      { description: 'Counters, ordered by day and channel.' },
    ),
    counted_at: NullableInt64(
      'Time at which the counters were refreshed, in Unix epoch milliseconds. They contain all changes until a minute before. If a database is unavailable, its counters and this time stay as they are. Null if the counters of a database were never refreshed.',
    ),
  }),
  problems: [],
  examples: [
    {
      name: 'two weeks',
      body: { from: '2026-11-01', to: '2026-11-14' },
      data: {
        list: [{ day: '2026-11-14', channel: 'apns', target: 1200, sent: 1190, received: 0, clicked: 75 }],
        counted_at: 1794705400000,
      },
    },
  ],
} as const satisfies Operation;
