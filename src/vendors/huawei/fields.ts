import { androidFieldTable } from '../translate/message-fields.ts';

export const huaweiFields = androidFieldTable({
  type: { becomes: '`android.notification`; a `cmd` has `data` only' },
  title: {
    becomes: '`android.notification.title`; missing: the beginning of the text. Of a command `title` in `data`',
  },
  body: {
    becomes:
      '`android.notification.body`, cut to what fits; missing: `big_text`, or the title. Of a command `body` in `data`',
  },
  attachment_url: { becomes: '`attachment_url` in `data`; of an `image` by https also `android.notification.image`' },
  big_text: { becomes: '`android.notification.style` 1 with `big_title` and `big_body`, cut to what fits' },
  badge: { becomes: '`android.notification.badge.set_num` or `add_num`, at most 99; only with `badge_class`' },
  ext: { becomes: '`ext` in `data`, as a JSON text' },
  show_end_time: { becomes: '`android.ttl`: what is left until then, at most 15 days' },
  sound: { becomes: '`android.notification.sound` as `/raw/<name>`; missing: `default_sound`; `none`: neither' },
  channel_id: { becomes: '`android.notification.channel_id`; missing: `channel_id` of the certificate' },
  click_action: { becomes: '`android.notification.click_action.type`: 3 opens the app, 1 a page' },
  intent: { becomes: '`android.notification.click_action.intent`' },
  category: { becomes: '`android.category`; missing: `category` of the certificate' },
  importance: { becomes: '`android.notification.importance`; missing: `importance` of the certificate' },
  badge_class: { becomes: '`android.notification.badge.class`' },
});
