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
  summary: 'What a notification would reach',
  description:
    'Takes the request of `/push/notify`, checks it in the same way, and tells what it would reach at this moment, what would be cut, and what vendors would demote or cap, without sending anything. `request_id` is not used up.',
  access: 'token',
  scope: 'push',
  body: pushNotify.body,
  data: Type.Object({
    devices: Int64({ description: 'Devices of the audience.' }),
    first: Type.Object(Object.fromEntries(firstCountFields), {
      description: 'How they would be tried first. Those that do not answer go on to the next channel.',
    }),
    waiting: Int64({ description: 'Of those on the own channel, how many would have it waiting until they connect.' }),
    unreachable: Int64({ description: 'Devices that no channel can reach with this message.' }),
    cuts: Type.Array(
      Type.Object({
        channel: Type.String({ description: 'Channel.' }),
        text: Type.String({ description: 'What it would cut, in a sentence.' }),
      }),
      { description: 'What channels that are tried first would cut.' },
    ),
    demotions: Type.Array(
      Type.Object({
        channel: Type.String({ description: 'Channel.' }),
        environment: Type.Integer({ description: 'Which of its certificates: 0 = development, 1 = production.' }),
        text: Type.String({ description: 'What it would demote or cap and what to do about it, in sentences.' }),
      }),
      {
        description:
          'What the vendors that devices of the audience may be tried on would show less of, later, or to fewer phones, with the settings of their certificates.',
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
