import { androidFieldTable } from '../translate/message-fields.ts';

export const fcmFields = androidFieldTable({
  type: {
    becomes: '`text`, `image`: `android.notification` with priority `HIGH`; `cmd`: only `data`, with priority `NORMAL`',
  },
  title: { becomes: '`android.notification.title`; for `cmd`, `data.title`' },
  body: {
    becomes:
      '`android.notification.body`, truncated if the message would exceed 4,096 bytes; for `cmd` or with `big_text`, `data.body`',
  },
  attachment_url: {
    becomes: '`data.attachment_url`; for type `image` with an https URL also `android.notification.image`',
  },
  big_text: { becomes: '`data.big_text`; if `body` is blank, also `android.notification.body`' },
  badge: { becomes: '`data.badge`; the number is also `android.notification.notification_count`, unless it is 0' },
  ext: { becomes: '`data.ext`, as a JSON string; left out if the message would exceed 4,096 bytes' },
  show_end_time: { becomes: '`android.ttl`: the time until `show_end_time` at each attempt, at most four weeks' },
  sound: {
    becomes:
      '`android.notification.sound`; if blank or `default`, `default_sound`; if `none`, neither; Android 8 and later use the sound of the channel',
  },
  channel_id: { becomes: '`android.notification.channel_id`' },
  click_action: {
    becomes: 'nothing for `open_app`, because FCM opens the app by default; for `intent`, see the next row',
  },
  intent: { becomes: '`data.intent`; its part `action=…`, if present, is also `android.notification.click_action`' },
  category: { dropped: 'FCM has no message categories' },
});
