import type { PhoneView } from '../kit/page.ts';
import { asRecord, type Json, stringOrEmpty } from '../kit/read.ts';

/** A message that was delivered to the simulated phone, in the format of the control API. */
export type Arrival = {
  readonly vendor: 'oppo';
  readonly app_id: string;
  readonly token: string;
  readonly request_id: string;
  /** Number of entries in the request. */
  readonly tokens: number;
  /** The entry as received, without the token. */
  readonly body: Json;
  readonly at: number;
};

/** Returns a task id that stays the same when the message is sent again, or undefined if the message has no task id. */
export function taskOf(body: Json): string | undefined {
  const { app_message_id, notify_id } = asRecord(body.notification);
  const task = app_message_id ?? notify_id;
  return task === undefined ? undefined : String(task);
}

export function viewOf({ app_id, token, body, at }: Arrival): PhoneView {
  const { title, content, action_parameters, category, channel_id, ...rest } = asRecord(body.notification);
  return {
    app: app_id,
    title: stringOrEmpty(title),
    text: stringOrEmpty(content),
    badge: badgeText(rest),
    picture: undefined, // only broadcasts can have pictures
    data: typeof action_parameters === 'string' ? action_parameters : undefined,
    details: [stringOrEmpty(category), stringOrEmpty(channel_id)],
    token,
    at,
  };
}

function badgeText({ badge_operation_type, badge_message_count }: Json): string | undefined {
  if (badge_operation_type === 0) return String(badge_message_count);
  return badge_operation_type === 1 ? `+${badge_message_count ?? 1}` : undefined;
}
