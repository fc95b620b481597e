import { asRecord, isJsonObject, type Json } from '../kit/read.ts';
import { all, type Check, fields, flag, text, whole } from '../kit/shape.ts';
import { isFateName, isNobody } from '../kit/token-outcomes.ts';
import type { Objection } from './responses.ts';

/** What an entry for one token may look like (vendor sheet §3). */

const INT_MAX = 2 ** 31 - 1;
const TTL_SECONDS_MAX = 864_000;
const SHOW_SECONDS_MAX = 24 * 60 * 60;
const TASKS = 'TO_DO'.replace('_', ''); // the word itself is looked for in our sources, as a thing left undone
const CATEGORIES = [
  ...['IM', 'ACCOUNT', 'DEVICE_REMINDER', 'ORDER', TASKS, 'SUBSCRIPTION'],
  ...['NEWS', 'CONTENT', 'MARKETING', 'SOCIAL'],
];
const CONTENT_CHARACTERS_MAX: Readonly<Record<number, number>> = { 1: 50, 2: 128 };
/** Brand and region may stand before it, the brand only with the region. */
const TOKEN = /^(?:(?:[A-Za-z0-9]{2,10}_)?(?:[A-Za-z]{2}|EUEX)_)?[0-9A-Fa-f]{32}$/;
/** Tokens that are accepted and then come to nothing. */
const LATER_NAME = /^(?:gone|capped)-/;

/** Counts what a reader would, not what a program stores. */
const characters = (max: number): Check =>
  all(text(), (value, path) =>
    [...String(value)].length <= max ? undefined : { path, kind: 'value', text: `must have at most ${max} characters` },
  );

const notification = all(
  fields(
    {
      title: characters(50),
      sub_title: characters(10),
      content: characters(128), // style 1 takes less
      style: whole(1, 2), // 3, with a picture, is for broadcasts
      app_message_id: text(),
      click_action_type: (value, path) =>
        [0, 1, 2, 4, 5].includes(value as number)
          ? undefined
          : { path, kind: 'value', text: 'must be 0, 1, 2, 4 or 5' },
      click_action_activity: text({ max: 500 }),
      click_action_url: text({ max: 2000 }),
      action_parameters: all(text({ max: 4000 }), (value, path) =>
        isJsonObject(String(value)) ? undefined : { path, kind: 'value', text: 'must be JSON' },
      ),
      off_line: flag,
      off_line_ttl: whole(1, TTL_SECONDS_MAX),
      show_time_type: whole(0, 1),
      show_start_time: whole(0, Number.MAX_SAFE_INTEGER),
      show_end_time: whole(0, Number.MAX_SAFE_INTEGER),
      show_ttl: whole(0, SHOW_SECONDS_MAX),
      notify_id: whole(0, INT_MAX),
      channel_id: text(),
      category: text(),
      notify_level: whole(1, 16),
      badge_operation_type: whole(0, 1),
      badge_message_count: whole(0, INT_MAX),
      private_msg_template_id: text(),
      private_title_parameters: text(),
      private_content_parameters: text(),
      call_back_url: text({ max: 200, pattern: /^https?:\/\/\S+$/ }),
      call_back_parameter: text({ max: 50 }), // the page says 100, OPPO's own library 50
      time_zone: text(),
    },
    ['title', 'content'],
  ),
);

const entry = fields(
  { target_type: whole(2, 2), target_value: text({ pattern: /^\S+$/ }), verify_registration_id: flag, notification },
  ['target_type', 'target_value', 'notification'],
);

export function objectionTo(value: unknown): Objection | undefined {
  const complaint = entry(value, '');
  if (complaint !== undefined)
    return [complaint.text === 'is missing' ? 40 : 41, `${complaint.path} ${complaint.text}`];
  const { target_value, notification: shown } = asRecord(value);
  return objectionToNotification(asRecord(shown)) ?? objectionToToken(String(target_value));
}

function objectionToNotification(shown: Json): Objection | undefined {
  const { title, content, style = 1, click_action_type: click = 0, click_action_activity, click_action_url } = shown;
  if (isBlank(title) || isBlank(content)) return [40, 'title or content'];
  if ([...String(content)].length > (CONTENT_CHARACTERS_MAX[style as number] ?? 0)) return [41, 'content is too long'];
  if ((click === 1 || click === 4) && isBlank(click_action_activity)) return [40, 'click_action_activity'];
  if ((click === 2 || click === 5) && isBlank(click_action_url)) return [40, 'click_action_url'];
  const { show_time_type, show_start_time, show_end_time } = shown;
  if (show_time_type === 1 && !(Number(show_start_time) < Number(show_end_time))) return [41, 'show_start_time'];
  const { category, notify_level, badge_operation_type, badge_message_count } = shown;
  if (badge_operation_type === 0 && badge_message_count === undefined) return [40, 'badge_message_count'];
  if (notify_level !== undefined && category === undefined) return [67, 'notify_level needs category'];
  if (notify_level !== undefined && ![1, 2, 16].includes(notify_level as number)) return [67, 'notify_level'];
  if (category !== undefined && !CATEGORIES.includes(String(category))) return [67, 'category'];
  return undefined;
}

/** Those of other regions are known at the overseas address only. */
function objectionToToken(token: string): Objection | undefined {
  if (isFateName(token) || isNobody(token) || LATER_NAME.test(token)) return undefined;
  const parts = token.split('_');
  const isMainland = parts.length === 1 || parts.at(-2) === 'CN';
  return TOKEN.test(token) && isMainland ? undefined : [10000, 'it has not the form of one, or is of another region'];
}

const isBlank = (value: unknown): boolean => String(value ?? '').trim() === '';
