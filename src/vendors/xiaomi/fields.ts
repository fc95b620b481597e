import { androidFieldTable } from '../translate/message-fields.ts';

const unsupported = { dropped: 'Xiaomi does not support this field' } as const;

export const xiaomiFields = androidFieldTable({
  type: {
    becomes:
      'a notification without an image for `text` and `image`; `cmd` is not sent, because Xiaomi does not support data-only messages',
  },
  title: { becomes: '`title`, truncated to 49 characters; if blank, the beginning of the body' },
  body: { becomes: '`description`, truncated to 127 characters; if blank, the title' },
  attachment_url: { becomes: '`attachment_url` in `payload`; Xiaomi does not display images' },
  big_text: { becomes: '`description`, instead of `body`, with `extra.notification_style_type` 1' },
  badge: { becomes: '`badge` in `payload`; the launcher adds 1 for each notification' },
  ext: { becomes: '`ext` in `payload`, as a JSON string; left out if the message would exceed 4,096 bytes' },
  show_end_time: {
    becomes: '`time_to_live`: the time until `show_end_time`, at most 1 day, or 10 days with a template',
  },
  sound: {
    becomes: '`extra.sound_uri` as `android.resource://<package>/raw/<name>`; left out if blank, `none` or `default`',
  },
  channel_id: {
    becomes: '`extra.channel_id`, only from `message.xiaomi`; if blank, `channel_id` in `certificate`',
    isVendorObjectOnly: true,
  },
  click_action: { becomes: '`extra.notify_effect`: 1 for `open_app`, 2 for `intent`' },
  intent: { becomes: '`extra.intent_uri`' },
  category: unsupported,
  template_id: {
    becomes: '`extra.template_id`; if blank, `template_id` in `certificate` for the channel in `certificate`',
  },
  template_param: { becomes: '`extra.template_param`; if blank, `keywords1` is the title and `keywords2` is the body' },
  badge_class: unsupported,
});
