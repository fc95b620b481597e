import { androidFieldTable } from '../translate/message-fields.ts';

export const vivoFields = androidFieldTable({
  type: {
    becomes: 'a notification, also for `image`; `cmd` is never sent, because vivo does not support data-only messages',
  },
  title: { becomes: '`title` (default: the beginning of the text), cut to 40 characters' },
  body: { becomes: '`content` (default: `big_text`, then the title), cut to 100 characters' },
  attachment_url: { becomes: '`attachment_url` in `clientCustomMap`; vivo shows no images' },
  big_text: { dropped: 'vivo has no expanded text; `big_text` is only used if `body` is missing.' },
  badge: { dropped: 'vivo can only add 1, and only for apps that have the permission for it.' },
  ext: { becomes: '`ext` in `clientCustomMap`, as a JSON string; left out if it does not fit' },
  show_end_time: {
    becomes: '`timeToLive`: the remaining time, at most 1 day and at least 1 minute (15 minutes for several devices)',
  },
  sound: { dropped: 'vivo does not support custom sounds; `none` turns sound and vibration off.' },
  channel_id: { dropped: 'vivo has no channels; `category` is used instead.' },
  click_action: { becomes: '`skipType`: 1 opens the app, 4 a page' },
  intent: { becomes: '`skipContent`' },
  category: { becomes: '`category` (default: `category` in `certificate`)' },
  push_mode: { becomes: '`pushMode`; in environment 0 always 1' },
  classification: { becomes: '`classification`, unless the category determines it' },
});
