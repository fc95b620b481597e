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
    task_id: idText('ID of the task, as a string so that no client rounds it.'),
    message_id: idText('ID of the notification. A device receives a task once, so it is the same as `task_id`.'),
    ...messageSchema.properties,
    type: Type.Union([Type.Literal('text'), Type.Literal('image'), Type.Literal('cmd')], {
      description: '`text`, `image` or `cmd` (data-only message).',
    }),
    badge: Type.String({
      pattern: '^\\+?\\d{1,9}$',
      description: 'Change of the badge number: set to this number, or increased by it if it starts with `+`.',
    }),
  },
  { description: 'Published to `push` at QoS 1. Blank fields of the message are absent.' },
);

const { list } = deviceReceipt.body.properties;
const { badge } = deviceBadge.body.properties;

/** Payloads that a device can publish, by topic. */
export const reportSchemas = {
  'report/receipt': Type.Object(
    { list },
    { description: 'Notifications that vendors delivered and the app has seen, in the format of `/device/receipt`.' },
  ),
  'report/badge': Type.Object({ badge }, { description: 'Badge number, in the format of `/device/badge`.' }),
} as const;
