import { androidFieldTable } from '../translate/message-fields.ts';

const unsupported = { dropped: 'Xiaomi has no such thing.' } as const;

export const xiaomiFields = androidFieldTable({
  type: { becomes: 'a notification; a `cmd` never comes here, since Xiaomi carries none' },
  title: { becomes: '`title`, cut to 49 characters; missing: the beginning of the text' },
  body: { becomes: '`description`, cut to 127 characters; missing: the title' },
  attachment_url: { becomes: '`attachment_url` in `payload`; Xiaomi shows no pictures' },
  big_text: { becomes: '`description` instead of `body`, with `extra.notification_style_type` 1' },
  badge: { dropped: 'The launcher adds one for each notification by itself.' },
  ext: { becomes: '`ext` in `payload`, as a JSON text' },
  show_end_time: { becomes: '`time_to_live`: what is left until then, at most 1 day, with a template 10 days' },
  sound: { becomes: '`extra.sound_uri` as `android.resource://<package>/raw/<name>`; `none` and `default`: left out' },
  channel_id: {
    becomes: '`extra.channel_id`, from `message.xiaomi` alone; missing: `channel_id` of the certificate',
    isVendorObjectOnly: true,
  },
  click_action: { becomes: '`extra.notify_effect`: 1 opens the app, 2 a page' },
  intent: { becomes: '`extra.intent_uri`' },
  category: unsupported,
  template_id: { becomes: '`extra.template_id`; missing: `template_id` of the certificate, in its own channel' },
  template_param: { becomes: '`extra.template_param`; missing: title and text as `keywords1` and `keywords2`' },
  badge_class: unsupported,
});
