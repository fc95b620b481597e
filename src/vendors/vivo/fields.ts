import { androidFieldTable } from '../translate/message-fields.ts';

export const vivoFields = androidFieldTable({
  type: { becomes: 'a notification, of an `image` too; a `cmd` never comes here, and would be refused' },
  title: { becomes: '`title`, cut to 40 characters; missing: the beginning of the text' },
  body: { becomes: '`content`, cut to 100 characters; missing: `big_text`, or the title' },
  attachment_url: { becomes: '`attachment_url` in `clientCustomMap`; vivo shows no pictures' },
  big_text: { dropped: 'vivo has no large text; it is the text when there is no other.' },
  badge: { dropped: 'vivo can only add one, for apps that it has granted that.' },
  ext: { becomes: '`ext` in `clientCustomMap`, as a JSON text; left out if it does not fit' },
  show_end_time: { becomes: '`timeToLive`: what is left until then, a minute (for several phones 15) to a day' },
  sound: { dropped: 'vivo lets nobody choose one; `none` is silence, without ring and vibration.' },
  channel_id: { dropped: 'vivo has no channels; `category` decides.' },
  click_action: { becomes: '`skipType`: 1 opens the app, 4 a page' },
  intent: { becomes: '`skipContent`' },
  category: { becomes: '`category`; missing: `category` of the certificate' },
  push_mode: { becomes: '`pushMode`; in environment 0 always 1' },
  classification: { becomes: '`classification`, unless the category says it' },
});
