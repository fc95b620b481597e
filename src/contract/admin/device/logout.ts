import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, pushTokenText } from '../../schemas/fields.ts';

export const adminDeviceLogout = {
  method: 'POST',
  path: '/admin/device/logout',
  summary: 'Log a user out on one device',
  description:
    'Ends the login on a device, for example on a lost phone. Within five seconds, the access tokens of this login are rejected, and the connection of the device is closed. Nothing is delivered to the device until a user logs in on it again. Other logins of the user stay valid.',
  access: 'admin',
  scope: 'manage',
  audit: ['push_token'],
  revokes: true,
  body: Type.Object({ push_token: Type.String({ ...pushTokenText, description: 'Push token of the device.' }) }),
  data: emptyData,
  problems: ['no-such-device'],
  examples: [{ name: 'one device', body: { push_token: 'p05RJ4IcHz2u0icZJ8KD695LgAlXMC' }, data: {} }],
} as const satisfies Operation;
