import { androidFieldTable } from '../translate/message-fields.ts';

export const fcmFields = androidFieldTable({
  type: {
    becomes: '`text` and `image`: `android.notification` with priority `HIGH`; `cmd`: `data` alone, priority `NORMAL`',
  },
  title: { becomes: '`android.notification.title`; for `cmd`, `data.title`' },
  body: { becomes: '`android.notification.body`, truncated to fit; for `cmd`, `data.body`' },
  attachment_url: {
    becomes: '`data.attachment_url`; for an `image` with an https URL also `android.notification.image`',
  },
  big_text: { becomes: '`android.notification.body` instead of `body`; Android expands it' },
  badge: {
    becomes: '`+N`: `android.notification.notification_count`; `M`: the same and `data.badge`; `0`: only `data.badge`',
  },
  ext: { becomes: '`data.ext`, a JSON string' },
  show_end_time: { becomes: '`android.ttl`, in seconds from each attempt, at most four weeks' },
  sound: {
    becomes:
      '`android.notification.sound`; `default_sound` if blank or `default`; neither if `none`. From Android 8 on, the channel decides',
  },
  channel_id: { becomes: '`android.notification.channel_id`' },
  click_action: { becomes: '`open_app`: omitted, which opens the app; `intent`: see `intent`' },
  intent: { becomes: '`data.intent`; its `action=…`, if present, also `android.notification.click_action`' },
  category: { dropped: 'Google does not sort messages into categories.' },
  badge_class: { dropped: 'Google determines the icon automatically.' },
});
