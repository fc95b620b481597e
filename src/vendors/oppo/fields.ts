import { androidFieldTable } from '../translate/message-fields.ts';

export const oppoFields = androidFieldTable({
  type: {
    becomes:
      'a notification without an image for `text` and `image`; `cmd` is not sent, because OPPO does not support data-only messages',
  },
  title: { becomes: '`title`, truncated to 50 characters; if blank, the beginning of the body' },
  body: { becomes: '`content`, truncated to 128 characters, with `style` 2 above 50 characters; if blank, the title' },
  attachment_url: { becomes: '`attachment_url` in `action_parameters`; OPPO displays images only in broadcasts' },
  big_text: { becomes: '`content`, instead of `body`, truncated to 128 characters, with `style` 2' },
  badge: {
    becomes:
      '`badge_operation_type` 0 (set) or 1 (add), and `badge_message_count`, at most 99; also `badge` in `action_parameters`',
  },
  ext: {
    becomes: '`ext` in `action_parameters`, as a JSON string; left out if the parameters exceed 4,000 characters',
  },
  show_end_time: {
    becomes:
      '`show_end_time`, with `show_start_time` and `show_time_type` 1; also `off_line_ttl`: the time until `show_end_time`, at most 10 days',
  },
  sound: { dropped: 'the channel and `notify_level` determine the sound' },
  channel_id: { becomes: '`channel_id`; if blank, `channel_id` in `certificate`' },
  click_action: { becomes: '`click_action_type`: 0 for `open_app`, 4 or 5 for `intent`' },
  intent: {
    becomes:
      '`click_action_activity` (type 4) and extras in `action_parameters`; if the intent has other parts, `click_action_url` (type 5) with the extras `mid` and `reference`',
  },
  category: { becomes: '`category`; if blank, `category` in `certificate`' },
  notify_level: {
    becomes:
      '`notify_level`, only with a category; if blank, `notify_level` in `certificate` for the category in `certificate`',
  },
  badge_class: { dropped: 'OPPO determines the icon automatically' },
});
