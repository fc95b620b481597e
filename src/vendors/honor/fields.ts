import { androidFieldTable } from '../translate/message-fields.ts';

export const honorFields = androidFieldTable({
  type: { becomes: '`android.notification` and `data`; for `cmd`, only `data`' },
  title: {
    becomes: '`android.notification.title`; if blank, the beginning of the body; for `cmd`, `title` in `data`',
  },
  body: {
    becomes:
      '`android.notification.body`, truncated if the message would exceed 4,096 bytes; if blank, the title; for `cmd`, `body` in `data`',
  },
  attachment_url: {
    becomes: '`attachment_url` in `data`; for type `image` with an https URL also `android.notification.image`',
  },
  big_text: {
    becomes:
      '`android.notification.bigBody`, with `style` 1 and `bigTitle`; also replaces `body`, because Honor requires equal texts; for `cmd`, `big_text` in `data`',
  },
  badge: {
    becomes:
      '`badge` in `data`; if `badge_class` is set, also `android.notification.badge.setNum` or `addNum`, at most 99',
  },
  ext: { becomes: '`ext` in `data`, as a JSON string; left out if the message would exceed 4,096 bytes' },
  show_end_time: { becomes: '`android.ttl`: the time until `show_end_time`, at most 15 days' },
  sound: { dropped: 'Honor does not support custom sounds' },
  channel_id: { dropped: 'Honor does not support custom channels; `category` sets the importance' },
  click_action: { becomes: '`android.notification.clickAction.type`: 3 for `open_app`, 1 for `intent`' },
  intent: { becomes: '`android.notification.clickAction.intent`, with the extras `mid` and `reference`' },
  category: {
    becomes: '`android.notification.importance`; if it is not `LOW` or `NORMAL`, `importance` in `certificate`',
  },
  importance: { dropped: 'only Huawei uses this field; for Honor, `category` sets the importance' },
  badge_class: { becomes: '`android.notification.badge.badgeClass`' },
});
