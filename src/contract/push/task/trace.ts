import { Type } from 'typebox';
import { traceCodes } from '#src/domain/trace/trace-events.ts';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableText, pushTokenText, StringEnum, timeField } from '../../schemas/fields.ts';

const channelField = Type.String({
  description: 'Channel, as in the statistics; `none`: no channel could reach the device.',
});

export const pushTaskTrace = {
  method: 'POST',
  path: '/push/task/trace',
  summary: 'Why a notification did not arrive, or that it did',
  description:
    "For one task and one device, or each device of a user: every attempt in order, in the channel's own words, and a plain sentence. Tasks are seen as in `/push/task/detail`; an admin sees every device, a group's admin those of members, a user their own. Give exactly one of `push_token` and `user_id`.",
  access: 'token',
  scope: 'push',
  body: Type.Object({
    task_id: Int64({ description: 'Push task ID.' }),
    push_token: Type.Optional(Type.String({ ...pushTokenText, description: 'Push token of the device.' })),
    user_id: Type.Optional(Int64({ description: 'User ID: all devices that are theirs.' })),
  }),
  data: Type.Object({
    task_id: Int64({ description: 'Push task ID.' }),
    list: Type.Array(
      Type.Object({
        push_token: Type.String({ description: 'Push token: the address of the device.' }),
        device_guid: Type.String({ description: 'Device ID, as it was sent at login.' }),
        state: StringEnum(
          ['acknowledged', 'sent', 'open', 'ended', 'outside'],
          '`acknowledged`: the device has it. `sent`: a vendor took it, or it was written to the device, without an acknowledgement. `open`: something will still be done. `ended`: it did not arrive. `outside`: the device is not in the audience, or not yet.',
        ),
        why: Type.String({ description: 'What became of it, why, and what can be done about it.' }),
        channels: Type.Array(
          Type.Object({
            channel: channelField,
            sent: Type.Boolean({ description: 'Whether it counts as sent there.' }),
            acknowledged: Type.Boolean({ description: 'Whether it counts as received there.' }),
            left_out: Type.Integer({ description: 'Attempts in the middle that were too many to be kept.' }),
          }),
          { description: 'The channels it was tried on, in order.' },
        ),
        attempts: Type.Array(
          Type.Object({
            at: timeField('When'),
            channel: channelField,
            said: StringEnum(traceCodes, 'What was said of it.'),
            detail: NullableText("The channel's own word for it, or how long."),
            text: Type.String({ description: 'The same as a sentence.' }),
          }),
          { description: 'What was tried and what came of it, the first first.' },
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
            why: 'Apple accepted it at 2026-11-15T00:00:05Z and never tells what arrived; the app can, by /device/receipt, and has not. If it was not seen, look whether the phone shows notifications of this app.',
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
                text: 'It was written to the device.',
              },
              {
                at: 1794700805000,
                channel: 'nativepush',
                said: 'silent',
                detail: '5 s',
                text: 'The device did not acknowledge it within 5 s.',
              },
              {
                at: 1794700805200,
                channel: 'apns',
                said: 'accepted',
                detail: '5A0BF0F4-5B0A-4B0E-9C0B-0A1B2C3D4E5F',
                text: 'Apple accepted it as 5A0BF0F4-5B0A-4B0E-9C0B-0A1B2C3D4E5F.',
              },
            ],
          },
        ],
      },
    },
  ],
} as const satisfies Operation;
