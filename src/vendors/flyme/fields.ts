import { androidFieldTable } from '../translate/message-fields.ts';

export const flymeFields = androidFieldTable({
  type: {
    becomes:
      'a notification without an image for `text` and `image`; `cmd` is not sent, because Meizu does not support data-only messages',
  },
  title: { becomes: '`noticeBarInfo.title`, truncated to 32 characters; if blank, the beginning of the body' },
  body: { becomes: '`noticeBarInfo.content`, truncated to 100 characters; if blank, `big_text` or the title' },
  attachment_url: { becomes: '`attachment_url` in `clickTypeInfo.parameters`; Meizu does not display the image' },
  big_text: { becomes: '`noticeExpandInfo.noticeExpandContent`, truncated to 1,000 characters' },
  badge: { becomes: '`badge` in `clickTypeInfo.parameters`; Meizu does not support badges' },
  ext: {
    becomes:
      '`ext` in `clickTypeInfo.parameters`, as a JSON string; left out if the parameters exceed 1,000 characters',
  },
  show_end_time: {
    becomes:
      '`advanceInfo.fixEndDisplayTime`, with `fixStartDisplayTime` and `fixDisplay` 1; also `pushTimeInfo.validTime`: the time until `show_end_time` in whole hours, from 1 to 72',
  },
  sound: {
    dropped: 'Meizu does not support custom sounds; only `none` has an effect and turns the sound off',
    exceptValue: 'none',
  },
  channel_id: { dropped: 'Meizu has no notification channels; `notice_msg_type` sets the message class' },
  click_action: { becomes: '`clickTypeInfo.clickType`: 0 for `open_app`, 1 for `intent`' },
  intent: { becomes: 'the class in `clickTypeInfo.activity`, and the extras in `clickTypeInfo.parameters`' },
  category: { dropped: 'Meizu has no message categories; `notice_msg_type` sets the message class' },
  notice_msg_type: { becomes: '`noticeBarInfo.noticeMsgType`; if blank, `notice_msg_type` in `certificate`' },
  badge_class: { dropped: 'Meizu does not support badges' },
});
