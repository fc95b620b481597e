import type { Operation } from '../operation.ts';
import { emptyData } from '../schemas/fields.ts';

export const tokenLogout = {
  method: 'POST',
  path: '/token/logout',
  summary: 'Log out',
  description:
    'Revokes the access token of this call. If the token was issued for a device, the device is logged out. Its connection is closed, and its push token, vendor tokens, tags, alias and waiting notifications are deleted. Nothing is delivered to the device until a user logs in on it again. To revoke an admin token, use `/admin/token/revoke`.',
  access: 'token',
  scope: null,
  data: emptyData,
  problems: [],
  examples: [{ name: 'log out', data: {} }],
} as const satisfies Operation;
