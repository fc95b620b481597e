import { Type } from 'typebox';
import { traceCodes } from '#src/domain/trace/trace-events.ts';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableText, pushTokenText, StringEnum, timeField } from '../../schemas/fields.ts';

const channelField = Type.String({
  description: 'Channel, as in the statistics; `none` if no channel could reach the device.',
});

export const pushTaskTrace = {
  method: 'POST',
  path: '/push/task/trace',
  summary: 'Trace a push task to a device',
  description:
    "Explains for one task why a notification did or did not reach a device, or each device of a user. Returns every attempt in order, with the channel's own code and a plain sentence. Tasks are visible as in `/push/task/detail`. An admin can trace every device, a group admin the devices of group members, and a user their own devices. Send exactly one of `push_token` and `user_id`.",
  access: 'token',
  scope: 'push',
  body: Type.Object({
    task_id: Int64({ description: 'Push task ID.' }),
    push_token: Type.Optional(Type.String({ ...pushTokenText, description: 'Push token of the device.' })),
    user_id: Type.Optional(Int64({ description: 'User ID, to trace all devices of this user.' })),
  }),
  data: Type.Object({
    task_id: Int64({ description: 'Push task ID.' }),
    list: Type.Array(
      Type.Object({
        push_token: Type.String({ description: 'Push token, which identifies the device.' }),
        device_guid: Type.String({ description: 'Device ID, as it was sent at login.' }),
        state: StringEnum(
          ['acknowledged', 'sent', 'open', 'ended', 'outside'],
          '`acknowledged`: the device received the notification. `sent`: a vendor accepted the notification, or it was written to the device, without an acknowledgement. `open`: delivery is not finished. `ended`: the notification was not delivered. `outside`: the device is not in the audience, or not yet.',
        ),
        why: Type.String({ description: 'Explanation of the result, its reason, and what you can do about it.' }),
        channels: Type.Array(
          Type.Object({
            channel: channelField,
            sent: Type.Boolean({ description: 'Whether the notification counts as sent on this channel.' }),
            acknowledged: Type.Boolean({ description: 'Whether the notification counts as received on this channel.' }),
            left_out: Type.Integer({
              description: 'Number of attempts that were omitted in the middle because there were too many.',
            }),
          }),
          { description: 'Channels that were tried, in order.' },
        ),
        attempts: Type.Array(
          Type.Object({
            at: timeField('Time'),
            channel: channelField,
            said: StringEnum(traceCodes, 'Code of the event.'),
            detail: NullableText('Code or message of the channel, or a duration.'),
            text: Type.String({ description: 'The event as a sentence.' }),
          }),
          { description: 'Attempts and their results, oldest first.' },
        ),
      }),
      { description: 'Devices.' },
    ),
  }),
  problems: ['no-such-device'],
  examples: [
    {
      name: 'one device',
      body: { task_id: 115258093993985, push_token: 'p05RJ4IcHz2u0icZJ8KD695LgAlXMC' },
      data: {
        task_id: 115258093993985,
        list: [
          {
            push_token: 'p05RJ4IcHz2u0icZJ8KD695LgAlXMC',
            device_guid: 'example-phone',
            state: 'sent',
            why: 'Apple accepted the notification at 2026-11-15T00:00:05Z but does not report delivery. The app has not sent a receipt with /device/receipt. If the user did not see the notification, check the notification settings of the app on the device.',
            channels: [
              { channel: 'nativepush', sent: true, acknowledged: false, left_out: 0 },
              { channel: 'apns', sent: true, acknowledged: false, left_out: 0 },
            ],
            attempts: [
              {
                at: 1794700800000,
                channel: 'nativepush',
                said: 'written',
                detail: null,
                text: 'The notification was written to the device.',
              },
              {
                at: 1794700805000,
                channel: 'nativepush',
                said: 'silent',
                detail: '5 s',
                text: 'The device did not acknowledge the notification within 5 s.',
              },
              {
                at: 1794700805200,
                channel: 'apns',
                said: 'accepted',
                detail: '5A0BF0F4-5B0A-4B0E-9C0B-0A1B2C3D4E5F',
                text: 'Apple accepted the notification with message ID 5A0BF0F4-5B0A-4B0E-9C0B-0A1B2C3D4E5F.',
              },
            ],
          },
        ],
      },
    },
  ],
} as const satisfies Operation;
