import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import { NullableInt64, NullableInteger, NullableText } from '../schemas/fields.ts';

/** How one channel would send and display a notification. */
export const channelPreview = Type.Object({
  channel: Type.String({ description: 'Name of the channel, such as `apns` or `nativepush`.' }),
  environment: NullableInteger(
    'Environment of the credentials: 0 = development, 1 = production. Null for `nativepush`.',
  ),
  devices: Int64({ description: 'Number of devices for which this channel would be tried first.' }),
  title: NullableText('Title that the device displays, after truncation. Null if it displays none.'),
  body: NullableText('Text that the device displays, after truncation. Null if it displays none.'),
  big_text: NullableText(
    'Text of the expanded notification, after truncation. Null if the channel has no separate text for it.',
  ),
  message_class: NullableText(
    'Message class or category that would be sent, as the vendor names it, such as `MARKETING`. Null if the vendor receives none.',
  ),
  quota_class: NullableText(
    'Kind of message to which the daily quota of vivo applies: `operational` or `system`. Null for other channels.',
  ),
  quota_spent_until: NullableInt64(
    'If the daily quota for this message is used up: time at which Carillon sends such messages again, in Unix epoch milliseconds. Otherwise null.',
  ),
  quota_used: NullableInt64(
    'Approximate number of devices for which the vendor has accepted such messages since its daily quota was reset. Null if the vendor has no daily quota in this environment, if the number cannot be read, or if the caller is not an admin of the app.',
  ),
  quota_left: NullableInt64(
    'Approximate number of devices for which the vendor accepts such messages until its daily quota is reset. 0 if `quota_spent_until` is set. Otherwise null if `quota_used` is null, or if the limit is unknown. Only the limits for test messages are known, because the others depend on the app.',
  ),
  dropped: Type.Array(Type.String(), {
    description:
      'Message fields that are not sent, such as `android.sound`, because the vendor does not support them or because the message would be too large. Fields for other vendors are not listed.',
  }),
  notes: Type.Array(Type.String(), {
    description: 'Content that would be truncated, left out or rejected, and restrictions by the vendor.',
  }),
  payload: NullableText(
    'Request body for one device, as JSON. If the vendor expects a form, this is an object with the fields of the form. IDs and times are examples, `<token>` stands for the vendor token, and secrets are left out. Null if the credentials cannot be decrypted.',
  ),
});
