import { androidFieldTable } from '../translate/message-fields.ts';

export const honorFields = androidFieldTable({
  type: { becomes: '`android.notification`; a `cmd` has `data` only' },
  title: {
    becomes: '`android.notification.title`; missing: the beginning of the text. Of a command `title` in `data`',
  },
  body: {
    becomes: '`android.notification.body`, cut to what fits; missing: the title. Of a command `body` in `data`',
  },
  attachment_url: { becomes: '`attachment_url` in `data`; of an `image` by https also `android.notification.image`' },
  big_text: {
    becomes:
      '`android.notification.style` 1 with `bigTitle` and `bigBody`, and `body` in place of the body: Honor wants both texts equal',
  },
  badge: { becomes: '`android.notification.badge.setNum` or `addNum`, at most 99; only with `badge_class`' },
  ext: { becomes: '`ext` in `data`, as a JSON text' },
  show_end_time: { becomes: '`android.ttl`: what is left until then, at most 15 days' },
  sound: { dropped: 'Honor lets nobody choose a sound.' },
  channel_id: { dropped: 'Honor lets nobody choose a channel; `importance` decides.' },
  click_action: { becomes: '`android.notification.clickAction.type`: 3 opens the app, 1 a page' },
  intent: { becomes: '`android.notification.clickAction.intent`' },
  category: {
    becomes: '`android.notification.importance` if it is `LOW` or `NORMAL`; else `importance` of the certificate',
  },
  importance: { dropped: "It is Huawei's; `category` says it." },
  badge_class: { becomes: '`android.notification.badge.badgeClass`' },
});
