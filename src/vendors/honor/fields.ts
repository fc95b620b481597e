import { androidFieldTable } from '../translate/message-fields.ts';

export const honorFields = androidFieldTable({
  type: { becomes: '`android.notification`; a `cmd` has `data` only' },
  title: {
    becomes:
      '`android.notification.title` (default: the beginning of the text); in a data-only message `title` in `data`',
  },
  body: {
    becomes: '`android.notification.body` (default: the title), cut to fit; in a data-only message `body` in `data`',
  },
  attachment_url: {
    becomes: '`attachment_url` in `data`; for an `image` with an https URL also `android.notification.image`',
  },
  big_text: {
    becomes:
      '`android.notification.style` 1 with `bigTitle` and `bigBody`; also replaces `body`, because Honor requires both texts to be equal',
  },
  badge: { becomes: '`android.notification.badge.setNum` or `addNum`, at most 99; only with `badge_class`' },
  ext: { becomes: '`ext` in `data`, as a JSON string' },
  show_end_time: { becomes: '`android.ttl`: the remaining time, at most 15 days' },
  sound: { dropped: 'Honor does not support custom sounds.' },
  channel_id: { dropped: 'Honor does not support custom channels; `importance` is used instead.' },
  click_action: { becomes: '`android.notification.clickAction.type`: 3 opens the app, 1 a page' },
  intent: { becomes: '`android.notification.clickAction.intent`' },
  category: {
    becomes: '`android.notification.importance` if it is `LOW` or `NORMAL`; otherwise `importance` in `certificate`',
  },
  importance: { dropped: 'Only Huawei uses this field; `category` sets the importance.' },
  badge_class: { becomes: '`android.notification.badge.badgeClass`' },
});
