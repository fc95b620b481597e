import { Type } from 'typebox';
import { NullableInt64, NullableText, timeField } from './fields.ts';

/** A device as its owner and admins see it. Vendor tokens are never returned. */
export const deviceRecord = Type.Object(
  {
    push_token: Type.String({ description: 'Push token, which identifies the device.' }),
    device_guid: Type.String({ description: 'Device ID, as it was sent at login.' }),
    user_id: NullableInt64('ID of the user who is logged in on the device; null if there is none.'),
    alias: NullableText('Alias.'),
    tags: Type.Array(Type.String(), { description: 'Tags.' }),
    bindings: Type.Array(
      Type.Object({
        provider: Type.Integer({ description: 'Vendor, as in `/push/certificate`.' }),
        environment: Type.Integer({ description: '0 = development, 1 = production.' }),
        bound_at: timeField('Time at which the vendor token was bound'),
      }),
      { description: 'Vendor tokens that are bound to the device.' },
    ),
    online: Type.Boolean({ description: 'Whether the device is connected to the Carillon channel.' }),
    seen_on: Type.String({ description: 'Day of the last login or connection, such as `2026-11-15`.' }),
    registered_at: timeField("Time of the owner's first login on the device"),
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
