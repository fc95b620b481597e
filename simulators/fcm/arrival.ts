import type { PhoneView } from '../kit/page.ts';
import { asRecord, type Json, stringOrEmpty } from '../kit/read.ts';
import type { TargetKind } from './message-rules.ts';

/**
 * A message that was delivered to the simulated phone, in the format of the control API. `at` is in epoch milliseconds.
 */
export type Arrival = {
  readonly token: string;
  readonly target: TargetKind;
  readonly project_id: string;
  readonly name: string;
  /** The message, with field names converted to snake_case. */
  readonly message: Json;
  readonly at: number;
};

/**
 * Returns the id that does not change when a message is repeated: the tag, or the sender's id in `data.mid` for a
 * data-only message.
 */
export function taskOf({ message }: Arrival): string | undefined {
  const tag = asRecord(asRecord(message.android).notification).tag ?? asRecord(message.data).mid;
  return typeof tag === 'string' ? tag : undefined;
}

export function viewOf({ token, project_id, message, at }: Arrival): PhoneView {
  const android = asRecord(message.android);
  const shown = { ...asRecord(message.notification), ...asRecord(android.notification) };
  const data = android.data ?? message.data;
  const count = shown.notification_count;
  return {
    app: project_id,
    title: stringOrEmpty(shown.title),
    text: stringOrEmpty(shown.body),
    badge: typeof count === 'number' ? `+${count}` : undefined,
    picture: stringOrEmpty(shown.image) || undefined,
    data: data === undefined ? undefined : JSON.stringify(data),
    details: [stringOrEmpty(android.priority), stringOrEmpty(android.ttl), stringOrEmpty(shown.channel_id)],
    token,
    at,
  };
}
