import { androidFieldTable } from '../translate/message-fields.ts';

export const huaweiFields = androidFieldTable({
  type: { becomes: '`android.notification`; a `cmd` has `data` only' },
  title: {
    becomes:
      '`android.notification.title` (default: the beginning of the text); in a data-only message `title` in `data`',
  },
  body: {
    becomes:
      '`android.notification.body` (default: `big_text`, then the title), cut to fit; in a data-only message `body` in `data`',
  },
  attachment_url: {
    becomes: '`attachment_url` in `data`; for an `image` with an https URL also `android.notification.image`',
  },
  big_text: { becomes: '`android.notification.style` 1 with `big_title` and `big_body`, cut to fit' },
  badge: { becomes: '`android.notification.badge.set_num` or `add_num`, at most 99; only with `badge_class`' },
  ext: { becomes: '`ext` in `data`, as a JSON string' },
  show_end_time: { becomes: '`android.ttl`: the remaining time, at most 15 days' },
  sound: { becomes: '`android.notification.sound` as `/raw/<name>` (default: `default_sound`); neither for `none`' },
  channel_id: { becomes: '`android.notification.channel_id` (default: `channel_id` in `certificate`)' },
  click_action: { becomes: '`android.notification.click_action.type`: 3 opens the app, 1 a page' },
  intent: { becomes: '`android.notification.click_action.intent`' },
  category: { becomes: '`android.category` (default: `category` in `certificate`)' },
  importance: { becomes: '`android.notification.importance` (default: `importance` in `certificate`)' },
  badge_class: { becomes: '`android.notification.badge.class`' },
});
