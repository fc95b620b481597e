import { Type } from 'typebox';
import { NullableInt64, timeField } from './fields.ts';

/** Status of an account at a vendor, for operators. */
export const channelRecord = Type.Object(
  {
    provider: Type.Integer({ description: 'Provider, as in `/push/certificate`.' }),
    environment: Type.Integer({ description: '0 = development, 1 = production.' }),
    name: Type.String({ description: 'Certificate name.' }),
    expire: NullableInt64('When the certificate expires, Unix epoch milliseconds; null: never.'),
    open: Type.Boolean({
      description: 'False: the provider is away or refuses the credentials, and is only tried now and then.',
    }),
    reason: Type.String({ description: "Why it is not open, in the provider's words; else empty." }),
    closed_at: NullableInt64('Since when it is not open, Unix epoch milliseconds.'),
    spent: Type.Array(
      Type.Object({
        class: Type.String({ description: 'The class of messages, where the provider counts some apart; else empty.' }),
        until: timeField('Until when nothing of it is sent there'),
      }),
      { description: 'Daily allowances that are used up. Notifications go on to the next vendor meanwhile.' },
    ),
    per_second: NullableInt64(
      'How many devices, or requests where the provider counts those, are sent there in a second at present: what the provider lets everyone send or what was agreed with it, less for a while after it was too much; null: as many as there are.',
    ),
    throttled_at: NullableInt64('When the provider last found it too quick, Unix epoch milliseconds; null: never.'),
  },
  { description: 'What is known of an account at a provider.' },
);
