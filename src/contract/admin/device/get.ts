import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { deviceRecord, exampleDevice } from '../../schemas/device-record.ts';
import { NullableText, pushTokenText, timeField } from '../../schemas/fields.ts';

interface SessionRecord {
  gateway: string;
  connected_at: bigint;
}

const sessionField = Type.Unsafe<SessionRecord | null>({
  type: 'object',
  nullable: true,
  description: 'Connection of the device to the Carillon channel. Null if it is not connected.',
  required: ['gateway', 'connected_at'],
  properties: {
    gateway: Type.String({ description: 'Name of the gateway to which the device is connected.' }),
    connected_at: timeField('Time at which the device connected'),
  },
});

export const adminDeviceGet = {
  method: 'POST',
  path: '/admin/device/get',
  summary: 'Get a device with its inbox and connection',
  description:
    'Returns a device with its badge, the notifications that wait in its inbox, and its connection to the Carillon channel.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  body: Type.Object({ push_token: Type.String({ ...pushTokenText, description: 'Push token of the device.' }) }),
  data: Type.Object({
    ...deviceRecord.properties,
    badge: Type.Integer({
      description:
        'Number on the app icon that Carillon stores for the device. Carillon stores it for devices that have had a binding for APNs or Web Push.',
    }),
    session: sessionField,
    inbox: Type.Array(
      Type.Object({
        task_id: Int64({ description: 'Push task ID.' }),
        title: NullableText('Title of the notification. Null if it has none.'),
        expire: timeField('Time at which the notification is removed from the inbox'),
      }),
      {
        description:
          'Notifications that wait until the device connects, or until the device acknowledges them. The oldest comes first, and there are at most 100.',
      },
    ),
  }),
  problems: ['no-such-device'],
  examples: [
    {
      name: 'one device',
      body: { push_token: exampleDevice.push_token },
      data: {
        ...exampleDevice,
        badge: 3,
        session: null,
        inbox: [{ task_id: 115258093993985, title: 'Your parcel has arrived', expire: 1794787200000 }],
      },
    },
  ],
} as const satisfies Operation;
