import { asRecord, isJsonObject } from '../kit/read.ts';
import { allOf, anyValue, bool, type Check, httpsUrl, integer, listOf, objectWith, text, ttlOf } from '../kit/shape.ts';

/** Rules for a message. A rule about several fields is next to the object that contains the fields. */

const TTL_SECONDS_MAX = 1_296_000; // 15 days
const INT_MAX = 2 ** 31 - 1;
const CATEGORIES = [
  ...['IM', 'VOIP', 'SUBSCRIPTION', 'TRAVEL', 'HEALTH', 'WORK', 'ACCOUNT', 'EXPRESS', 'FINANCE', 'DEVICE_REMINDER'],
  ...['MAIL', 'PLAY_VOICE', 'MARKETING'],
];

const clickAction = allOf(
  objectWith({ type: integer(1, 3), intent: text(), action: text(), url: httpsUrl }, ['type']),
  (value, path) => {
    const { type, intent, action, url } = asRecord(value);
    const isCoherent = type === 1 ? Boolean(intent ?? action) : type !== 2 || url !== undefined;
    return isCoherent
      ? undefined
      : { path, kind: 'value', text: 'requires intent or action for type 1, url for type 2' };
  },
);

const badge = objectWith({ add_num: integer(1, 99), set_num: integer(0, 99), class: text({ pattern: /^\S+$/ }) }, [
  'class',
]);

const button = objectWith(
  {
    name: text({ max: 40 }),
    action_type: integer(0, 4),
    intent_type: integer(0, 1),
    intent: text(),
    data: text({ max: 1024 }),
  },
  ['name', 'action_type'],
);

const style: Check = (value, path) => {
  const { style: number, big_title, big_body, inbox_content } = asRecord(value);
  if (number === 1 && !(big_title && big_body)) {
    return { path, kind: 'value', text: 'requires big_title and big_body for style 1' };
  }
  return number === 3 && inbox_content === undefined
    ? { path, kind: 'value', text: 'requires inbox_content for style 3' }
    : undefined;
};

const androidNotification = allOf(
  objectWith(
    {
      title: text(),
      body: text(),
      icon: text(),
      color: text({ pattern: /^#[0-9A-Fa-f]{6}$/ }),
      sound: text({ pattern: /^\/raw\/\S+$/ }),
      default_sound: bool,
      tag: text(),
      click_action: clickAction,
      body_loc_key: text(),
      body_loc_args: listOf(text(), 100),
      title_loc_key: text(),
      title_loc_args: listOf(text(), 100),
      multi_lang_key: anyValue,
      channel_id: text(),
      notify_summary: text(),
      image: httpsUrl,
      style: (value, path) =>
        [0, 1, 3].includes(value as number) ? undefined : { path, kind: 'value', text: 'must be 0, 1 or 3' },
      big_title: text(),
      big_body: text(),
      inbox_content: listOf(text({ max: 1024 }), 5),
      notify_id: integer(-1, INT_MAX),
      group: text(),
      badge,
      ticker: text(),
      when: text({ pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/ }),
      importance: text({ words: ['LOW', 'NORMAL'] }),
      use_default_vibrate: bool,
      use_default_light: bool,
      vibrate_config: listOf(text(), 10),
      visibility: text({ words: ['VISIBILITY_UNSPECIFIED', 'PRIVATE', 'PUBLIC', 'SECRET'] }),
      light_settings: anyValue,
      foreground_show: bool,
      profile_id: text({ max: 64 }),
      buttons: listOf(button, 3),
    },
    ['click_action'],
  ),
  style,
);

const android = objectWith({
  collapse_key: integer(-1, 100),
  urgency: text({ words: ['NORMAL', 'HIGH'] }),
  category: text({ words: CATEGORIES }),
  ttl: ttlOf(TTL_SECONDS_MAX),
  bi_tag: text({ max: 64 }),
  receipt_id: text(),
  target_user_type: integer(0, 1),
  fast_app_target: integer(1, 2),
  data: text(),
  notification: androidNotification,
});

const message = allOf(
  objectWith({
    data: text(),
    notification: objectWith({ title: text(), body: text(), image: httpsUrl }),
    android,
    apns: anyValue,
    webpush: anyValue,
    token: listOf(text({ pattern: /^\S+$/ }), Number.POSITIVE_INFINITY), // the number of tokens has a separate error code
    topic: text(),
    condition: text(),
  }),
  checkComplete,
);

/** The whole body of a request. */
export const envelope = objectWith({ validate_only: bool, message, review: anyValue });

/**
 * Checks that a notification has a title, a body and a click action, and that its data, if any, is JSON. The PLAY_VOICE
 * category does not allow a notification. A message without a notification must have data.
 */
function checkComplete(value: unknown, path: string): ReturnType<Check> {
  const { data, notification: shared, android: config } = asRecord(value);
  const { data: ownData, notification: own, category } = asRecord(config);
  const messageData = ownData ?? data;
  const toViolation = (words: string) => ({ path, kind: 'value', text: words }) as const;
  if (shared === undefined && own === undefined) {
    return messageData === undefined ? toViolation('requires data or a notification') : undefined;
  }
  const { title, body, click_action } = { ...asRecord(shared), ...asRecord(own) };
  if (!title || !body) return toViolation('requires title and body');
  if (click_action === undefined) return toViolation('requires click_action');
  if (category === 'PLAY_VOICE') return toViolation('must not have a notification if the category is PLAY_VOICE');
  return messageData === undefined || isJsonObject(String(messageData))
    ? undefined
    : toViolation('requires data to be JSON');
}
