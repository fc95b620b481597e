import type { Operation } from '../operation.ts';
import { emptyData } from '../schemas/fields.ts';

export const tokenLogout = {
  method: 'POST',
  path: '/token/logout',
  summary: 'Log out',
  description:
    'Ends this access token. If it was issued with a device, the device is logged out: its session ends, its push token, vendor tokens, tags, alias and waiting messages are gone, and nothing is delivered to it until somebody logs in on it again.',
  access: 'token',
  scope: null,
  data: emptyData,
  problems: [],
  examples: [{ name: 'logging out', data: {} }],
} as const satisfies Operation;
