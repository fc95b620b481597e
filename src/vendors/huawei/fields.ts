import { androidFieldTable } from '../translate/message-fields.ts';

export const huaweiFields = androidFieldTable({
  type: { becomes: '`android.notification` and `data`; for `cmd`, only `data`' },
  title: {
    becomes: '`android.notification.title`; if blank, the beginning of the body; for `cmd`, `title` in `data`',
  },
  body: {
    becomes:
      '`android.notification.body`, truncated if the message would exceed 4,096 bytes; if blank, `big_text` or the title; for `cmd`, `body` in `data`',
  },
  attachment_url: {
    becomes: '`attachment_url` in `data`; for type `image` with an https URL also `android.notification.image`',
  },
  big_text: {
    becomes:
      '`android.notification.big_body`, with `style` 1 and `big_title`; truncated if the message would exceed 4,096 bytes; for `cmd`, `big_text` in `data`',
  },
  badge: {
    becomes:
      '`badge` in `data`; if `badge_class` is set, also `android.notification.badge.set_num` or `add_num`, at most 99',
  },
  ext: { becomes: '`ext` in `data`, as a JSON string; left out if the message would exceed 4,096 bytes' },
  show_end_time: { becomes: '`android.ttl`: the time until `show_end_time`, at most 15 days' },
  sound: {
    becomes:
      '`android.notification.sound` as `/raw/<name>`; if blank or `default`, `default_sound`; if `none`, no sound',
  },
  channel_id: { becomes: '`android.notification.channel_id`; if blank, `channel_id` in `certificate`' },
  click_action: { becomes: '`android.notification.click_action.type`: 3 for `open_app`, 1 for `intent`' },
  intent: { becomes: '`android.notification.click_action.intent`, with the extras `mid` and `reference`' },
  category: { becomes: '`android.category`; if blank, `category` in `certificate`' },
  importance: { becomes: '`android.notification.importance`; if blank, `importance` in `certificate`' },
  badge_class: { becomes: '`android.notification.badge.class`' },
});
