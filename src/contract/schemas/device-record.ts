import { Type } from 'typebox';
import { providerNumbers } from '../push/certificate.ts';
import { NullableInt64, NullableText, timeField } from './fields.ts';

/** The state that the app on a device reported last. */
interface ReportedStateRecord {
  client: string | null;
  notifications: string | null;
  vendor_errors: { provider: number; error: string }[];
  reported_at: bigint;
}

const stateField = Type.Unsafe<ReportedStateRecord | null>({
  type: 'object',
  nullable: true,
  description:
    'State that the app reported last with `/device/state`. Null if it reported none since the login, or if no user is logged in.',
  required: ['client', 'notifications', 'vendor_errors', 'reported_at'],
  properties: {
    client: NullableText('Name and version of the SDK. Null if it was not reported.'),
    notifications: NullableText(
      'Whether the phone allows the app to display notifications: `allowed` or `denied`. Null if it was not reported.',
    ),
    vendor_errors: Type.Array(
      Type.Object({
        provider: Type.Integer({ description: `Vendor: ${providerNumbers}.` }),
        error: Type.String({ description: 'Reason why the vendor issued no vendor token.' }),
      }),
      { description: 'Vendors that issued no vendor token to the app.' },
    ),
    reported_at: timeField('Time of the report'),
  },
});

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
    state: stateField,
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
  state: {
    client: 'android 0.1.0',
    notifications: 'denied',
    vendor_errors: [{ provider: 2, error: '907135000' }],
    reported_at: 1794700800000,
  },
} as const;
