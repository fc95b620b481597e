import { androidFieldTable } from '../translate/message-fields.ts';

const unsupported = { dropped: 'Xiaomi does not support this field.' } as const;

export const xiaomiFields = androidFieldTable({
  type: {
    becomes:
      'a notification, also for `image`; `cmd` is never sent, because Xiaomi does not support data-only messages',
  },
  title: { becomes: '`title` (default: the beginning of the text), cut to 49 characters' },
  body: { becomes: '`description` (default: the title), cut to 127 characters' },
  attachment_url: { becomes: '`attachment_url` in `payload`; Xiaomi shows no images' },
  big_text: { becomes: '`description` instead of `body`, with `extra.notification_style_type` 1' },
  badge: { dropped: 'The launcher adds 1 for each notification automatically.' },
  ext: { becomes: '`ext` in `payload`, as a JSON string' },
  show_end_time: { becomes: '`time_to_live`: the remaining time, at most 1 day (10 days with a template)' },
  sound: {
    becomes: '`extra.sound_uri` as `android.resource://<package>/raw/<name>`; left out for `none` and `default`',
  },
  channel_id: {
    becomes: '`extra.channel_id`, only from `message.xiaomi` (default: `channel_id` in `certificate`)',
    isVendorObjectOnly: true,
  },
  click_action: { becomes: '`extra.notify_effect`: 1 opens the app, 2 a page' },
  intent: { becomes: '`extra.intent_uri`' },
  category: unsupported,
  template_id: {
    becomes: '`extra.template_id` (default: `template_id` in `certificate`, only for the channel in `certificate`)',
  },
  template_param: { becomes: '`extra.template_param` (default: title and text as `keywords1` and `keywords2`)' },
  badge_class: unsupported,
});
