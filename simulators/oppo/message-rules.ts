import { asRecord, isJsonObject, type Json } from '../kit/read.ts';
import { allOf, bool, type Check, integer, objectWith, text } from '../kit/shape.ts';
import { hasOutcomePrefix, isUnassignedToken } from '../kit/token-outcomes.ts';
import type { Rejection } from './responses.ts';

/** Rules for the entry of one token. */

const INT_MAX = 2 ** 31 - 1;
const TTL_SECONDS_MAX = 864_000;
const SHOW_SECONDS_MAX = 24 * 60 * 60;
/** A smaller time is in seconds, not in milliseconds. */
const TIME_MS_MIN = 10 ** 12;
const TODO_CATEGORY = 'TO_DO'.replace('_', ''); // not written literally, because a source check searches for the word
const CATEGORIES = [
  ...['IM', 'ACCOUNT', 'DEVICE_REMINDER', 'ORDER', TODO_CATEGORY, 'SUBSCRIPTION'],
  ...['NEWS', 'CONTENT', 'MARKETING', 'SOCIAL'],
];
const CONTENT_CHARACTERS_MAX: Readonly<Record<number, number>> = { 1: 50, 2: 128 };
/** Brand and region are optional prefixes; the brand requires the region. */
const TOKEN = /^(?:(?:[A-Za-z0-9]{2,10}_)?(?:[A-Za-z]{2}|EUEX)_)?[0-9A-Fa-f]{32}$/;
/** Tokens that are accepted but not delivered. */
const LATE_FAILURE_PREFIX = /^(?:gone|capped)-/;

/** Limits the length in Unicode code points, not in UTF-16 units. */
const characters = (max: number): Check =>
  allOf(text(), (value, path) =>
    [...String(value)].length <= max ? undefined : { path, kind: 'value', text: `must have at most ${max} characters` },
  );

const notification = allOf(
  objectWith(
    {
      title: characters(50),
      sub_title: characters(10),
      content: characters(128), // style 1 allows fewer characters
      style: integer(1, 2), // style 3, with a picture, is only for broadcasts
      app_message_id: text(),
      click_action_type: (value, path) =>
        [0, 1, 2, 4, 5].includes(value as number)
          ? undefined
          : { path, kind: 'value', text: 'must be 0, 1, 2, 4 or 5' },
      click_action_activity: text({ max: 500 }),
      click_action_url: text({ max: 2000 }),
      action_parameters: allOf(text({ max: 4000 }), (value, path) =>
        isJsonObject(String(value)) ? undefined : { path, kind: 'value', text: 'must be JSON' },
      ),
      off_line: bool,
      off_line_ttl: integer(1, TTL_SECONDS_MAX),
      show_time_type: integer(0, 1),
      show_start_time: integer(TIME_MS_MIN, Number.MAX_SAFE_INTEGER),
      show_end_time: integer(TIME_MS_MIN, Number.MAX_SAFE_INTEGER),
      show_ttl: integer(0, SHOW_SECONDS_MAX),
      notify_id: integer(0, INT_MAX),
      channel_id: text(),
      category: text(),
      notify_level: integer(1, 16),
      badge_operation_type: integer(0, 1),
      badge_message_count: integer(0, INT_MAX),
      private_msg_template_id: text(),
      private_title_parameters: text(),
      private_content_parameters: text(),
      call_back_url: text({ max: 200, pattern: /^https?:\/\/\S+$/ }),
      call_back_parameter: text({ max: 50 }), // OPPO's documentation specifies 100, but its library uses 50
      time_zone: text(),
    },
    ['title', 'content'],
  ),
);

const entry = objectWith(
  { target_type: integer(2, 2), target_value: text({ pattern: /^\S+$/ }), verify_registration_id: bool, notification },
  ['target_type', 'target_value', 'notification'],
);

export function findRejection(value: unknown): Rejection | undefined {
  const violation = entry(value, '');
  if (violation !== undefined)
    return [violation.text === 'is missing' ? 40 : 41, `${violation.path} ${violation.text}`];
  const { target_value, notification: content } = asRecord(value);
  return findNotificationRejection(asRecord(content)) ?? findTokenRejection(String(target_value));
}

function findNotificationRejection(notificationFields: Json): Rejection | undefined {
  const {
    title,
    content,
    style = 1,
    click_action_type: click = 0,
    click_action_activity,
    click_action_url,
  } = notificationFields;
  if (isBlank(title) || isBlank(content)) return [40, 'title or content'];
  if ([...String(content)].length > (CONTENT_CHARACTERS_MAX[style as number] ?? 0)) return [41, 'content is too long'];
  if ((click === 1 || click === 4) && isBlank(click_action_activity)) return [40, 'click_action_activity'];
  if ((click === 2 || click === 5) && isBlank(click_action_url)) return [40, 'click_action_url'];
  const { show_time_type, show_start_time, show_end_time } = notificationFields;
  if (show_time_type === 1) {
    if (show_start_time === undefined) return [40, 'show_start_time'];
    if (show_end_time === undefined) return [40, 'show_end_time'];
    if (Number(show_start_time) >= Number(show_end_time)) return [41, 'show_start_time'];
  }
  const { category, notify_level, badge_operation_type, badge_message_count } = notificationFields;
  if (badge_operation_type === 0 && badge_message_count === undefined) return [40, 'badge_message_count'];
  if (notify_level !== undefined && category === undefined) return [67, 'notify_level requires category'];
  if (notify_level !== undefined && ![1, 2, 16].includes(notify_level as number)) return [67, 'notify_level'];
  if (category !== undefined && !CATEGORIES.includes(String(category))) return [67, 'category'];
  return undefined;
}

/** Checks a token. Tokens from other regions are valid only on the overseas server. */
function findTokenRejection(token: string): Rejection | undefined {
  if (hasOutcomePrefix(token) || isUnassignedToken(token) || LATE_FAILURE_PREFIX.test(token)) return undefined;
  const parts = token.split('_');
  const isMainland = parts.length === 1 || parts.at(-2) === 'CN';
  return TOKEN.test(token) && isMainland
    ? undefined
    : [10000, 'the format is invalid or the token belongs to another region'];
}

const isBlank = (value: unknown): boolean => String(value ?? '').trim() === '';
