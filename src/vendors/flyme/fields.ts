import { androidFieldTable } from '../translate/message-fields.ts';

export const flymeFields = androidFieldTable({
  type: {
    becomes: 'a notification, also for `image`; `cmd` is never sent, because Meizu does not support data-only messages',
  },
  title: { becomes: '`noticeBarInfo.title` (default: the beginning of the text), cut to 32 characters' },
  body: { becomes: '`noticeBarInfo.content` (default: `big_text`, then the title), cut to 100 characters' },
  attachment_url: { becomes: '`attachment_url` in `clickTypeInfo.parameters`; the image is not shown' },
  big_text: { becomes: '`noticeExpandInfo.noticeExpandContent`, cut to 1,000 characters' },
  badge: { dropped: 'Meizu does not support badges.' },
  ext: { becomes: '`ext` in `clickTypeInfo.parameters`, as a JSON string; left out if it does not fit' },
  show_end_time: { becomes: '`pushTimeInfo.validTime`: the remaining time in whole hours, 1 to 72' },
  sound: { dropped: 'Meizu does not support custom sounds; `none` turns the sound off.' },
  channel_id: { dropped: 'Meizu has no channels; `notice_msg_type` is used instead.' },
  click_action: { becomes: '`clickTypeInfo.clickType`: 0 opens the app, 1 a page' },
  intent: { becomes: '`clickTypeInfo.activity` (the class), with the extras in `clickTypeInfo.parameters`' },
  category: { dropped: 'Meizu has no message classes.' },
  notice_msg_type: { becomes: '`noticeBarInfo.noticeMsgType` (default: `notice_msg_type` in `certificate`)' },
  badge_class: { dropped: 'Meizu does not support badges.' },
});
