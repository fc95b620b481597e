import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';

const TITLE_CHARACTERS_MAX = 256;
const TEXT_CHARACTERS_MAX = 4_096;
/** Apple's limit for a collapse id, in bytes; these are characters, so the API checks once more. */
const COLLAPSE_ID_MAX = 64;

const text = (description: string, maxLength = 1_024) => Type.Optional(Type.String({ maxLength, description }));

const androidFields = {
  sound: text('Alert sound.'),
  channel_id: text('Notification bar channel.'),
  click_action: Type.Optional(
    Type.Union([Type.Literal('intent'), Type.Literal('open_app')], {
      description: 'Action after click: open a specific page, or the app.',
    }),
  ),
  intent: text('Page to open: an intent URI.', TEXT_CHARACTERS_MAX),
};

const androidParameters = (extra: Parameters<typeof Type.Object>[0] = {}) =>
  Type.Optional(Type.Object({ ...androidFields, ...extra }));

const badgeClass = { badge_class: text('Entry activity class of the desktop icon.') };

/** `message` of a notify request. */
export const messageSchema = Type.Object({
  type: Type.Optional(
    Type.Union([Type.Literal('text'), Type.Literal('image'), Type.Literal('cmd')], {
      description: '`cmd` is a pass-through message. Blank means `text`.',
    }),
  ),
  title: text('Title.', TITLE_CHARACTERS_MAX),
  body: text('Content.', TEXT_CHARACTERS_MAX),
  attachment_url: text('URL of an image, audio or video.', 2_048),
  big_text: text('Pushed as large text where the vendor has it.', TEXT_CHARACTERS_MAX),
  badge: Type.Optional(
    Type.String({
      pattern: '^\\+?\\d{1,9}$',
      description: 'A number the badge is set to, or `+` and a number that is added. Blank means `+1`.',
    }),
  ),
  ext: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'Free-form extension fields.' }),
  ),
  show_begin_time: Type.Optional(Int64({ description: 'Start of timed presentation, in seconds.' })),
  show_end_time: Type.Optional(Int64({ description: 'End of timed presentation, in seconds.' })),
  ios: Type.Optional(
    Type.Object({
      sound: text('Alert sound.'),
      content_available: Type.Optional(Type.Boolean({ description: 'APNs content-available.' })),
      mutable_content: Type.Optional(Type.Boolean({ description: 'APNs mutable-content.' })),
      category: text('APNs payload category.'),
      thread_id: text('APNs thread-id: groups notifications.'),
      subtitle: text('Subtitle.', TITLE_CHARACTERS_MAX),
      apns_collapse_id: text('Replaces earlier notifications with the same id.', COLLAPSE_ID_MAX),
    }),
  ),
  android: androidParameters(),
  huawei: androidParameters(badgeClass),
  honor: androidParameters(badgeClass),
  xiaomi: androidParameters(),
  oppo: androidParameters(),
  vivo: androidParameters({
    push_mode: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: '0 production, 1 testing push.' })),
    classification: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1, description: '0 operational, 1 system message.' }),
    ),
  }),
  flyme: androidParameters(),
  fcm: androidParameters(),
});
