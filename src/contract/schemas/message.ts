import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';

const TITLE_CHARACTERS_MAX = 256;
const TEXT_CHARACTERS_MAX = 4_096;
const URL_CHARACTERS_MAX = 2_048;
/** APNs limit for a collapse ID. */
const COLLAPSE_ID_BYTES_MAX = 64;
/** The value is sent in an HTTP header, so control characters and leading or trailing spaces are not allowed. */
const HEADER_TEXT = '^(?! )[^\\u0000-\\u001f\\u007f]*(?<! )$';

const optionalText = (description: string, maxLength = 1_024) => Type.Optional(Type.String({ maxLength, description }));

const androidFields = {
  sound: optionalText('Alert sound.'),
  channel_id: optionalText('ID of the notification channel.'),
  click_action: Type.Optional(
    Type.Union([Type.Literal('intent'), Type.Literal('open_app')], {
      description: 'Action on click: `intent` opens a specific page, `open_app` opens the home page of the app.',
    }),
  ),
  intent: optionalText(
    'Page to open; required when `click_action` is `intent`. An intent URI that names the component as `<package>/<activity>`, followed by optional `S.<key>=<value>` parts and `end`.',
    TEXT_CHARACTERS_MAX,
  ),
};

const ANDROID_DESCRIPTION =
  "A vendor's field overrides the `android` field of the same name; `click_action` and `intent` are overridden as a pair.";

const androidParameters = (extra: Parameters<typeof Type.Object>[0] = {}) =>
  Type.Optional(Type.Object({ ...androidFields, ...extra }, { description: ANDROID_DESCRIPTION }));

const badgeClass = {
  badge_class: optionalText('Class name of the entry activity of the app, used for the badge on the launcher icon.'),
};
const category = {
  category: optionalText(
    "Message category, in the vendor's notation; blank means the category set in the credentials.",
    64,
  ),
};

const importance = {
  importance: Type.Optional(
    Type.Union([Type.Literal('LOW'), Type.Literal('NORMAL')], {
      description: 'Importance: `LOW` is quiet; blank means the importance set in the credentials.',
    }),
  ),
};
const notifyLevel = {
  notify_level: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 16,
      description:
        'Notification level: 1 = in the notification bar, 2 = also on the lock screen, 16 = also with a banner, sound and vibration. Only used with a category; blank means the level set in the credentials, which applies only to the category set in the credentials.',
    }),
  ),
};
const template = {
  template_id: optionalText(
    'Template of a private message; blank means the template set in the credentials, if their channel is used.',
    64,
  ),
  template_param: optionalText(
    'Variables of the template, a JSON object of at most 9 strings of 1 to 128 characters; blank means title and text as `keywords1` and `keywords2`.',
    TEXT_CHARACTERS_MAX,
  ),
};
const noticeMsgType = {
  notice_msg_type: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1,
      description: '0 = public, 1 = private; blank means the type set in the credentials.',
    }),
  ),
};

/** `message` of a notify request. */
export const messageSchema = Type.Object(
  {
    type: Type.Optional(
      Type.Union([Type.Literal('text'), Type.Literal('image'), Type.Literal('cmd')], {
        default: 'text',
        description: '`text`, `image` or `cmd` (data-only message). Blank means `text`.',
      }),
    ),
    title: optionalText('Title.', TITLE_CHARACTERS_MAX),
    body: optionalText('Content.', TEXT_CHARACTERS_MAX),
    attachment_url: optionalText(
      'URL of an image, audio or video. An image URL must end in .jpg, .jpeg or .png, and the image must be smaller than 1 MB; 876x324 px recommended.',
      URL_CHARACTERS_MAX,
    ),
    big_text: optionalText(
      'If set and the vendor supports large text, this text is sent as large text; otherwise `body` is sent as ordinary text.',
      TEXT_CHARACTERS_MAX,
    ),
    badge: Type.Optional(
      Type.String({
        pattern: '^\\+?\\d{1,9}$',
        default: '+1',
        description:
          'Numeric string: badge is set to that number. String starting with `+`: that number is added to the badge. Blank means `+1`.',
      }),
    ),
    ext: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'Free-form JSON object of extension fields: at most 4 KiB, at most 8 levels deep.',
      }),
    ),
    show_begin_time: Type.Optional(
      Int64({
        description:
          'Time from which the notification is sent, Unix seconds, at most 30 days ahead; blank means immediately.',
      }),
    ),
    show_end_time: Type.Optional(
      Int64({ description: 'Time after which the notification is no longer sent, Unix seconds.' }),
    ),
    ios: Type.Optional(
      Type.Object({
        sound: optionalText('Alert sound.'),
        content_available: Type.Optional(Type.Boolean({ description: 'APNs content-available.' })),
        mutable_content: Type.Optional(Type.Boolean({ description: 'APNs mutable-content.' })),
        category: optionalText('APNs payload category.'),
        thread_id: optionalText('APNs thread-id: groups notifications.'),
        subtitle: optionalText('Subtitle.', TITLE_CHARACTERS_MAX),
        apns_collapse_id: Type.Optional(
          Type.String({
            maxBytes: COLLAPSE_ID_BYTES_MAX,
            pattern: HEADER_TEXT,
            description:
              'A notification with this ID replaces earlier ones with the same ID in the notification center.',
          }),
        ),
      }),
    ),
    android: androidParameters(),
    huawei: androidParameters({ ...badgeClass, ...category, ...importance }),
    honor: androidParameters({ ...badgeClass, ...category }),
    xiaomi: androidParameters(template),
    oppo: androidParameters({ ...category, ...notifyLevel }),
    vivo: androidParameters({
      ...category,
      push_mode: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1,
          default: 0,
          description: '0 = production push, 1 = testing push; default 0.',
        }),
      ),
      classification: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1,
          default: 0,
          description: '0 = operational message, 1 = system message; default 0.',
        }),
      ),
    }),
    flyme: androidParameters(noticeMsgType),
    fcm: androidParameters(),
  },
  { description: 'Message body; must not be blank.' },
);
