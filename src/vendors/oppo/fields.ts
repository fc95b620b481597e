import { androidFieldTable } from '../translate/message-fields.ts';

export const oppoFields = androidFieldTable({
  type: { becomes: 'a notification; a `cmd` never comes here, since OPPO carries none' },
  title: { becomes: '`title`, cut to 50 characters; missing: the beginning of the text' },
  body: { becomes: '`content`; above 50 characters with `style` 2, cut to 128; missing: the title' },
  attachment_url: { becomes: '`attachment_url` in `action_parameters`; OPPO shows pictures in broadcasts only' },
  big_text: { becomes: '`content` instead of `body`, cut to 128 characters, with `style` 2' },
  badge: { becomes: '`badge_operation_type` 0 (set) or 1 (add) with `badge_message_count`, at most 99' },
  ext: { becomes: '`ext` in `action_parameters`, as a JSON text' },
  show_end_time: { becomes: '`off_line_ttl`: what is left until then, at most 10 days' },
  sound: { dropped: 'OPPO leaves that to the channel and to `notify_level`.' },
  channel_id: { becomes: '`channel_id`; missing: `channel_id` of the certificate' },
  click_action: { becomes: '`click_action_type`: 0 opens the app, 4 or 5 a page' },
  intent: {
    becomes:
      '`click_action_activity` (type 4) with its texts in `action_parameters`; one with anything else in it: `click_action_url` (type 5)',
  },
  category: { becomes: '`category`; missing: `category` of the certificate with its `notify_level`' },
  notify_level: {
    becomes: '`notify_level`, with a category alone; missing: that of the certificate, for its own category',
  },
  badge_class: { dropped: 'OPPO finds the icon by itself.' },
});
