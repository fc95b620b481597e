import { Type } from 'typebox';
import { deviceBadge } from './device/badge.ts';
import { deviceReceipt } from './device/receipt.ts';
import { messageSchema } from './schemas/message.ts';

/** The topic on which every device receives its notifications. */
export const PUSH_TOPIC = 'push';

const idText = (description: string) => Type.String({ pattern: '^\\d+$', description });

/** Payload of the topic `push`: the IDs of a notification, and its message after defaults are applied. */
export const notificationSchema = Type.Object(
  {
    task_id: idText('ID of the task; text, so that no client rounds it.'),
    message_id: idText('ID of the notification. A device gets a task once, so it is the same as `task_id`.'),
    ...messageSchema.properties,
    type: Type.Union([Type.Literal('text'), Type.Literal('image'), Type.Literal('cmd')], {
      description: '`text`, `image` or `cmd` (pass-through message).',
    }),
    badge: Type.String({
      pattern: '^\\+?\\d{1,9}$',
      description: 'What to do with the number on the icon: set it, or with `+` add to it.',
    }),
  },
  { description: 'Published to `push` at QoS 1. What was blank in the message is absent.' },
);

const { list } = deviceReceipt.body.properties;
const { badge } = deviceBadge.body.properties;

/** Payloads that a device can publish, by topic. */
export const reportSchemas = {
  'report/receipt': Type.Object(
    { list },
    { description: 'Notifications that vendors delivered and the app has seen, as `/device/receipt` takes them.' },
  ),
  'report/badge': Type.Object({ badge }, { description: "The number on the app's icon, as `/device/badge` takes it." }),
} as const;
