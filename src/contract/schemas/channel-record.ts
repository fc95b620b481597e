import { Type } from 'typebox';
import { outcomeKinds } from '#src/domain/vendor-account/last-response.ts';
import { Int64 } from '#src/foundation/int64.ts';
import { providerNumbers } from '../push/certificate.ts';
import { NullableInt64, StringEnum, timeField } from './fields.ts';

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
    usage: Type.Array(
      Type.Object({
        class: Type.String({
          description:
            'Kind of message to which the quota of vivo applies: `operational` or `system`. Empty for other vendors.',
        }),
        accepted: Int64({
          description:
            'Number of devices for which the vendor has accepted a notification, once for each notification.',
        }),
      }),
      {
        description:
          'Devices that the vendor has accepted since its daily quota was last reset. Empty if the vendor has no daily quota in this environment. The numbers are approximate. Workers store them once a minute, and a crash loses at most the last minute. The vendor can count differently, for example only some message classes. Carillon does not stop sending because of them. `/push/statistics/daily` returns the exact counters, by day in UTC.',
      },
    ),
    resets_at: NullableInt64(
      'Time at which the daily quota is next reset, in Unix epoch milliseconds. Null if `usage` is empty.',
    ),
    per_second: NullableInt64(
      'Current rate limit, in devices per second (Xiaomi and Meizu: requests per second). Carillon lowers it temporarily after the vendor has throttled requests. Null means no limit.',
    ),
    throttled_at: NullableInt64(
      'Time at which the vendor last throttled requests, in Unix epoch milliseconds. Null if it never has.',
    ),
    last_response: Type.Unsafe<{ at: bigint; result: (typeof outcomeKinds)[number]; reason: string } | null>({
      type: 'object',
      nullable: true,
      description:
        'How the vendor answered the last call with these credentials. Null if there was none. Workers store it once a minute, and earlier if the result changes.',
      required: ['at', 'result', 'reason'],
      properties: {
        at: timeField('Time of the response'),
        result: StringEnum(
          outcomeKinds,
          '`accepted`: the notification was accepted. `refused`: the notification was rejected. `token-dead`: the vendor token is invalid. `locked-out`: the credentials were rejected. `quota-spent`: a daily quota is used up. `throttled`: the rate limit was exceeded. `unreachable`: there was no clear response.',
        ),
        reason: Type.String({ description: 'Error of the vendor, at most 256 characters. Empty if there is none.' }),
      },
    }),
    last_receipt_at: NullableInt64(
      'Time at which the vendor last reported a receipt that Carillon recorded, in Unix epoch milliseconds. Null if there was none, or if the vendor sends no receipts. Both environments have the same time, because they share the callback URL. Carillon stores it at most once a minute.',
    ),
  },
  { description: 'Status of the channel of a vendor.' },
);
