import type { Operation } from '../operation.ts';
import { emptyData } from '../schemas/fields.ts';

export const tokenLogout = {
  method: 'POST',
  path: '/token/logout',
  summary: 'Log out',
  description:
    'Revokes this access token. If it was issued with a device, the device is logged out: its session ends, and its push token, vendor tokens, tags, alias and waiting notifications are deleted. Nothing is delivered to the device until a user logs in on it again.',
  access: 'token',
  scope: null,
  data: emptyData,
  problems: [],
  examples: [{ name: 'log out', data: {} }],
} as const satisfies Operation;
