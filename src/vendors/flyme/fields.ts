import { androidFieldTable } from '../translate/message-fields.ts';

export const flymeFields = androidFieldTable({
  type: { becomes: 'a notification, of an `image` too; a `cmd` never comes here, and would be refused' },
  title: { becomes: '`noticeBarInfo.title`, cut to 32 characters; missing: the beginning of the text' },
  body: { becomes: '`noticeBarInfo.content`, cut to 100 characters; missing: `big_text`, or the title' },
  attachment_url: { becomes: '`attachment_url` in `clickTypeInfo.parameters`; it is not shown' },
  big_text: { becomes: '`noticeExpandInfo.noticeExpandContent`, cut to 1,000 characters' },
  badge: { dropped: 'Meizu has no badge.' },
  ext: { becomes: '`ext` in `clickTypeInfo.parameters`, as a JSON text; left out if it does not fit' },
  show_end_time: { becomes: '`pushTimeInfo.validTime`: the whole hours that are left until then, 1 to 72' },
  sound: { dropped: 'Meizu lets nobody choose one; `none` is silence.' },
  channel_id: { dropped: 'Meizu has no channels; `notice_msg_type` decides.' },
  click_action: { becomes: '`clickTypeInfo.clickType`: 0 opens the app, 1 a page' },
  intent: { becomes: '`clickTypeInfo.activity`, its class; its extras are in `clickTypeInfo.parameters`' },
  category: { dropped: 'Meizu has no classes.' },
  notice_msg_type: { becomes: '`noticeBarInfo.noticeMsgType`; missing: `notice_msg_type` of the certificate' },
  badge_class: { dropped: 'Meizu has no badge.' },
});
