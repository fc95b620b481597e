import { Type } from 'typebox';
import { providerNumbers } from '../push/certificate.ts';
import { NullableInt64, NullableText, timeField } from './fields.ts';

/** A device as its owner and admins see it. Vendor tokens are never returned. */
export const deviceRecord = Type.Object(
  {
    push_token: Type.String({ description: 'Push token, which identifies the device.' }),
    device_guid: Type.String({ description: 'Device ID that the app sent at login.' }),
    user_id: NullableInt64('ID of the user who is logged in on the device. Null if no user is logged in.'),
    alias: NullableText('Alias of the device. Null if it has none.'),
    tags: Type.Array(Type.String(), { description: 'Tags of the device.' }),
    bindings: Type.Array(
      Type.Object({
        provider: Type.Integer({ description: `Vendor: ${providerNumbers}.` }),
        environment: Type.Integer({ description: 'Environment: 0 = development, 1 = production.' }),
        bound_at: timeField('Time at which the vendor token was bound'),
      }),
      { description: 'Vendors for which a vendor token is bound to the device. The vendor tokens are not returned.' },
    ),
    online: Type.Boolean({ description: 'Whether the device is connected to the Carillon channel.' }),
    seen_on: Type.String({ description: 'Day of the last login or connection, such as `2026-11-15`.' }),
    registered_at: timeField('Time at which the current user first logged in on the device'),
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
