import { Type } from 'typebox';
import { channels } from '#src/domain/channel.ts';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../operation.ts';
import { pushNotify } from './notify.ts';

const firstCountFields = channels.map((channel) => [
  channel,
  Int64({ description: `Devices that would be tried on ${channel} first.` }),
]);

export const pushValidate = {
  method: 'POST',
  path: '/push/validate',
  summary: 'Check a notification without sending it',
  description:
    'Accepts the request of `/push/notify` and checks it in the same way, but sends nothing. Returns the number of devices that the notification would reach now, the content that would be cut, and the demotions and caps that vendors would apply. `request_id` is not used up.',
  access: 'token',
  scope: 'push',
  body: pushNotify.body,
  data: Type.Object({
    devices: Int64({ description: 'Number of devices in the audience.' }),
    first: Type.Object(Object.fromEntries(firstCountFields), {
      description:
        'Number of devices by the channel that would be tried first. Devices that do not acknowledge fall back to the next channel.',
    }),
    waiting: Int64({
      description:
        'Number of devices on the Carillon channel for which the notification would wait until they connect.',
    }),
    unreachable: Int64({ description: 'Number of devices that no channel can reach with this message.' }),
    cuts: Type.Array(
      Type.Object({
        channel: Type.String({ description: 'Channel.' }),
        text: Type.String({ description: 'Sentence that describes the content that would be truncated.' }),
      }),
      { description: 'Content that would be cut on the channels that are tried first.' },
    ),
    demotions: Type.Array(
      Type.Object({
        channel: Type.String({ description: 'Channel.' }),
        environment: Type.Integer({ description: 'Environment of the credentials: 0 = development, 1 = production.' }),
        text: Type.String({ description: 'Demotion or cap and what to do about it, in sentences.' }),
      }),
      {
        description:
          'Demotions and caps by vendors that may be tried for the audience, given the settings of their credentials. The notification would be displayed less prominently, later, or on fewer devices.',
      },
    ),
  }),
  problems: pushNotify.problems,
  examples: [
    {
      name: 'everyone',
      body: { audience: 'all', message: { title: 'Hello', body: 'One keyboard, nine bells.' } },
      data: {
        devices: 1200,
        first: { ...Object.fromEntries(channels.map((channel) => [channel, 0])), nativepush: 800, apns: 350 },
        waiting: 500,
        unreachable: 50,
        cuts: [],
        demotions: [],
      },
    },
  ],
} as const satisfies Operation;
