import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { environmentField, providerField } from '../../push/certificate.ts';

export const adminChannelResume = {
  method: 'POST',
  path: '/admin/channel/resume',
  summary: 'Resume a paused vendor channel',
  description:
    'Ends the pause of a channel, instead of waiting for a successful probe. Call it after you have removed the cause of the pause, for example at the vendor. If the channel is paused, the call takes about a second, until all workers know that it is open. Carillon then sends new notifications immediately, and retries the 1,000 oldest waiting batches of each database within seconds. It retries the others at their next attempt, within about five minutes. If the vendor still does not respond or rejects the credentials, the channel is paused again after the next calls.',
  access: 'admin',
  scope: 'manage',
  audit: ['provider', 'environment'],
  body: Type.Object({ provider: providerField, environment: environmentField }),
  data: Type.Object({
    resumed: Type.Boolean({ description: 'Whether the channel was paused. False if nothing has changed.' }),
  }),
  problems: ['no-certificate'],
  examples: [{ name: 'APNs', body: { provider: 1 }, data: { resumed: true } }],
} as const satisfies Operation;
