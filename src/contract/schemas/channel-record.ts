import { Type } from 'typebox';
import { NullableInt64, timeField } from './fields.ts';

/** Status of an account at a vendor, for operators. */
export const channelRecord = Type.Object(
  {
    provider: Type.Integer({ description: 'Vendor, as in `/push/certificate`.' }),
    environment: Type.Integer({ description: '0 = development, 1 = production.' }),
    name: Type.String({ description: 'Name of the credentials.' }),
    expire: NullableInt64('Expiry time of the credentials, Unix epoch milliseconds; null if they never expire.'),
    open: Type.Boolean({
      description:
        'False if the channel is paused: the vendor is unavailable or rejects the credentials, and only single probes are sent.',
    }),
    reason: Type.String({ description: 'Reason for the pause, as reported by the vendor; otherwise empty.' }),
    closed_at: NullableInt64('Start of the pause, Unix epoch milliseconds; null if the channel is not paused.'),
    spent: Type.Array(
      Type.Object({
        class: Type.String({ description: 'Message class, if the vendor counts classes separately; otherwise empty.' }),
        until: timeField('Time until which no message of this class is sent'),
      }),
      {
        description:
          'Daily quotas that are used up. Notifications fall back to the next channel until the time in `until`.',
      },
    ),
    per_second: NullableInt64(
      'Current rate limit, in devices per second, or in requests if the vendor counts requests. It is the general limit of the vendor or the agreed limit, and lower for a while after throttling. Null means no limit.',
    ),
    throttled_at: NullableInt64(
      'Time at which the vendor last throttled requests, Unix epoch milliseconds; null if never.',
    ),
  },
  { description: 'Status of an account at a vendor.' },
);
