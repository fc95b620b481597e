import { androidFieldTable } from '../translate/message-fields.ts';

export const vivoFields = androidFieldTable({
  type: {
    becomes:
      'a notification without an image for `text` and `image`; `cmd` is not sent, because vivo does not support data-only messages',
  },
  title: { becomes: '`title`, truncated to 40 characters; if blank, the beginning of the body' },
  body: {
    becomes:
      '`content`, truncated to 100 characters; if blank, `big_text` or the title; with `big_text`, also `body` in `clientCustomMap`',
  },
  attachment_url: { becomes: '`attachment_url` in `clientCustomMap`; vivo does not display images' },
  big_text: { becomes: '`big_text` in `clientCustomMap`; if `body` is blank, also `content`' },
  badge: {
    becomes:
      '`badge` in `clientCustomMap`; if `add_badge` in `certificate` is true, `+5` also sets `addBadge`, which adds 1',
  },
  ext: { becomes: '`ext` in `clientCustomMap`, as a JSON string; left out if the map exceeds 1,024 characters' },
  show_end_time: {
    becomes:
      '`timedDisplay`; also `timeToLive`: the time until `show_end_time`, at most 1 day; at least 1 minute, or 15 minutes for several devices',
  },
  sound: {
    dropped: 'vivo does not support custom sounds; only `none` has an effect and turns sound and vibration off',
    exceptValue: 'none',
  },
  channel_id: { dropped: 'vivo has no notification channels; `category` sets the message class' },
  click_action: { becomes: '`skipType`: 1 for `open_app`, 4 for `intent`' },
  intent: { becomes: '`skipContent`, with the extras `mid` and `reference`' },
  category: { becomes: '`category`; if blank, `category` in `certificate`, for messages of its classification' },
  push_mode: { becomes: '`pushMode`; in environment 0, it is always 1' },
  classification: {
    becomes:
      '`classification`; a known category of the message overrides it; if unset, `default_classification` in `certificate`',
  },
});
