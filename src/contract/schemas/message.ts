import { Type } from 'typebox';
import { type AndroidVendor, vendorFacts } from '#src/domain/channel.ts';
import { Int64 } from '#src/foundation/int64.ts';

const TITLE_CHARACTERS_MAX = 256;
const TEXT_CHARACTERS_MAX = 4_096;
const URL_CHARACTERS_MAX = 2_048;
/** APNs limit for a collapse ID. */
const COLLAPSE_ID_BYTES_MAX = 64;
/** The value is sent in an HTTP header, so control characters and leading or trailing spaces are not allowed. */
const HEADER_TEXT = '^(?! )[^\\u0000-\\u001f\\u007f]*(?<! )$';

/** No vendor and no database stores the NUL character. */
const WITHOUT_NUL = '^[^\\u0000]*$';

const optionalText = (description: string, maxLength = 1_024) =>
  Type.Optional(Type.String({ maxLength, pattern: WITHOUT_NUL, description }));

const androidFields = {
  sound: optionalText(
    'Name of a sound file in the app. Blank means the default sound, `none` means no sound. Not every vendor supports this field.',
  ),
  channel_id: optionalText('ID of the notification channel.'),
  click_action: Type.Optional(
    Type.Union([Type.Literal('intent'), Type.Literal('open_app')], {
      description:
        'Action when the user taps the notification: `open_app` opens the app, `intent` opens the page in `intent`. Blank means `open_app`.',
    }),
  ),
  intent: optionalText(
    'Page to open, required if `click_action` is `intent`. Format: `intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end`. The `S.` parts are optional.',
    TEXT_CHARACTERS_MAX,
  ),
};

const ANDROID_DESCRIPTION =
  'Parameters for all Android vendors. A field in the object of a vendor overrides the same field here. If that object sets `click_action`, the `intent` here is ignored.';

const vendorParameters = (vendor: AndroidVendor, extra: Parameters<typeof Type.Object>[0] = {}) =>
  Type.Optional(
    Type.Object(
      { ...androidFields, ...extra },
      { description: `Parameters for ${vendorFacts[vendor].displayName}, which override those in \`android\`.` },
    ),
  );

const badgeClass = {
  badge_class: optionalText('Full class name of the launcher activity. If blank, the badge does not change.'),
};
const category = {
  category: optionalText('Message category, as defined by the vendor. Blank means `category` in the credentials.', 64),
};

const harmonyParameters = Type.Optional(
  Type.Object(
    {
      category: optionalText(
        'Message category, as defined by HarmonyOS, such as `IM`. Blank means `category` in the credentials, or `MARKETING` if they have none.',
        64,
      ),
      sound: optionalText('Name of a sound file in `resources/rawfile` of the app. Blank means the default sound.'),
      action: optionalText('Action of the page to open when the user taps the notification. Blank opens the app.'),
      uri: optionalText('URI of the page to open when the user taps the notification. Blank opens the app.'),
      collapse_key: Type.Optional(
        Type.Integer({
          minimum: -1,
          maximum: 100,
          description:
            'Group of the notification, 0 to 100. An offline device receives only the latest notification of a group. -1 means no group. Blank means -1.',
        }),
      ),
      foreground_show: Type.Optional(
        Type.Boolean({
          description:
            'Whether the notification is displayed while the app is in the foreground. If false, the app receives the data instead. Blank means true.',
        }),
      ),
    },
    {
      description: `Parameters for ${vendorFacts.harmony.displayName}. The parameters in \`android\` do not apply to it.`,
    },
  ),
);

const PAGE_URL = '^https://[^\\s]+$';

const webPushParameters = Type.Optional(
  Type.Object(
    {
      navigate: Type.Optional(
        Type.String({
          maxLength: URL_CHARACTERS_MAX,
          pattern: PAGE_URL,
          description:
            'Page that opens when the user clicks the notification, as an https URL. Blank means `navigate` in the credentials.',
        }),
      ),
      tag: optionalText(
        'Notifications with the same tag replace each other, on the screen and while the browser is offline. Blank means the task ID.',
        64,
      ),
      icon: Type.Optional(
        Type.String({
          maxLength: URL_CHARACTERS_MAX,
          pattern: PAGE_URL,
          description: 'Icon of the notification, as an https URL. Not every browser supports it.',
        }),
      ),
      lang: optionalText('Language of the text, such as `en-US`.', 35),
      dir: Type.Optional(
        Type.Union([Type.Literal('auto'), Type.Literal('ltr'), Type.Literal('rtl')], {
          description: 'Direction of the text. Blank means the direction of the browser.',
        }),
      ),
      silent: Type.Optional(
        Type.Boolean({ description: 'Whether the notification is displayed without sound and vibration.' }),
      ),
      urgency: Type.Optional(
        Type.Union([Type.Literal('very-low'), Type.Literal('low'), Type.Literal('normal'), Type.Literal('high')], {
          description:
            'Urgency. A device that saves power receives less urgent notifications later. Blank means `high`.',
        }),
      ),
    },
    {
      description: `Parameters for ${vendorFacts.webpush.displayName}. The parameters in \`android\` do not apply to it.`,
    },
  ),
);

const honorCategory = {
  category: optionalText(
    'Importance of the notification: `LOW` or `NORMAL`. Blank or any other value means `importance` in the credentials.',
    64,
  ),
};
const importance = {
  importance: Type.Optional(
    Type.Union([Type.Literal('LOW'), Type.Literal('NORMAL')], {
      description:
        'Importance of the notification. `LOW` is displayed without a sound. Blank means `importance` in the credentials.',
    }),
  ),
};
const notifyLevel = {
  notify_level: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 16,
      description:
        '1 = notification bar; 2 = also lock screen; 16 = also banner, sound and vibration. Used only for a message with a category. Blank means `notify_level` in the credentials, if the category is the one in the credentials.',
    }),
  ),
};
const template = {
  template_id: optionalText(
    'ID of the template of a private message. Blank means `template_id` in the credentials, if the message uses the channel in the credentials.',
    64,
  ),
  template_param: optionalText(
    'Variables of the template: a JSON object, as a string, with at most 9 string values of 1 to 128 characters each. If blank, `keywords1` is the title and `keywords2` is the body.',
    TEXT_CHARACTERS_MAX,
  ),
};
const noticeMsgType = {
  notice_msg_type: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1,
      description: '0 = public message, 1 = private message. Blank means `notice_msg_type` in the credentials.',
    }),
  ),
};

/** `message` of a notify request. */
export const messageSchema = Type.Object(
  {
    type: Type.Optional(
      Type.Union([Type.Literal('text'), Type.Literal('image'), Type.Literal('cmd')], {
        default: 'text',
        description:
          '`text`, `image` or `cmd` (data-only message). Blank means `text`. An `image` without `attachment_url` is sent as `text`.',
      }),
    ),
    title: optionalText(
      'Title of the notification. For an image without any text, vendors display the name of the app.',
      TITLE_CHARACTERS_MAX,
    ),
    body: optionalText('Text of the notification.', TEXT_CHARACTERS_MAX),
    attachment_url: optionalText(
      'URL of an image, audio or video file. For the type `image`, the URL must end in .jpg, .jpeg or .png, and the image must be smaller than 1 MB (1,048,576 bytes). The recommended size is 876x324 pixels.',
      URL_CHARACTERS_MAX,
    ),
    big_text: optionalText(
      'Long text. Depending on the vendor, it replaces `body` or is displayed when the user expands the notification. Vendors that do not support long text display `body`, or `big_text` if `body` is blank.',
      TEXT_CHARACTERS_MAX,
    ),
    badge: Type.Optional(
      Type.String({
        pattern: '^\\+?\\d{1,9}$',
        default: '+1',
        description: 'Badge number of the app icon: `5` sets it to 5, and `+5` increases it by 5. Blank means `+1`.',
      }),
    ),
    ext: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description:
          'JSON object with custom fields for the app: at most 4 KiB, and at most 8 levels deep. Left out for vendors whose limit it exceeds.',
      }),
    ),
    show_begin_time: Type.Optional(
      Int64({
        description: 'Time at which sending starts, in Unix seconds, at most 30 days ahead. Blank means immediately.',
      }),
    ),
    show_end_time: Type.Optional(
      Int64({
        description:
          'Time at which the notification expires, in Unix seconds, at most 30 days after sending starts. Blank means 24 hours after sending starts.',
      }),
    ),
    ios: Type.Optional(
      Type.Object(
        {
          sound: optionalText('Name of a sound file in the app. Blank means the default sound, `none` means no sound.'),
          content_available: Type.Optional(
            Type.Boolean({ description: 'Whether the APNs payload contains `content-available`.' }),
          ),
          mutable_content: Type.Optional(
            Type.Boolean({ description: 'Whether the APNs payload contains `mutable-content`.' }),
          ),
          category: optionalText('Value of `category` in the APNs payload.'),
          thread_id: optionalText(
            'Value of `thread-id` in the APNs payload. Notifications with the same value are grouped.',
          ),
          subtitle: optionalText('Subtitle of the notification.', TITLE_CHARACTERS_MAX),
          apns_collapse_id: Type.Optional(
            Type.String({
              maxBytes: COLLAPSE_ID_BYTES_MAX,
              pattern: HEADER_TEXT,
              description:
                'Value of the APNs header `apns-collapse-id`. A notification replaces earlier ones with the same ID in the notification center.',
            }),
          ),
        },
        { description: 'Parameters for iPhones (APNs).' },
      ),
    ),
    android: Type.Optional(Type.Object(androidFields, { description: ANDROID_DESCRIPTION })),
    huawei: vendorParameters('huawei', { ...badgeClass, ...category, ...importance }),
    harmony: harmonyParameters,
    honor: vendorParameters('honor', { ...badgeClass, ...honorCategory }),
    xiaomi: vendorParameters('xiaomi', template),
    oppo: vendorParameters('oppo', { ...category, ...notifyLevel }),
    vivo: vendorParameters('vivo', {
      ...category,
      push_mode: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1,
          default: 0,
          description:
            '0 = production message, 1 = test message; default 0. In environment 0, every message is a test message.',
        }),
      ),
      classification: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1,
          default: 0,
          description:
            '0 = operational message, 1 = system message; default 0. A `category` of vivo in the message overrides this value.',
        }),
      ),
    }),
    flyme: vendorParameters('flyme', noticeMsgType),
    fcm: vendorParameters('fcm'),
    webpush: webPushParameters,
  },
  { description: 'Content of the notification; must not be blank.' },
);
