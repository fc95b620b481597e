import { droppedPhoneFields, type FieldTable } from '../translate/message-fields.ts';

export const webPushFields: FieldTable = {
  type: { becomes: '`image` adds `notification.image`; `cmd` is not sent' },
  title: { becomes: '`notification.title`; if blank, the first 40 characters of the text' },
  body: {
    becomes:
      '`notification.body`, truncated if the payload would exceed 3,993 bytes; with `big_text`, also `notification.data.body`',
  },
  attachment_url: {
    becomes: '`notification.data.attachment_url`; for type `image` with an https URL also `notification.image`',
  },
  big_text: { becomes: '`notification.data.big_text`; if `body` is blank, instead `notification.body`' },
  badge: { becomes: '`notification.app_badge`, with the number that Carillon counts for the device' },
  ext: { becomes: '`notification.data.ext`; left out if the payload would exceed 3,993 bytes' },
  show_begin_time: { dropped: 'Carillon does not send the notification before this time' },
  show_end_time: { becomes: '`TTL`: the time until `show_end_time` at each attempt, at most four weeks' },
  ...droppedPhoneFields,
  navigate: { becomes: '`notification.navigate`; if blank, `navigate` in the credentials' },
  tag: { becomes: '`notification.tag` and the header `Topic`; if blank, the task ID' },
  icon: { becomes: '`notification.icon`' },
  lang: { becomes: '`notification.lang`' },
  dir: { becomes: '`notification.dir`' },
  silent: { becomes: '`notification.silent`' },
  urgency: { becomes: '`Urgency`; if blank, `high`' },
};
