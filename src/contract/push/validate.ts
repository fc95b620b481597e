import { Type } from 'typebox';
import { channels } from '#src/domain/channel.ts';
import { Int64 } from '#src/foundation/int64.ts';
import { LARGE_BODY_BYTES_MAX, type Operation } from '../operation.ts';
import { pushNotify } from './notify.ts';
import { channelPreview } from './preview.ts';

const firstCountFields = channels.map((channel) => [
  channel,
  Int64({ description: 'Number of devices for which this channel would be tried first.' }),
]);

export const pushValidate = {
  method: 'POST',
  path: '/push/validate',
  summary: 'Check a notification without sending it',
  description:
    'Accepts the same request as `/push/notify`, but sends nothing. Returns the number of devices that the notification would reach now, and the content that vendors would truncate. Also returns restrictions by vendors, such as a lower message class or a daily limit per device, and a preview for each channel. `request_id` is not recorded, so you can use it afterwards.',
  access: 'token',
  scope: 'push',
  reads: true,
  translates: true,
  bodyBytesMax: LARGE_BODY_BYTES_MAX,
  checksFieldNames: true,
  body: pushNotify.body,
  data: Type.Object({
    devices: Int64({ description: 'Number of devices in the audience.' }),
    first: Type.Object(Object.fromEntries(firstCountFields), {
      description:
        'Number of devices for each channel that would be tried first. A device that this channel does not reach falls back to its next channel.',
    }),
    waiting: Int64({
      description: 'Number of offline devices for which the notification would wait in the inbox until they connect.',
    }),
    unreachable: Int64({ description: 'Number of devices that no channel can reach with this message.' }),
    cuts: Type.Array(
      Type.Object({
        channel: Type.String({ description: 'Name of the channel, such as `apns`.' }),
        text: Type.String({ description: 'Description of the content that would be truncated or left out.' }),
      }),
      { description: 'Content that would be truncated, left out or rejected by the vendors that are tried first.' },
    ),
    demotions: Type.Array(
      Type.Object({
        channel: Type.String({ description: 'Name of the channel, such as `huawei`.' }),
        environment: Type.Integer({ description: 'Environment of the credentials: 0 = development, 1 = production.' }),
        text: Type.String({ description: 'Description of the restriction, and the action that you can take.' }),
      }),
      {
        description:
          'Restrictions by vendors that may be tried for this audience, with the settings in their credentials. The notification would be displayed less prominently, later, or on fewer devices.',
      },
    ),
    previews: Type.Array(channelPreview, {
      description:
        'How the notification would be sent and displayed, for each channel that may be tried for this audience. A vendor has one entry for each environment.',
    }),
    ignored: Type.Array(Type.String(), {
      description:
        'Paths of unknown fields, such as `message.colour`, which are ignored. If the list is too long, it ends with `...`.',
    }),
    incomplete: Type.Boolean({
      description: 'Whether a database was unavailable. The numbers of devices are then too low.',
    }),
  }),
  problems: ['list-too-long', 'image-too-large', 'bad-time-window', 'too-many-requests'],
  examples: [
    {
      name: 'a notification to all devices',
      body: { audience: 'all', message: { title: 'Hello', body: 'One request, every device.' } },
      data: {
        devices: 1200,
        first: { ...Object.fromEntries(channels.map((channel) => [channel, 0])), nativepush: 800, apns: 350 },
        waiting: 500,
        unreachable: 50,
        cuts: [],
        demotions: [],
        previews: [
          {
            channel: 'apns',
            environment: 1,
            devices: 350,
            title: 'Hello',
            body: 'One request, every device.',
            big_text: null,
            message_class: null,
            quota_class: null,
            quota_spent_until: null,
            quota_used: null,
            quota_left: null,
            dropped: [],
            notes: [],
            payload:
              '{"aps":{"alert":{"title":"Hello","body":"One request, every device."},"badge":1,"sound":"default"},"mid":"116535934853119","reference":"116535934853119.4095.0"}',
          },
        ],
        ignored: [],
        incomplete: false,
      },
    },
  ],
} as const satisfies Operation;
