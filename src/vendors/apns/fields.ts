import { droppedVendorFields, type FieldTable } from '../translate/message-fields.ts';

export const apnsFields: FieldTable = {
  type: {
    becomes: '`apns-push-type`: `background` for `cmd`, otherwise `alert`; `image` also sets `aps.mutable-content`',
  },
  title: { becomes: '`aps.alert.title`; for `cmd`, `title` next to `aps`' },
  body: {
    becomes:
      '`aps.alert.body`, truncated if the payload would exceed 4,096 bytes; for `cmd` or with `big_text`, `body` next to `aps`',
  },
  attachment_url: { becomes: '`attachment_url`, next to `aps`; the app must load the file' },
  big_text: { becomes: '`big_text`, next to `aps`; if `body` is blank, also `aps.alert.body`' },
  badge: {
    becomes: '`aps.badge`, with the number that Carillon counts for the device; for `cmd`, `badge` next to `aps`',
  },
  ext: { becomes: '`ext`, next to `aps`; left out if the payload would exceed 4,096 bytes' },
  show_begin_time: { dropped: 'Carillon does not send the notification before this time' },
  show_end_time: { becomes: '`apns-expiration`' },
  'ios.sound': { becomes: '`aps.sound`: `default` if blank; left out if `none`' },
  'ios.content_available': { becomes: '`aps.content-available`' },
  'ios.mutable_content': { becomes: '`aps.mutable-content`' },
  'ios.category': { becomes: '`aps.category`' },
  'ios.thread_id': { becomes: '`aps.thread-id`' },
  'ios.subtitle': { becomes: '`aps.alert.subtitle`' },
  'ios.apns_collapse_id': { becomes: '`apns-collapse-id`; if blank, the task ID' },
  ...droppedVendorFields,
};
