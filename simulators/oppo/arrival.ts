import type { PhoneView } from '../kit/page.ts';
import { asRecord, type Json, stringOrEmpty } from '../kit/read.ts';

/** A message that reached the pretend phone, as the control API shows it. */
export type Arrival = {
  readonly vendor: 'oppo';
  readonly app_id: string;
  readonly token: string;
  readonly request_id: string;
  /** How many entries the request had. */
  readonly tokens: number;
  /** The entry as it came, but for the token. */
  readonly body: Json;
  readonly at: number;
};

/** The task, as far as a message tells: what stays the same when it is sent again. */
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
    picture: undefined, // single devices are shown none
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
