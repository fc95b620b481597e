import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { channelField, noDeviceField, traceStateField, whyField } from '../../push/task/trace.ts';
import {
  NullableInt64,
  NullableText,
  pageFields,
  pushTokenText,
  timeField,
  userIdField,
} from '../../schemas/fields.ts';

const LIMIT_MAX = 100;
/** The default of `limit`. */
export const NOTIFICATIONS_DEFAULT = 20;

export const adminDeviceNotifications = {
  method: 'POST',
  path: '/admin/device/notifications',
  summary: 'List the notifications of a user or device',
  description:
    'Returns the notifications for one device, or for all devices of a user, latest first, one page at a time. Send either `push_token` or `user_id`. Each row has the state and the explanation of `/push/task/trace`, which returns the single attempts. A notification is listed when its audience is resolved to devices, for `CARILLON_RETENTION_DAYS`. A call searches a limited number of notifications, so a page can have few rows or none although `next` is not null. A device that its user was logged out of is listed only with `user_id`.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  translates: true,
  body: Type.Object({
    push_token: Type.Optional(Type.String({ ...pushTokenText, description: 'Push token of the device.' })),
    user_id: Type.Optional(userIdField),
    after: pageFields.after,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMIT_MAX,
        default: NOTIFICATIONS_DEFAULT,
        description: `Maximum number of rows; ${NOTIFICATIONS_DEFAULT} by default. The rows of one task are never divided, so a page can have more rows if the user has more devices.`,
      }),
    ),
  }),
  data: Type.Object({
    user_id: NullableInt64('ID of the user whose devices are listed. `/push/task/trace` accepts it with `task_id`.'),
    list: Type.Array(
      Type.Object({
        task_id: Int64({ description: 'Push task ID.' }),
        title: NullableText('Title of the notification. Null if it has none.'),
        accepted_at: timeField('Time at which the task was accepted'),
        device_guid: Type.String({ description: 'Device ID that the app sent at login.' }),
        push_token: NullableText(
          'Push token of the device. Null if no user is logged in on it. Trace such a device by `user_id`.',
        ),
        channel: {
          ...channelField,
          description:
            'Channel that delivered the notification, or the last one that was tried. `none` if no channel can reach the device.',
        },
        state: traceStateField(['acknowledged', 'sent', 'open', 'ended']),
        clicked: Type.Boolean({ description: 'Whether a click was reported.' }),
        why: whyField,
      }),
      { description: 'Notifications, one row for each task and device.' },
    ),
    next: NullableInt64('Value for `after` that returns older notifications. Null if all were searched.'),
    why: noDeviceField,
    incomplete: Type.Boolean({
      description: 'Whether a database was unavailable, so that rows can be missing. Repeat the call later.',
    }),
  }),
  problems: ['no-such-device'],
  examples: [
    {
      name: 'of a user',
      body: { user_id: 100001, limit: 1 },
      data: {
        user_id: 100001,
        list: [
          {
            task_id: 115258093993985,
            title: 'Hello',
            accepted_at: 1794705400000,
            device_guid: 'example-phone',
            push_token: 'p05RJ4IcHz2u0icZJ8KD695LgAlXMC',
            channel: 'nativepush',
            state: 'acknowledged',
            clicked: false,
            why: 'Delivered: the device acknowledged the notification on the Carillon channel.',
          },
        ],
        next: 115258093993985,
        why: null,
        incomplete: false,
      },
    },
  ],
} as const satisfies Operation;
