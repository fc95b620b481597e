import { Type } from 'typebox';
import type { TraceState } from '#src/domain/trace/explain-delivery.ts';
import { traceCodes } from '#src/domain/trace/trace-events.ts';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableText, pushTokenText, StringEnum, timeField } from '../../schemas/fields.ts';

export const channelField = Type.String({
  description: 'Name of the channel, such as `apns`. `none` if no channel can reach the device.',
});

const stateTexts = {
  acknowledged: 'the device received the notification',
  sent: 'a vendor accepted the notification, or it was written to the connection, but there is no receipt',
  open: 'delivery is not finished',
  ended: 'the notification was not delivered',
  outside: 'the device is not in the audience, or the audience is not determined yet',
} as const satisfies Record<TraceState, string>;

export const traceStateField = <const T extends TraceState>(states: readonly T[]) =>
  StringEnum(states, states.map((state) => `\`${state}\`: ${stateTexts[state]}.`).join(' '));

export const whyField = Type.String({
  description: 'Explanation of the state, with the reason and the action that you can take.',
});

/** The explanation of an empty list of devices. */
export const noDeviceField = NullableText(
  'Explanation of why the user has no device, if `user_id` was sent and no device was found. Null otherwise.',
);

export const pushTaskTrace = {
  method: 'POST',
  path: '/push/task/trace',
  summary: 'Trace a push task to a device',
  description:
    'Explains why the notification of a task reached or did not reach a device. Send either `push_token`, to trace one device, or `user_id`, to trace all devices of a user. Returns every attempt in order, with the code of the channel and an explanation. The caller can trace the tasks that `/push/task/list` returns. An admin can trace them to all devices, a group admin to devices of group members, and a user to their own devices.',
  access: 'token',
  scope: 'push',
  reads: true,
  translates: true,
  body: Type.Object({
    task_id: Int64({ description: 'Push task ID.' }),
    push_token: Type.Optional(Type.String({ ...pushTokenText, description: 'Push token of the device.' })),
    user_id: Type.Optional(Int64({ description: 'ID of the user whose devices are traced.' })),
  }),
  data: Type.Object({
    task_id: Int64({ description: 'Push task ID.' }),
    list: Type.Array(
      Type.Object({
        push_token: Type.String({ description: 'Push token, which identifies the device.' }),
        device_guid: Type.String({ description: 'Device ID that the app sent at login.' }),
        state: traceStateField(['acknowledged', 'sent', 'open', 'ended', 'outside']),
        why: whyField,
        channels: Type.Array(
          Type.Object({
            channel: channelField,
            sent: Type.Boolean({ description: 'Whether the notification counts as sent on this channel.' }),
            acknowledged: Type.Boolean({ description: 'Whether the notification counts as received on this channel.' }),
            left_out: Type.Integer({
              description:
                'Number of attempts that are missing in the middle of `attempts`, because there were too many to keep.',
            }),
          }),
          { description: 'Channels that were tried, in the order of the attempts.' },
        ),
        attempts: Type.Array(
          Type.Object({
            at: timeField('Time of the event'),
            channel: channelField,
            said: StringEnum(traceCodes, 'Code of the event. `text` explains it.'),
            detail: NullableText('Error code or message of the channel, or a duration. Null if there is none.'),
            text: Type.String({ description: 'Explanation of the event.' }),
          }),
          { description: 'Attempts and their results, oldest first.' },
        ),
      }),
      { description: 'Traced devices.' },
    ),
    why: noDeviceField,
    incomplete: Type.Boolean({
      description: 'Whether devices of the user may be missing because a database is unavailable.',
    }),
  }),
  problems: ['no-such-task', 'no-such-device'],
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
        why: null,
        incomplete: false,
      },
    },
  ],
} as const satisfies Operation;
