import { Type } from 'typebox';
import { providerNumbers } from '../push/certificate.ts';
import { NullableInt64, timeField } from './fields.ts';

/** Status of an account at a vendor, for operators. */
export const channelRecord = Type.Object(
  {
    provider: Type.Integer({ description: `Vendor: ${providerNumbers}.` }),
    environment: Type.Integer({ description: 'Environment: 0 = development, 1 = production.' }),
    name: Type.String({ description: 'Name of the credentials.' }),
    expire: NullableInt64(
      'Time at which the credentials expire, in Unix epoch milliseconds. Null if they do not expire.',
    ),
    open: Type.Boolean({
      description:
        'False if the channel is paused, because the vendor is unavailable or rejects the credentials. Carillon then sends only single notifications as probes.',
    }),
    reason: Type.String({
      description: 'Reason for the pause, usually the error of the vendor. Empty if the channel is not paused.',
    }),
    closed_at: NullableInt64(
      'Time at which the pause started, in Unix epoch milliseconds. Null if the channel is not paused.',
    ),
    probe_at: NullableInt64(
      'Time from which Carillon sends the next notification as a probe, in Unix epoch milliseconds. Null if the channel is not paused.',
    ),
    spent: Type.Array(
      Type.Object({
        class: Type.String({
          description:
            'Kind of message to which the quota of vivo applies: `operational` or `system`. Empty for other vendors.',
        }),
        until: timeField('Time at which Carillon sends such messages again'),
      }),
      {
        description:
          'Daily quotas that are used up. Until the time in `until`, affected notifications fall back to the next channel.',
      },
    ),
    per_second: NullableInt64(
      'Current rate limit, in devices per second (Xiaomi and Meizu: requests per second). Carillon lowers it temporarily after the vendor has throttled requests. Null means no limit.',
    ),
    throttled_at: NullableInt64(
      'Time at which the vendor last throttled requests, in Unix epoch milliseconds. Null if it never has.',
    ),
  },
  { description: 'Status of the channel of a vendor.' },
);
