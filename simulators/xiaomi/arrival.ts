import type { PhoneView } from '../kit/page.ts';

/** Fields of a form. */
export type Form = Readonly<Record<string, string>>;

/** A message that was delivered to the simulated phone, in the format of the control API. */
export type Arrival = {
  readonly vendor: 'xiaomi';
  readonly app_id: string;
  readonly token: string;
  readonly request_id: string;
  /** Number of tokens in the request. */
  readonly tokens: number;
  /** The form as received, without the list of tokens. */
  readonly body: Form;
  /** False if the phone has already shown a message with the same jobkey. */
  readonly is_shown: boolean;
  readonly at: number;
  /** True if the sender has recalled the notification. */
  readonly recalled?: true;
};

/** Returns a task id that stays the same when the message is sent again, or undefined if the message has no task id. */
export const taskOf = (body: Form): string | undefined => body['extra.jobkey'] ?? body.notify_id;

export function viewOf({ app_id, token, body, is_shown, at }: Arrival): PhoneView {
  return {
    app: app_id,
    title: body.title ?? '',
    text: body.description ?? '',
    badge: undefined, // the launcher counts notifications automatically
    picture: undefined,
    data: body.payload,
    details: [body['extra.channel_id'] ?? 'default channel', is_shown ? '' : 'duplicate, not shown'],
    token,
    at,
  };
}
