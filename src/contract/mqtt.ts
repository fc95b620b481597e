import { Type } from 'typebox';
import { deviceBadge } from './device/badge.ts';
import { deviceReceipt } from './device/receipt.ts';
import { messageSchema } from './schemas/message.ts';

/** The topic on which every device receives its notifications. */
export const PUSH_TOPIC = 'push';

const idText = (description: string) => Type.String({ pattern: '^\\d+$', description });

/** Payload of the `push` topic: the IDs of a notification, and its message after defaults are applied. */
export const notificationSchema = Type.Object(
  {
    task_id: idText('ID of the task. It is a string, so that clients do not round it.'),
    message_id: idText('ID of the notification, for detecting duplicates. It is the same as `task_id`.'),
    reference: Type.String({
      description: 'Identifies the notification if the device reports that the user has clicked it.',
    }),
    ...messageSchema.properties,
    type: Type.Union([Type.Literal('text'), Type.Literal('image'), Type.Literal('cmd')], {
      description: '`text`, `image` or `cmd` (data-only message).',
    }),
    badge: Type.String({
      pattern: '^\\+?\\d{1,9}$',
      description: 'Badge number of the app icon: `5` sets it to 5, and `+5` increases it by 5.',
    }),
  },
  { description: 'A notification, published to the topic `push` with QoS 1. Blank fields of the message are absent.' },
);

/** The topic on which devices that have subscribed to it learn that a notification is recalled. */
export const RECALL_TOPIC = 'recall';

/** Payload of the `recall` topic. */
export const recallSchema = Type.Object(
  {
    task_id: idText('ID of the task.'),
    message_id: idText('ID of the notification to remove. It is the same as `task_id`.'),
  },
  { description: 'The recall of a notification, published to the topic `recall` with QoS 0 if the device subscribed.' },
);

const { list, event } = deviceReceipt.body.properties;
const { badge } = deviceBadge.body.properties;

/** Payloads that a device can publish, by topic. */
export const reportSchemas = {
  'report/receipt': Type.Object(
    { list, event },
    { description: 'Notifications that arrived through a vendor or were clicked, in the format of `/device/receipt`.' },
  ),
  'report/badge': Type.Object(
    { badge },
    { description: 'Badge number that the app icon shows, in the format of `/device/badge`.' },
  ),
} as const;
