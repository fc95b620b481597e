import { droppedAndroidFields, type FieldTable } from '../translate/message-fields.ts';

export const apnsFields: FieldTable = {
  type: { becomes: '`apns-push-type`: `alert`, or `background` for `cmd`; `image` sets `aps.mutable-content`' },
  title: { becomes: '`aps.alert.title`' },
  body: { becomes: '`aps.alert.body`, truncated so that the payload fits' },
  attachment_url: { becomes: '`attachment_url` next to `aps`; the app must fetch it' },
  big_text: { becomes: '`aps.alert.body` instead of `body`' },
  badge: { becomes: '`aps.badge`, counted by Carillon' },
  ext: { becomes: '`ext` next to `aps`' },
  show_begin_time: { dropped: 'Carillon holds the notification until then' },
  show_end_time: { becomes: '`apns-expiration`' },
  'ios.sound': { becomes: '`aps.sound`; `default` if blank, no sound if `none`' },
  'ios.content_available': { becomes: '`aps.content-available`' },
  'ios.mutable_content': { becomes: '`aps.mutable-content`' },
  'ios.category': { becomes: '`aps.category`' },
  'ios.thread_id': { becomes: '`aps.thread-id`' },
  'ios.subtitle': { becomes: '`aps.alert.subtitle`' },
  'ios.apns_collapse_id': { becomes: '`apns-collapse-id`; the task ID if blank' },
  ...droppedAndroidFields,
};
