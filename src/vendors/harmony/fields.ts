import { androidFieldTable } from '../translate/message-fields.ts';

const NO_ANDROID = 'HarmonyOS does not use the parameters for Android';

export const harmonyFields = androidFieldTable({
  type: { becomes: 'header `push-type`: 0 with `payload.notification`; for `cmd`, 6 with `payload.extraData`' },
  title: { becomes: '`notification.title`; if blank, the beginning of the body; for `cmd`, `title` in the data' },
  body: {
    becomes:
      '`notification.body`, truncated if the message would exceed 4,096 bytes; if blank, `big_text` or the title; for `cmd`, `body` in the data',
  },
  attachment_url: {
    becomes: '`attachment_url` in the data; for type `image` with an https URL also `notification.image`',
  },
  big_text: { becomes: '`big_text` in the data; displayed only if `body` is blank' },
  badge: { becomes: '`badge` in the data, and `notification.badge.setNum` or `addNum`, at most 99' },
  ext: { becomes: '`ext` in the data, as a JSON string; left out if the message would exceed 4,096 bytes' },
  show_end_time: { becomes: '`pushOptions.ttl`: the time until `show_end_time`, at most 15 days' },
  sound: {
    becomes: '`notification.sound`, a file in `resources/rawfile`; blank, `default` and `none` are not sent',
    isVendorObjectOnly: true,
  },
  channel_id: { dropped: NO_ANDROID },
  click_action: { dropped: NO_ANDROID },
  intent: { dropped: NO_ANDROID },
  category: { becomes: '`notification.category`; if blank, `category` in `certificate`, otherwise `MARKETING`' },
  action: { becomes: '`notification.clickAction.action`, with `actionType` 1' },
  uri: { becomes: '`notification.clickAction.uri`, with `actionType` 1' },
  collapse_key: { becomes: '`pushOptions.collapseKey`' },
  foreground_show: { becomes: '`notification.foregroundShow`' },
});
