import { Type } from 'typebox';
import { NullableInt64, NullableText, timeField } from './fields.ts';

/** A device as its owner and admins see it. Vendor tokens are never returned. */
export const deviceRecord = Type.Object(
  {
    push_token: Type.String({ description: 'Push token: the address of the device.' }),
    device_guid: Type.String({ description: 'Device ID, as it was sent at login.' }),
    user_id: NullableInt64('Whose it is now; null: nobody is logged in on it.'),
    alias: NullableText('Alias.'),
    tags: Type.Array(Type.String(), { description: 'Tags.' }),
    bindings: Type.Array(
      Type.Object({
        provider: Type.Integer({ description: 'Provider, as in `/push/certificate`.' }),
        environment: Type.Integer({ description: '0 = development, 1 = production.' }),
        bound_at: timeField('When the vendor token was told'),
      }),
      { description: 'Vendors that reach it.' },
    ),
    online: Type.Boolean({ description: 'Whether it is connected to the own channel.' }),
    seen_on: Type.String({ description: 'The day on which it last logged in or connected, as `2026-11-15`.' }),
    registered_at: timeField('When its owner first logged in on it'),
  },
  { description: 'A device.' },
);

export const exampleDevice = {
  push_token: 'p05RJ4IcHz2u0icZJ8KD695LgAlXMC',
  device_guid: 'example-phone',
  user_id: 100001,
  alias: 'ada',
  tags: ['beta', 'news'],
  bindings: [{ provider: 1, environment: 1, bound_at: 1794700800000 }],
  online: false,
  seen_on: '2026-11-15',
  registered_at: 1794700800000,
} as const;
