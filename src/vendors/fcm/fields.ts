import { androidFieldTable } from '../translate/message-fields.ts';

export const fcmFields = androidFieldTable({
  type: {
    becomes: '`text` and `image`: `android.notification` with priority `HIGH`; `cmd`: `data` alone, priority `NORMAL`',
  },
  title: { becomes: '`android.notification.title`; of a command `data.title`' },
  body: { becomes: '`android.notification.body`, cut to what fits; of a command `data.body`' },
  attachment_url: { becomes: '`data.attachment_url`; of an image, if it is https, also `android.notification.image`' },
  big_text: { becomes: '`android.notification.body` in place of the body: Android unfolds it' },
  badge: {
    becomes:
      '`+N`: `android.notification.notification_count` N; `M`: the same and `data.badge`, for 0 `data.badge` alone',
  },
  ext: { becomes: '`data.ext`, a JSON text' },
  show_end_time: { becomes: '`android.ttl`, in seconds from each attempt, at most four weeks' },
  sound: {
    becomes:
      '`android.notification.sound`; blank or `default`: `default_sound`; `none`: neither. From Android 8 on the channel decides',
  },
  channel_id: { becomes: '`android.notification.channel_id`' },
  click_action: { becomes: '`open_app`: nothing, which opens the app; `intent`: see `intent`' },
  intent: { becomes: '`data.intent`; its `action=…`, if it has one, also `android.notification.click_action`' },
  category: { dropped: 'Google does not sort messages into categories.' },
  badge_class: { dropped: 'Google finds the icon by itself.' },
});
