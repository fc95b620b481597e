import { androidFieldTable } from '../translate/message-fields.ts';

export const oppoFields = androidFieldTable({
  type: {
    becomes: 'a notification, also for `image`; `cmd` is never sent, because OPPO does not support data-only messages',
  },
  title: { becomes: '`title` (default: the beginning of the text), cut to 50 characters' },
  body: { becomes: '`content` (default: the title); above 50 characters with `style` 2, cut to 128' },
  attachment_url: { becomes: '`attachment_url` in `action_parameters`; OPPO shows images only in broadcasts' },
  big_text: { becomes: '`content` instead of `body`, cut to 128 characters, with `style` 2' },
  badge: { becomes: '`badge_operation_type` 0 (set) or 1 (add) with `badge_message_count`, at most 99' },
  ext: { becomes: '`ext` in `action_parameters`, as a JSON string' },
  show_end_time: { becomes: '`off_line_ttl`: the remaining time, at most 10 days' },
  sound: { dropped: 'The channel and `notify_level` determine the sound.' },
  channel_id: { becomes: '`channel_id` (default: `channel_id` in `certificate`)' },
  click_action: { becomes: '`click_action_type`: 0 opens the app, 4 or 5 a page' },
  intent: {
    becomes:
      '`click_action_activity` (type 4) with string extras in `action_parameters`; any other intent becomes `click_action_url` (type 5)',
  },
  category: { becomes: '`category` (default: `category` in `certificate`, with its `notify_level`)' },
  notify_level: {
    becomes:
      '`notify_level`, only together with a category (default: `notify_level` in `certificate`, only for the category in `certificate`)',
  },
  badge_class: { dropped: 'OPPO finds the icon automatically.' },
});
